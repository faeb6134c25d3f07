import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {(line: string) => void} Log Prints one line for the user. */

const heartbeatMs = 5_000;
const silentForMs = 60_000;

/** The user's cache directory, as the operating system defines it. @param {NodeJS.ProcessEnv} [env] */
export function cacheDirectory(env = process.env) {
  return join(cacheRoot(env), "pulumi-nodecloud");
}

/** @param {NodeJS.ProcessEnv} env */
function cacheRoot(env) {
  if (process.platform === "win32") return env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  // An empty XDG_CACHE_HOME counts as unset.
  return env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
}

/**
 * Does `work` while no other process holds the same lock file. It takes over the lock of a process that died.
 * @template T
 * @param {string} file
 * @param {{ log: Log; doing: string }} options `doing` is what waiting processes print ("setting up …").
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, { log, doing }, work) {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), doing });
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  while (!createExclusively(file, mine)) {
    const holder = readHolder(file);
    if (holder === undefined) continue;
    if (isDead(holder)) {
      takeAway(file, holder.text);
      continue;
    }
    if (!told) log(`Waiting for another run (process ${holder.pid ?? "unknown"}), which is ${doing} …`);
    told = true;
    await sleep(200);
  }
  const heartbeat = setInterval(() => {
    // After a long sleep of this machine another process may have taken the lock over and finished.
    if (readHolder(file)?.text === mine) utimesSync(file, new Date(), new Date());
  }, heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if (readHolder(file)?.text === mine) rmSync(file, { force: true });
  }
}

/** @param {string} file @param {string} text */
function createExclusively(file, text) {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** @typedef {{ text: string; seen: number; pid?: number; host?: string }} Holder */

/**
 * @param {string} file
 * @returns {Holder | undefined} undefined if the lock is free.
 */
function readHolder(file) {
  try {
    const text = readFileSync(file, "utf8");
    const seen = statSync(file).mtimeMs;
    try {
      return { .../** @type {object} */ (JSON.parse(text)), text, seen };
    } catch {
      // The file exists, and its text is not written yet.
      return { text, seen };
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** @param {Holder} holder */
function isDead({ pid, host, seen }) {
  // The system reuses the number of a dead process, and another machine that shares the directory has its own numbers.
  if (Date.now() - seen > silentForMs) return true;
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}

/** @param {string} file @param {string} deadText */
function takeAway(file, deadText) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    // If another process was faster, this is its new lock, and it goes back.
    if (readFileSync(aside, "utf8") === deadText) rmSync(aside);
    else renameSync(aside, file);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/**
 * Fills a temporary directory and renames it to `directory`, so that `directory` is complete whenever it exists. Call it
 * under a lock: it removes the temporary directories of runs that were stopped.
 * @param {string} directory
 * @param {(temporary: string) => Promise<void>} fill
 * @param {{ scratch?: string }} [options] another place for the temporary directory, in the same file system.
 */
export async function keep(directory, fill, { scratch = dirname(directory) } = {}) {
  const prefix = `${basename(directory)}.tmp-`;
  mkdirSync(scratch, { recursive: true });
  for (const name of readdirSync(scratch)) {
    if (name.startsWith(prefix)) rmSync(join(scratch, name), { recursive: true, force: true });
  }
  const temporary = join(scratch, `${prefix}${process.pid}`);
  mkdirSync(temporary);
  const old = `${temporary}-old`;
  try {
    await fill(temporary);
    try {
      renameSync(directory, old);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
    renameSync(temporary, directory);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

/** @param {unknown} error @param {string} code */
function hasCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
