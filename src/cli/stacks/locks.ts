import { existsSync, readdirSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { sep } from "node:path";
import { formatDuration } from "../../provider/base/duration";
import { type Environment } from "../../provider/base/pulumi-home";
import { quietly } from "../../api/quietly";
import { hasProcess } from "../../provider/base/runs";

/** The lock of a run on a stack, as a backend of files keeps it. */
export interface Lock {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** When the run took it. */
  readonly since: number;
}

const LOCK = /created by (?<user>.*)@(?<host>\S*) \(pid (?<pid>\d+)\) at (?<since>\S+)$/;

/** The locks that the command line names when it refuses to run. */
export const locksIn = (text: string): Lock[] =>
  text.split("\n").flatMap((line) => {
    const { user = "", host = "", pid, since = "" } = LOCK.exec(line.trim())?.groups ?? {};
    return pid === undefined ? [] : [{ user, host, pid: Number(pid), since: Date.parse(since) }];
  });

/** The stacks, as `project/stack`, whose locks are in a folder of a backend. */
export const lockedIn = (folder: string): string[] =>
  (quietly(() => readdirSync(folder, { recursive: true, encoding: "utf8" })) ?? [])
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.split(sep).slice(-3, -1).join("/"));

/** A lock in messages. */
export const calledLock = ({ user, host, pid, since }: Lock, now: number): string =>
  `the lock of ${user}@${host}, process ${pid}, ${ageOf(since, now)} old`;

export const ageOf = (since: number, now: number): string => formatDuration(Math.max(0, now - since));

/** Whether the run of a lock is surely over, and the reason. */
export interface LockVerdict {
  readonly isOver: boolean;
  readonly why: string;
}

export interface Evidence {
  readonly now: number;
  /** The age from which a lock counts as one of a run that is over. Without it, no age does. */
  readonly limit: number | undefined;
  readonly environment: Environment;
  readonly host?: string;
  /** When this machine has started. */
  readonly startedAt?: number;
  readonly isContainer?: boolean;
  readonly isRunning?: (pid: number) => boolean;
}

/** The files by which Docker and Podman mark a container. */
const OF_CONTAINERS = ["/.dockerenv", "/run/.containerenv"];

/** Judges a lock. A lock names a host and a process, and nothing else about its run. Many hosts may have one name. */
export function verdictOn({ host, pid, since }: Lock, evidence: Evidence): LockVerdict {
  const { now, limit, environment, host: here = hostname(), isRunning = hasProcess } = evidence;
  const { startedAt = now - uptime() * 1_000 } = evidence;
  const { isContainer = OF_CONTAINERS.some((file) => existsSync(file)) } = evidence;
  if (limit !== undefined && now - since > limit)
    return { isOver: true, why: `it is older than ${formatDuration(limit)}` };
  const open = (why: string) => ({ isOver: false, why });
  if (host !== here) return open("its run is on another host, and may go on there");
  const { CI: ci, RUNNER_ENVIRONMENT: runner, KUBERNETES_SERVICE_HOST: cluster } = environment;
  if (ci || runner || cluster || isContainer)
    return open("CI runners and containers share names, so its run may go on in another one of this name");
  if (isRunning(pid)) return open(`this host has a process ${pid}, so its run may go on`);
  // Written so that a time that cannot be read is no proof.
  if (!(since >= startedAt))
    return open("it is from before the start of this host, so it may be of another host of this name");
  return { isOver: true, why: `this host has no process ${pid}, so its run is over` };
}
