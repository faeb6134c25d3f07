import { execFileSync } from "node:child_process";

export interface Process {
  readonly pid: number;
  readonly command: string;
}

/** All descendants of a process. */
export function descendantsOf(ancestor: number): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const all = lines.flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(ancestor).map(({ pid, command }) => ({ pid, command }));
}

/** Which processes of a command are killed: the command line with its descendants, the command line alone, or its plugins. */
export type Victim = "all" | "cli" | "plugin";

const isPlugin = ({ command }: Process) => command.includes("dynamic-provider");

/** Kills (-9) a command of this process, and returns its processes that stay alive. */
export function killCommand(pid: number, victim: Victim): Process[] {
  const started = descendantsOf(pid);
  const plugins = started.filter(isPlugin);
  const doomed =
    victim === "all"
      ? [pid, ...started.map((one) => one.pid)]
      : victim === "cli"
        ? [pid, ...started.filter((one) => !isPlugin(one)).map((one) => one.pid)]
        : plugins.map((one) => one.pid);
  for (const one of doomed) killOne(one);
  return started.filter((one) => !doomed.includes(one.pid));
}

export function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
