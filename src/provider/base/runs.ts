import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { quietly } from "../../api/quietly";
import { isObject } from "./values";

/** The process that wrote a note. All plugin processes of one command have the same engine. */
export interface Run {
  /** The address of the engine. */
  readonly engine?: string;
  readonly pid: number;
  /** When the process started, as its system writes it: a later process may have the same number. */
  readonly started: string;
  readonly host: string;
}

/** After this time a run on another host counts as over: nothing tells whether its process is still there. */
const HOUR = 60 * 60 * 1_000;

let own: Omit<Run, "engine"> | undefined;

/** This process as a run. */
export function thisRun(engine: string | undefined): Run {
  own ??= { pid: process.pid, started: startOf(process.pid) ?? "", host: thisHost() };
  return engine === undefined ? own : { engine, ...own };
}

/** The process that started this one, as a run. It outlives a program: the engine deletes when the program has ended. */
export function parentRun(engine: string | undefined): Run | undefined {
  const started = startOf(process.ppid);
  return started === undefined ? undefined : { ...thisRun(engine), pid: process.ppid, started };
}

/** Whether it is this process. */
export function isThisRun({ pid, started, host }: Run): boolean {
  const { pid: ownPid, started: ownStart, host: ownHost } = thisRun(undefined);
  return pid === ownPid && started === ownStart && host === ownHost;
}

/** Whether a run is certainly over. A note without a run, from an earlier version, counts as one of a run that is over. */
export function isOver(run: Run | undefined, at: number, now: number): boolean {
  if (run === undefined) return true;
  if (run.host !== thisRun(undefined).host) return now - at > HOUR;
  const started = startOf(run.pid);
  return started === undefined || started !== run.started;
}

/** Whether a note is from another run that may still be running. */
export const isElsewhere = ({ run, at }: { readonly run?: Run; readonly at: number }, now: number): boolean =>
  run !== undefined && !isThisRun(run) && !isOver(run, at, now);

export function isRun(value: unknown): value is Run {
  return (
    isObject(value) &&
    typeof value["pid"] === "number" &&
    typeof value["started"] === "string" &&
    typeof value["host"] === "string"
  );
}

/** Whether this machine has a process of this number. A zombie process does nothing any more. */
export const hasProcess = (pid: number): boolean =>
  exists(pid) && !(process.platform === "linux" && ["Z", "X"].includes(statOf(pid)?.[0] ?? ""));

/** The state of a process on Linux, and the fields after it. */
function statOf(pid: number): string[] | undefined {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The name of the program, in parentheses, may have spaces.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The process that started a process. Undefined if the system does not show it. */
export function parentOf(pid: number): number | undefined {
  const parent = Number(statOf(pid)?.[1]);
  return Number.isInteger(parent) ? parent : undefined;
}

/** The start of a process. Undefined if there is no such process. */
export function startOf(pid: number): string | undefined {
  if (process.platform === "linux") {
    const stat = statOf(pid);
    if (stat === undefined) return undefined;
    const [state = "", ...fields] = stat;
    // A zombie process does nothing any more.
    if (state === "Z" || state === "X") return undefined;
    return `${bootId()} ${fields[18] ?? ""}`;
  }
  if (!exists(pid)) return undefined;
  if (process.platform === "win32") return "";
  return quietly(() =>
    execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { LC_ALL: "C" },
    }).trim(),
  );
}

const bootId = (): string =>
  quietly(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? "";

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The machine and the container on it: two containers may use the same process numbers. */
const thisHost = (): string =>
  [
    hostname(),
    quietly(() => readFileSync("/etc/machine-id", "utf8").trim()),
    quietly(() => readlinkSync("/proc/self/ns/pid")),
  ]
    .filter(Boolean)
    .join(" ");
