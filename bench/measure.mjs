import { performance } from "node:perf_hooks";
import { json, forgetRequests, requestsOf, startEmulator } from "./emulator-process.mjs";
import { countOf } from "./limits.mjs";
import { memoryOf, secondsOf } from "./processes.mjs";
import { makeStack, OutOfTime } from "./stack.mjs";
import { latencyMs, startPrograms, subjects } from "./subjects.mjs";

/** @import { Emulator } from "./emulator-process.mjs" */
/** @import { Measured, Stack } from "./stack.mjs" */
/** @import { SubjectName } from "./subjects.mjs" */

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

/** @param {Emulator} emulator @param {() => Promise<Measured>} run @returns {Promise<Phase>} */
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

/** Fails if a phase did not do its work, because its results would be wrong. @param {Emulator} emulator @param {number} expected */
async function expectRecords(emulator, expected) {
  const { data } = await json(`${emulator.url}/domains`);
  let found = 0;
  for (const { id } of data)
    found += (await json(`${emulator.url}/domains/${id}/records?page_size=25`)).results;
  if (found !== expected) throw new Error(`The account has ${found} records instead of ${expected}.`);
}

/**
 * The item in the middle, in the order of a figure.
 * @template Item
 * @param {readonly Item[]} items @param {(item: Item) => number} by
 */
export const middleOf = (items, by) =>
  /** @type {Item} */ (items.toSorted((one, other) => by(one) - by(other))[Math.floor(items.length / 2)]);

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = NaN, high = NaN] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return (low + high) / 2;
}

/**
 * Measures in turns, so that other load on the machine affects all. The order alternates, because a later one may find a busier machine.
 * @template {string} Name
 * @template Result
 * @param {readonly Name[]} names @param {number} rounds after one that warms the caches of the file system.
 * @param {(name: Name) => Promise<Result>} run @param {(line: string) => void} [tell]
 */
export async function inTurns(names, rounds, run, tell) {
  /** @type {any} */
  const empty = Object.fromEntries(names.map((name) => [name, []]));
  /** @type {Record<Name, Result[]>} */
  const found = empty;
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await run(name);
      if (round > 0) found[name].push(result);
    }
    tell?.(`  round ${round} of ${rounds}`);
  }
  return found;
}

/** The median of the ratios of all rounds. @param {readonly number[]} ones @param {readonly number[]} others */
export const ratioOf = (ones, others) => median(ones.map((one, round) => one / (others[round] ?? NaN)));

/**
 * Measures previews without changes of programs, each in a stack of its own.
 * @template {string} Name
 * @param {Readonly<Record<Name, string>>} programs @param {number} rounds @param {Stack} stack
 * @param {Setting["tell"]} tell @param {Record<string, string>} [settings] the environment of the creations.
 */
export async function previews(programs, rounds, stack, tell, settings) {
  const names = /** @type {Name[]} */ (Object.keys(programs));
  for (const name of names) {
    await stack.init({ name, yaml: project });
    stack.write("index.js", programs[name]);
    await stack.pulumi([...commands.create, "--stack", name], settings);
  }
  const preview = (/** @type {Name} */ name) => {
    stack.write("index.js", programs[name]);
    return stack.pulumi([...commands.preview, "--stack", name]);
  };
  return inTurns(names, rounds, preview, tell);
}

/** @param {number} rounds @param {Setting} setting @returns {Promise<StartUp>} */
export function measureStart(rounds, setting) {
  return withStack(setting, async ({ stack, domainId }) => {
    const programs = Object.entries(startPrograms).map(([name, program]) => [name, program(domainId)]);
    const found = await previews(Object.fromEntries(programs), rounds, stack, setting.tell);
    const times = Object.entries(found).map(([name, measured]) => {
      const all = measured.map(({ seconds }) => seconds);
      return [name, { median: median(all), all }];
    });
    return Object.fromEntries(times);
  });
}
