import { performance } from "node:perf_hooks";
import { json, forgetRequests, requestsOf, startEmulator } from "./emulator-process.mjs";
import { countOf } from "./limits.mjs";
import { memoryOf, secondsOf } from "./processes.mjs";
import { makeStack, OutOfTime } from "./stack.mjs";
import { latencyMs, startPrograms, subjects } from "./subjects.mjs";

/** @typedef {import("./emulator-process.mjs").Emulator} Emulator */
/** @typedef {import("./stack.mjs").Measured} Measured */
/** @typedef {import("./stack.mjs").Stack} Stack */
/** @typedef {import("./subjects.mjs").SubjectName} SubjectName */

/** @typedef {"create" | "preview" | "drift" | "change" | "destroy"} PhaseName */
/** @typedef {Measured & { requests: Record<string, number>; emulator: { cpuSeconds: number; peakMegabytes: number } }} Phase */
/**
 * @typedef {object} Case
 * @property {SubjectName} subject
 * @property {number} size
 * @property {boolean} checkpoints whether the engine saved its state at each step.
 * @property {Partial<Record<PhaseName, Phase>>} phases
 * @property {number} [stateBytes] for each record or resource.
 * @property {number} [latencyMs] the time until an answer, for a plain client that sends one request after the other.
 * @property {string} [incomplete] why phases are missing.
 */
/** @typedef {{ median: number; all: number[] }} Times Seconds of previews. */
/** @typedef {Record<keyof typeof startPrograms, Times>} StartUp */
/** @typedef {{ engine: Record<string, string>; patienceSeconds: number; tell: (line: string) => void }} Setting */

/** The commands of the phases, in their order. @type {Record<PhaseName, string[]>} */
export const commands = {
  create: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  drift: ["refresh", "--preview-only", "--expect-no-changes"],
  change: ["up", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

export const phaseNames = /** @type {PhaseName[]} */ (Object.keys(commands));

const stackName = "bench";
/** A project whose programs find the plugin. */
export const project =
  "runtime: nodejs\nplugins: { providers: [{ name: nodecloud, path: node_modules/.bin }] }\n";
/** At this speed, nodes and databases are ready after about 200 ms. */
const speed = 6000;

/**
 * @template Result
 * @param {Setting} setting
 * @param {(place: { emulator: Emulator; stack: Stack; domainId: number }) => Promise<Result>} work
 */
export async function withStack(
  { engine, patienceSeconds },
  work,
  { name = stackName, yaml = project, version = /** @type {string | undefined} */ (undefined) } = {},
) {
  const emulator = await startEmulator(["--speed", String(speed), "--latency", String(latencyMs)]);
  const stack = makeStack({
    engine,
    baseUrl: emulator.url,
    patienceSeconds,
    ...(version === undefined ? {} : { version }),
  });
  try {
    // For programs that declare no domain.
    const body = { domain: "given.example", type: "master", soa_email: "dns@example.org" };
    const { id } = await json(`${emulator.url}/domains`, body);
    await stack.init({ name, yaml });
    return await work({ emulator, stack, domainId: id });
  } finally {
    stack.remove();
    await emulator.stop();
  }
}

/**
 * @param {Emulator} emulator
 * @param {() => Promise<Measured>} run
 * @returns {Promise<Phase>}
 */
export async function withRequests(emulator, run) {
  await forgetRequests(emulator);
  const before = secondsOf(emulator.pid);
  const measured = await run();
  const cpuSeconds = secondsOf(emulator.pid) - before;
  const counts = await requestsOf(emulator);
  const requests = Object.fromEntries(
    Object.entries(counts).filter(([route]) => !route.includes("/_emulator")),
  );
  return { ...measured, requests, emulator: { cpuSeconds, peakMegabytes: memoryOf(emulator.pid).peak } };
}

/** @param {boolean} checkpoints @returns {Record<string, string>} */
export const checkpointing = (checkpoints) => (checkpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "true" });

/**
 * All phases of one program.
 * @param {SubjectName} subject
 * @param {number} size
 * @param {boolean} checkpoints
 * @param {Setting} setting
 * @returns {Promise<Case>}
 */
export function measureCase(subject, size, checkpoints, setting) {
  const { program, unit } = subjects[subject];
  return withStack(setting, async ({ emulator, stack, domainId }) => {
    /** @type {Case} */
    const result = { subject, size, checkpoints, phases: {}, latencyMs: await latencyOf(emulator) };
    const settings = checkpointing(checkpoints);
    let patience = setting.patienceSeconds;
    stack.write("disk.img", "a disk image of a few bytes");
    // Do not count the domain and the engine's own entries.
    stack.write("index.js", program(0, { domainId }));
    await stack.pulumi(commands.create, settings);
    const bytesBefore = stack.stateBytes(stackName);

    for (const name of phaseNames) {
      stack.write("index.js", program(size, { domainId, isChanged: name === "change" }));
      try {
        const phase = await withRequests(emulator, () => stack.pulumi(commands[name], settings, patience));
        result.phases[name] = phase;
        // All phases of the naive provider share this limit.
        if (subject === "naive") patience = Math.max(1, patience - phase.seconds);
        setting.tell(`  ${name}: ${phase.seconds.toFixed(1)} s, ${countOf(phase)} requests`);
        if (name === "create") {
          result.stateBytes = (stack.stateBytes(stackName) - bytesBefore) / size;
          if (unit === "record") await expectRecords(emulator, size);
        }
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error;
        const whole = subject === "naive" ? " for all phases together" : "";
        result.incomplete = `${name}: more than ${setting.patienceSeconds} s${whole}`;
        setting.tell(`  ${result.incomplete}`);
        break;
      }
    }
    return result;
  });
}

/** @param {Emulator} emulator */
async function latencyOf(emulator) {
  const times = [];
  for (let asked = 0; asked < 50; asked++) {
    const started = performance.now();
    await json(`${emulator.url}/domains`);
    times.push(performance.now() - started);
  }
  return median(times);
}

/**
 * Fails if a phase did not do its work, because its results would be wrong.
 * @param {Emulator} emulator
 * @param {number} expected
 */
async function expectRecords(emulator, expected) {
  const { data } = await json(`${emulator.url}/domains`);
  let found = 0;
  for (const { id } of data)
    found += (await json(`${emulator.url}/domains/${id}/records?page_size=25`)).results;
  if (found !== expected) throw new Error(`The account has ${found} records instead of ${expected}.`);
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = sorted.slice(Math.max(0, middle - 1), middle + 1);
  if (sorted.length === 1) return low;
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}

/**
 * Measures previews without changes in turns, so that other load on the machine affects all programs.
 * @param {number} rounds
 * @param {Setting} setting
 * @returns {Promise<StartUp>}
 */
export function measureStart(rounds, setting) {
  return withStack(setting, async ({ stack, domainId }) => {
    const names = /** @type {(keyof typeof startPrograms)[]} */ (Object.keys(startPrograms));
    for (const name of names) {
      await stack.init({ name, yaml: project });
      stack.write("index.js", startPrograms[name](domainId));
      await stack.pulumi([...commands.create, "--stack", name]);
    }
    /** @type {Record<string, number[]>} */
    const seconds = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const name of names) {
        stack.write("index.js", startPrograms[name](domainId));
        const { seconds: taken } = await stack.pulumi([...commands.preview, "--stack", name]);
        // The first round warms the caches of the file system.
        if (round > 0) seconds[name]?.push(taken);
      }
      setting.tell(`  round ${round} of ${rounds}`);
    }
    const times = names.map((name) => [name, { median: median(seconds[name] ?? []), all: seconds[name] }]);
    return Object.fromEntries(times);
  });
}
