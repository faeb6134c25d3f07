/** The processor time and memory of processes, from /proc. */
import { readdirSync, readFileSync } from "node:fs";

const ticksOfSecond = 100;
const sampleEveryMs = 20;

/** @typedef {"engine" | "program" | "plugin"} Role The program's share includes its language host. */
/** @typedef {{ cpuSeconds: number; peakMegabytes: number }} Use */

/**
 * @param {number | "self"} pid
 * @returns {{ parent: number; own: number; waited: number }} the process's parent, and seconds that it has computed, and those of
 * its descendants that have ended.
 */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program comes first, in parentheses, and may contain any character.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [, parent = NaN, ...rest] = fields.map(Number);
  const [user = NaN, system = NaN, waitedUser = NaN, waitedSystem = NaN] = rest.slice(9, 13);
  return {
    parent,
    own: (user + system) / ticksOfSecond,
    waited: (waitedUser + waitedSystem) / ticksOfSecond,
  };
}

/** The processor time of a process so far. Other processes hardly change it. @param {number} pid */
export function secondsOf(pid) {
  return process.platform === "linux" ? statOf(pid).own : NaN;
}

/**
 * @param {number} pid
 * @returns {{ now: number; peak: number }} resident memory in MB, NaN if the system does not show it.
 */
export function memoryOf(pid) {
  const status = process.platform === "linux" ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  const field = (/** @type {string} */ name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
  return { now: field("VmRSS"), peak: field("VmHWM") };
}

/** @typedef {{ parent: number; role: Role; cpuSeconds: number; peakMegabytes: number }} Process */

/**
 * Follows a command of the engine and its descendants until `stop` is called after its end. It samples each process about
 * fifty times a second, so it misses at most the last 20 ms of each. The total of `cpuSeconds` is exact.
 * @param {number} root the process of the command, a child of this one.
 * @param {Role} [role] what that process counts as.
 */
export function watchProcesses(root, role = "engine") {
  return process.platform === "linux"
    ? watchOnLinux(root, role)
    : { kill: () => process.kill(root), stop: () => nothingKnown };
}

/** @param {number} value @returns {Record<Role, Use>} */
const eachRole = (value) => {
  const use = () => ({ cpuSeconds: value, peakMegabytes: value });
  return { engine: use(), program: use(), plugin: use() };
};
const nothingKnown = { cpuSeconds: NaN, processes: eachRole(NaN) };

/** @param {number} root @param {Role} role */
function watchOnLinux(root, role) {
  const waitedBefore = statOf("self").waited;
  /** @type {Map<number, Process>} */
  const found = new Map([[root, { parent: 0, role, cpuSeconds: 0, peakMegabytes: 0 }]]);
  /** Processes with another parent. @type {Set<number>} */
  let strangers = new Set();

  const sample = () => {
    const running = readdirSync("/proc")
      .map(Number)
      .filter((pid) => !Number.isNaN(pid));
    const others = new Set();
    for (const pid of running) if (strangers.has(pid) || !lookAt(pid)) others.add(pid);
    strangers = others;
  };

  /**
   * @param {number} pid
   * @returns {boolean} whether it belongs to the command.
   */
  const lookAt = (pid) => {
    try {
      const { parent, own } = statOf(pid);
      const known = found.get(pid);
      const above = found.get(known?.parent ?? parent);
      if (known === undefined && above === undefined) return false;
      const inherited = parent === root ? "engine" : (above?.role ?? "engine");
      const it = known ?? { parent, role: inherited, cpuSeconds: 0, peakMegabytes: 0 };
      found.set(pid, it);
      // Until its own program starts, a child has its parent's name.
      if (pid !== root && it.role === "engine") it.role = roleOf(pid);
      it.cpuSeconds = own;
      it.peakMegabytes = memoryOf(pid).peak || it.peakMegabytes;
      return true;
    } catch (error) {
      // The process has ended meanwhile.
      if (error instanceof Error && "code" in error && ["ENOENT", "ESRCH"].includes(String(error.code))) {
        return found.has(pid);
      }
      throw error;
    }
  };

  /** Whether a process number still belongs to the command. The system reuses numbers of ended processes. @param {number} pid */
  const isStillOurs = (pid) => {
    try {
      return found.has(statOf(pid).parent);
    } catch {
      return false;
    }
  };

  sample();
  const timer = setInterval(sample, sampleEveryMs);
  return {
    /** Kills the remaining processes. */
    kill: () => {
      // Find all of them before killing the first, because a kill changes the parents of its children.
      const left = [...found.keys()].filter((pid) => pid === root || isStillOurs(pid));
      for (const pid of left) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // The process has already ended.
        }
      }
    },
    /** @returns {{ cpuSeconds: number; processes: Record<Role, Use> }} peaks are those of the largest process of each role. */
    stop: () => {
      clearInterval(timer);
      const processes = eachRole(0);
      let sampled = 0;
      for (const { role, cpuSeconds, peakMegabytes } of found.values()) {
        const use = processes[role];
        use.cpuSeconds += cpuSeconds;
        use.peakMegabytes = Math.max(use.peakMegabytes, peakMegabytes);
        sampled += cpuSeconds;
      }
      // Only the samples contain a process that was killed and never waited for.
      return { cpuSeconds: Math.max(sampled, statOf("self").waited - waitedBefore), processes };
    },
  };
}

/** @param {number} pid @returns {Role} */
function roleOf(pid) {
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
  if (command.includes("pulumi-resource-")) return "plugin";
  return command.includes("pulumi-language-") ? "program" : "engine";
}
