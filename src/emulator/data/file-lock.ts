import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { quietly } from "../../api/quietly";
import { codeOf } from "../../api/redact";

const readIfThere = (path: string): string | undefined => quietly(() => readFileSync(path, "utf8"));

/** The start time of a process in the kernel's count. It differs for a later process with the same id. */
function startOf(pid: number): string {
  const [state, ...rest] = readIfThere(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ") ?? [];
  // A zombie process has an id, but it has ended.
  return state === "Z" ? "ended" : (rest[18] ?? "");
}

/** Whether a process exists. The error EPERM means that it belongs to another user. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** The id of the process that holds the lock, or undefined if the process is gone. */
function holderOf(text: string): number | undefined {
  const [, pid, start] = /^(\d+) (\w*)\n$/.exec(text) ?? [];
  if (pid === undefined || Number(pid) === 0 || !isThere(Number(pid))) return undefined;
  return startOf(Number(pid)) === start ? Number(pid) : undefined;
}

/** Gives a file a second name. Returns false if the name exists. */
function linkIfFree(path: string, name: string): boolean {
  try {
    linkSync(path, name);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Takes `FILE.lock` for this process. It also takes over the lock of a process that is gone.
 * @returns a function that releases the lock
 * @throws Error that names the process that holds the lock
 */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  const mine = `${lock}.${process.pid}`;
  const text = `${process.pid} ${startOf(process.pid)}\n`;
  // The lock is complete before it gets its name, so nobody reads half of it.
  writeFileSync(mine, text);
  try {
    while (!linkIfFree(mine, lock)) {
      const found = readIfThere(lock);
      if (found === undefined) continue;
      const holder = holderOf(found);
      if (holder !== undefined) {
        throw new Error(`${file} is in use by another emulator (process ${holder}, see ${lock})`);
      }
      setAside(lock, found);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    if (readIfThere(lock) === text) rmSync(lock, { force: true });
  };
}

/** Removes a lock that nobody holds. If another process has taken it in the meantime, the lock stays. */
function setAside(lock: string, expected: string): void {
  const aside = `${lock}.${process.pid}.old`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (readIfThere(aside) !== expected) linkIfFree(aside, lock);
  rmSync(aside, { force: true });
}
