/** The limits for the results. Nothing here measures. */
import { bothWays, concurrency, latencyMs, mostRecords, subjects } from "./subjects.mjs";

/** @import { Check } from "./check.mjs" */
/** @import { Fleet } from "./fleet.mjs" */
/** @import { Floor } from "./floor.mjs" */
/** @import { Case, Phase, PhaseName, StartUp } from "./measure.mjs" */
/** @typedef {import("./engine-limits.mjs").Setting} EngineSetting */
/**
 * @typedef {object} Results
 * @property {string} machine
 * @property {Case[]} cases
 * @property {StartUp} [startUp]
 * @property {Floor} [floor]
 * @property {Check} [check]
 * @property {{ size: number; rows: EngineSetting[] }} [engineLimits]
 * @property {Fleet & { machine: string }} [fleet]
 * @property {import("./bucket.mjs").Bucket & { machine: string }} [bucket]
 */
/** @typedef {{ what: string; found: number; allowed: number; unit: string; isMet: boolean }} Verdict */

/** Whether a result depends on the speed and load of the machine. @param {Verdict} verdict */
export const isOfTime = ({ unit }) => unit === "s" || unit === "×";

/** @param {Pick<Phase, "requests">} phase @returns {number} its requests on all routes. */
export const countOf = ({ requests }) => Object.values(requests).reduce((sum, count) => sum + count, 0);

/** The requests for lists. The others read one object. @param {Pick<Phase, "requests">} phase */
export const listsOf = ({ requests }) =>
  countOf({
    requests: Object.fromEntries(Object.entries(requests).filter(([route]) => !route.endsWith("/:id"))),
  });

/** @param {string} what @param {number} found @param {number} allowed @returns {Verdict} */
const atMost = (what, found, allowed, unit = "requests") => ({
  what,
  found,
  allowed,
  unit,
  isMet: found <= allowed,
});

/** The program of a subject, whichever way serves it. @param {Case["subject"]} subject */
const programOf = (subject) => subject.replace("plugin-", "");

/** @param {Pick<Case, "subject" | "size">} of */
export const titleOf = ({ subject, size }) =>
  programOf(subject) === "mixed"
    ? `${size.toLocaleString("en-US")} ${subjects[subject].title}`
    : `${size.toLocaleString("en-US")} records, ${subjects[subject].title}`;

/** The number of resources: records, and the domain if the program declares it. @param {Case} of */
function resourcesOf({ subject, size }) {
  const program = programOf(subject);
  return program === "set" ? 2 : program === "single" ? size + 1 : size;
}

/** Compares what was measured with the targets of a full run. @param {Results} results @returns {Verdict[]} */
export function targets({ cases, startUp, check, fleet }) {
  const ours = cases.filter(({ subject }) => subject !== "naive");
  const verdicts = [...ours.flatMap(driftTargets), ...pluginTargets(cases)];
  const largeSet = cases.find(({ subject, size }) => subject === "set" && size === mostRecords);
  if (largeSet !== undefined) verdicts.push(...setTargets(largeSet));
  if (startUp !== undefined) {
    const { empty, trivial, ours, set, plugin } = startUp;
    const [full, one] = [set.median / empty.median, ours.median / trivial.median];
    const what = `preview of ${titleOf({ subject: "set", size: mostRecords })}, relative to an empty program`;
    verdicts.push(atMost(what, full, 2, "×"));
    verdicts.push(
      atMost("preview of one `DomainRecord`, relative to one trivial dynamic resource", one, 1.1, "×"),
    );
    const served = plugin.median / ours.median;
    const turns = "preview of one `DomainRecord` of the full plugin, relative to a dynamic one, in turns";
    verdicts.push(atMost(turns, served, 1.05, "×"));
  }
  if (check !== undefined) {
    const what = `\`nodecloud check\` of ${check.mistakes} mistakes, relative to the preview without them`;
    verdicts.push(atMost(what, check.ratio, 1.2, "×"));
  }
  if (fleet !== undefined) verdicts.push(...fleetTargets(fleet));
  return verdicts;
}

/** @param {Fleet} fleet @returns {Verdict[]} */
export function fleetTargets({ stacks, deleted, one, all, files, refreshed }) {
  const title = `\`nodecloud drift\` of ${stacks} stacks`;
  const verdicts = [
    atMost(
      `lists for ${title}; the limit is what one stack of the account needs`,
      listsOf(all),
      listsOf(one),
    ),
    atMost(
      `largest process of ${title} with \`--states\``,
      files.processes.program.peakMegabytes,
      1_000,
      "MB",
    ),
    // An object that its list lacks is read twice.
    atMost(`all requests for ${title}, ${deleted} deleted object`, countOf(all), countOf(one) + 2 * deleted),
  ];
  if (refreshed !== undefined) {
    const ratio = all.seconds / stacks / (refreshed.seconds / refreshed.stacks);
    verdicts.push(
      atMost(`time per stack of ${title}, relative to \`pulumi refresh --preview-only\``, ratio, 0.5, "×"),
    );
  }
  return verdicts;
}

/** The highest ratios of the floor that we aim at. It is a goal and not a target: a run that misses it does not fail. */
export const floorGoal = 1.1;

/**
 * The ratio that the goal is about: the larger one. On a busy machine the seconds flatter the plugin, because its process gets a share of its own.
 * @param {Pick<Floor, "ratio" | "cpuRatio">} floor
 */
export const floorRatio = ({ ratio, cpuRatio }) => Math.max(ratio, cpuRatio);

/** The largest allowed ratio of the plugin's time to that of dynamic resources. Two runs of the same differ by this much. */
const mostTimes = 1.1;

/**
 * Compares the full plugin with the dynamic resources of the same program and size, phase by phase.
 * @param {readonly Case[]} cases
 * @returns {Verdict[]}
 */
function pluginTargets(cases) {
  return bothWays.flatMap((program) =>
    cases
      .filter(({ subject }) => subject === `plugin-${program}`)
      .flatMap((of) => {
        const { size, checkpoints, phases, stateBytes } = of;
        const other = cases.find(
          (one) => one.subject === program && one.size === size && one.checkpoints === checkpoints,
        );
        const names = /** @type {PhaseName[]} */ (Object.keys(phases));
        const verdicts = names.flatMap((name) => {
          const [mine, dynamic] = [phases[name], other?.phases[name]];
          if (mine === undefined || dynamic === undefined) return [];
          const what = `${name} of ${titleOf(of)}${checkpoints ? "" : ", no checkpoints"}, relative to dynamic resources`;
          return [atMost(what, mine.seconds / dynamic.seconds, mostTimes, "×")];
        });
        if (program === "single" && stateBytes !== undefined)
          verdicts.push(atMost(`state of ${titleOf(of)}`, stateBytes, 2200, "bytes per record"));
        return verdicts;
      }),
  );
}

/** @param {Case} of @returns {Verdict[]} */
function driftTargets(of) {
  const { drift } = of.phases;
  const program = programOf(of.subject);
  if (drift === undefined || program === "set") return [];
  const large = program === "single" && of.size === mostRecords ? 60 : Infinity;
  const allowed = Math.min(resourcesOf(of) + 1, program === "mixed" && of.size === 200 ? 20 : large);
  return [atMost(`drift check of ${titleOf(of)}`, countOf(drift), allowed)];
}

/**
 * @param {Case} of with the maximum number of records of a domain.
 * @returns {Verdict[]}
 */
function setTargets(of) {
  const { phases, stateBytes } = of;
  const title = titleOf(of);
  /** @type {Verdict[]} */
  const verdicts = [];
  if (phases.drift !== undefined) verdicts.push(atMost(`drift check of ${title}`, countOf(phases.drift), 30));
  if (stateBytes !== undefined)
    verdicts.push(atMost(`state of ${title}`, stateBytes, 250, "bytes per record"));
  if (phases.create !== undefined) {
    // A client also waits for the emulator's timer, the network and the answer itself.
    const latency = of.latencyMs ?? latencyMs;
    const least = (countOf(phases.create) * latency) / 1000 / concurrency;
    const what = `creation of ${title}, with a latency of ${latency.toFixed(1)} ms`;
    verdicts.push(atMost(what, phases.create.seconds, 1.3 * least, "s"));
  }
  const peaks = Object.values(phases).flatMap(({ processes }) =>
    Object.values(processes).map(({ peakMegabytes }) => peakMegabytes),
  );
  return [...verdicts, atMost(`peak memory of any process, ${title}`, Math.max(...peaks), 400, "MB")];
}

/** The cases of --quick, with the limits for their requests in each phase and their bytes of state. */
/** @type {{ subject: Case["subject"]; size: number; requests: Record<PhaseName, number>; stateBytes: number }[]} */
export const quick = [
  {
    subject: "single",
    size: 100,
    // A creation lists the records once. A change and a deletion read the records that they change.
    requests: { create: 102, preview: 0, drift: 6, change: 3, destroy: 202 },
    stateBytes: 4000,
  },
  {
    subject: "set",
    size: 1000,
    requests: { create: 1010, preview: 0, drift: 10, change: 10, destroy: 1010 },
    stateBytes: 250,
  },
  {
    subject: "mixed",
    size: 20,
    requests: { create: 80, preview: 0, drift: 15, change: 5, destroy: 70 },
    stateBytes: 4600,
  },
];

/** How many stacks a --quick run has. */
export const quickStacks = 5;

/** Compares a --quick run with its limits, which are never times. @param {Case[]} cases @returns {Verdict[]} */
export function quickLimits(cases) {
  return cases.flatMap((of) => {
    const limit = quick.find(({ subject, size }) => subject === of.subject && size === of.size);
    if (limit === undefined) return [];
    const phases = /** @type {[PhaseName, Phase][]} */ (Object.entries(of.phases));
    const verdicts = phases.map(([name, phase]) =>
      atMost(`${name} of ${titleOf(of)}`, countOf(phase), limit.requests[name]),
    );
    const unit = `bytes per ${subjects[of.subject].unit}`;
    return [...verdicts, atMost(`state of ${titleOf(of)}`, of.stateBytes ?? NaN, limit.stateBytes, unit)];
  });
}
