import { hostname } from "node:os";
import { formatDuration } from "../../provider/base/duration";
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

/** A lock in messages. */
export const calledLock = ({ user, host, pid, since }: Lock, now: number): string =>
  `the lock of ${user}@${host}, process ${pid}, ${ageOf(since, now)} old`;

export const ageOf = (since: number, now: number): string => formatDuration(Math.max(0, now - since));

/** Whether the run of a lock is surely over, and the reason. */
export interface Verdict {
  readonly isOver: boolean;
  readonly why: string;
}

export interface Evidence {
  readonly now: number;
  /** The age from which a lock counts as one of a run that is over. Without it, no age does. */
  readonly limit: number | undefined;
  readonly host?: string;
  readonly isRunning?: (pid: number) => boolean;
}

/** Judges a lock. A lock names a host and a process, and nothing else about its run. */
export function verdictOn(
  { host, pid, since }: Lock,
  { now, limit, host: here = hostname(), isRunning = hasProcess }: Evidence,
): Verdict {
  if (limit !== undefined && now - since > limit)
    return { isOver: true, why: `it is older than ${formatDuration(limit)}` };
  if (host !== here) return { isOver: false, why: "its run is on another host, and may go on there" };
  return isRunning(pid)
    ? { isOver: false, why: `this host has a process ${pid}, so its run may go on` }
    : { isOver: true, why: `this host has no process ${pid}, so its run is over` };
}
