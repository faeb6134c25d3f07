import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "./failure";

/** When a process began, in the kernel's count: a later process that got the same id began at another time. */
function startOf(pid: number): string {
  try {
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    // A zombie still has its id, and does nothing any more.
    return state === "Z" ? "ended" : (rest[18] ?? "");
  } catch {
    return "";
  }
}

/** Whether there is a process; EPERM is the answer where it is somebody else's. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** The id of the process that holds the lock of this text; undefined where that one is gone. */
function holderOf(text: string): number | undefined {
  const [, pid, start] = /^(\d+) (\w*)\n$/.exec(text) ?? [];
  if (pid === undefined || Number(pid) === 0 || !isThere(Number(pid))) return undefined;
  return startOf(Number(pid)) === start ? Number(pid) : undefined;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Gives a file a second name; false where that name is taken. */
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
 * Takes `FILE.lock` for this process, also from one that ended without giving it back; returns what gives it back.
 * @throws Error that names the process which holds it
 */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  const mine = `${lock}.${process.pid}`;
  const text = `${process.pid} ${startOf(process.pid)}\n`;
  // Whole before it has the name that others look at: nobody reads a lock that is half written.
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

/** Removes a lock that nobody holds, unless somebody has taken it in the meantime. */
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
