/** Results as Markdown and as plots. Nothing here measures. */
import { fill, table as markdownTable } from "../scripts/generate/docs/markdown.mjs";
import { countOf, floorGoal, floorRatio, listsOf, targets, titleOf } from "./limits.mjs";
import { plot } from "./plot.mjs";
import { latencyMs, mostRecords, subjects } from "./subjects.mjs";

/** @import { Results, Verdict } from "./limits.mjs" */
/** @import { Case, PhaseName } from "./measure.mjs" */

/** @type {Record<PhaseName, string>} */
const titles = {
  create: "create",
  preview: "no-op preview",
  drift: "drift check",
  change: "change one",
  destroy: "destroy",
};
const phaseNames = /** @type {PhaseName[]} */ (Object.keys(titles));

/** @param {number} value */
const whole = (value) => Math.round(value).toLocaleString("en-US");
/** @param {number | undefined} value */
const figure = (value) =>
  value === undefined || !Number.isFinite(value)
    ? "–"
    : value >= 100 || Number.isInteger(value)
      ? whole(value)
      : value.toFixed(value < 10 ? 2 : 1);

/** @param {string[]} head @param {string[][]} rows */
const table = (head, rows) => (rows.length === 0 ? "" : markdownTable([head, ...rows]));

/** @param {Case} of */
const programOf = ({ subject, checkpoints }) =>
  `${subjects[subject].title}${checkpoints ? "" : ", no checkpoints"}`;

/** Sizes first, then programs in the order of their declaration. @param {Case[]} cases */
function inOrder(cases) {
  const names = Object.keys(subjects);
  return [...cases].sort(
    (one, other) =>
      one.size - other.size ||
      names.indexOf(one.subject) - names.indexOf(other.subject) ||
      Number(other.checkpoints) - Number(one.checkpoints),
  );
}

/** Seconds (requests) of each phase. @param {Case[]} cases */
export function overview(cases) {
  const rows = inOrder(cases).map((of) => [
    whole(of.size),
    programOf(of),
    ...phaseNames.map((name) => {
      const phase = of.phases[name];
      return phase === undefined ? "–" : `${figure(phase.seconds)} (${whole(countOf(phase))})`;
    }),
    of.stateBytes === undefined ? "–" : whole(of.stateBytes),
  ]);
  return table(["", "program", ...phaseNames.map((name) => titles[name]), "state, bytes each"], rows);
}

/** The incomplete results, with the reasons. @param {Case[]} cases */
export function gaps(cases) {
  return inOrder(cases)
    .filter(({ incomplete }) => incomplete !== undefined)
    .map((of) => `- ${titleOf(of)}: not finished, ${of.incomplete}`)
    .join("\n");
}

/** Processor time and memory of each process. @param {Case[]} cases */
export function processes(cases) {
  const rows = inOrder(cases).flatMap((of) =>
    phaseNames.flatMap((name) => {
      const phase = of.phases[name];
      if (phase === undefined) return [];
      const uses = [phase.processes.engine, phase.processes.program, phase.processes.plugin, phase.emulator];
      return [
        [
          whole(of.size),
          programOf(of),
          titles[name],
          figure(phase.seconds),
          figure(phase.cpuSeconds),
          ...uses.map(
            ({ cpuSeconds, peakMegabytes }) => `${figure(cpuSeconds)} s, ${figure(peakMegabytes)} MB`,
          ),
        ],
      ];
    }),
  );
  const head = [
    "",
    "program",
    "phase",
    "seconds",
    "CPU",
    "engine",
    "program's process",
    "plugin",
    "emulator",
  ];
  return table(head, rows);
}

/** The requests of each phase by route. @param {Case[]} cases */
export function routes(cases) {
  const rows = inOrder(cases).flatMap((of) =>
    phaseNames.flatMap((name) => {
      const phase = of.phases[name];
      if (phase === undefined || countOf(phase) === 0) return [];
      const counts = Object.entries(phase.requests)
        .sort(([, one], [, other]) => other - one)
        .map(([route, count]) => `${whole(count)} × \`${route.replace("/v4", "")}\``);
      return [[whole(of.size), programOf(of), titles[name], counts.join("<br>")]];
    }),
  );
  return table(["", "program", "phase", "requests"], rows);
}

/** The fastest form of each program at each size: without checkpoints, if measured. @param {Case[]} cases */
function comparable(cases) {
  return cases.filter(
    (of) =>
      !of.subject.endsWith("mixed") &&
      !(
        of.checkpoints &&
        cases.some((other) => !other.checkpoints && other.subject === of.subject && other.size === of.size)
      ),
  );
}

/**
 * How many times longer the naive provider takes. Either both or none of them saved the state at each step.
 * @param {Case[]} cases
 * @param {PhaseName} name
 * @param {Case["subject"]} subject
 */
function ratiosOf(cases, name, subject) {
  const fair = comparable(cases);
  return fair.flatMap((of) => {
    const baseline = fair.find(({ subject: other, size }) => other === "naive" && size === of.size);
    const [ours, theirs] = [of.phases[name], baseline?.phases[name]];
    if (of.subject !== subject || ours === undefined || theirs === undefined) return [];
    return [{ size: of.size, value: theirs.seconds / ours.seconds }];
  });
}

/** @param {Case[]} cases */
export function ratios(cases) {
  const rows = /** @type {const} */ (["single", "set"]).flatMap((subject) => {
    const byPhase = phaseNames.map((name) => ratiosOf(cases, name, subject));
    const sizes = [...new Set(byPhase.flat().map(({ size }) => size))].sort((one, other) => one - other);
    return sizes.map((size) => [
      whole(size),
      subjects[subject].title,
      ...byPhase.map((all) => {
        const found = all.find((point) => point.size === size);
        return found === undefined ? "–" : `× ${figure(found.value)}`;
      }),
    ]);
  });
  return table(["records", "naive provider compared with", ...phaseNames.map((name) => titles[name])], rows);
}

const plain = (/** @type {string} */ title) => title.replaceAll("`", "");
const compared = /** @type {const} */ (["naive", "single", "set"]);
const plotted = phaseNames.filter((name) => name !== "change");

/** @param {Case[]} cases */
export function growthPlot(cases) {
  const fair = comparable(cases);
  return plot({
    title: `Seconds of each phase by number of records, with an API latency of ${latencyMs} ms`,
    across: "records",
    up: "seconds",
    panels: plotted.map((name) => ({
      title: titles[name],
      lines: compared.map((subject) => ({
        name: plain(subjects[subject].title),
        points: fair.flatMap((of) => {
          const phase = of.phases[name];
          return of.subject === subject && phase !== undefined
            ? [{ size: of.size, value: phase.seconds }]
            : [];
        }),
      })),
    })),
  });
}

/** @param {Case[]} cases */
export function ratiosPlot(cases) {
  const lines = (/** @type {Case["subject"]} */ subject) =>
    plotted.map((name) => ({ name: titles[name], points: ratiosOf(cases, name, subject) }));
  return plot({
    title: "How many times longer the naive provider takes, by number of records",
    across: "records",
    up: "times as long",
    panels: /** @type {const} */ (["single", "set"]).map((subject) => ({
      title: `compared with ${plain(subjects[subject].title)}`,
      lines: lines(subject),
    })),
  });
}

/** @param {NonNullable<Results["startUp"]>} startUp */
export function start({ empty, sdk, trivial, ours, set, plugin }) {
  const row = (/** @type {string} */ title, /** @type {{ median: number; all: number[] }} */ times) => [
    title,
    times.median.toFixed(2),
    `${Math.min(...times.all).toFixed(2)} to ${Math.max(...times.all).toFixed(2)}`,
    `× ${(times.median / empty.median).toFixed(2)}`,
    `× ${(times.median / trivial.median).toFixed(2)}`,
  ];
  const titles = ["no-op preview of", "seconds (median)", "range"];
  return table(
    [...titles, "relative to the empty program", "relative to the trivial resource"],
    [
      row("an empty program", empty),
      row("a program that only imports `@pulumi/pulumi`", sdk),
      row("one trivial dynamic resource", trivial),
      row("one `DomainRecord`", ours),
      row("one `DomainRecord`, full plugin", plugin),
      row(titleOf({ subject: "set", size: mostRecords }), set),
    ],
  );
}

/** @param {NonNullable<Results["floor"]>} found */
export function floor({ size, components, records, ratio, cpuRatio }) {
  /** @param {string} title @param {typeof records} cost @param {number[]} ratios */
  const row = (title, { median, all, cpuSeconds }, ratios) => [
    title,
    median.toFixed(2),
    `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`,
    cpuSeconds.toFixed(2),
    ...ratios.map((one) => `× ${one.toFixed(2)}`),
  ];
  const isMet = floorRatio({ ratio, cpuRatio }) <= floorGoal;
  const goal = `The goal of × ${floorGoal.toFixed(2)} for both ratios is ${isMet ? "met" : "missed"}.`;
  const rows = table(
    ["no-op preview of", "seconds (median)", "range", "CPU", "ratio of seconds", "ratio of CPU"],
    [
      row(`${whole(size)} component resources, no provider`, components, [1, 1]),
      row(titleOf({ subject: "plugin-single", size }), records, [ratio, cpuRatio]),
    ],
  );
  return `${rows}\n\n${goal}`;
}

/** @param {NonNullable<Results["engineLimits"]>} limits */
export function engineLimits({ size, rows }) {
  const cells = rows.map(({ what, command, seconds, cpuSeconds, peakMegabytes }) => [
    what,
    `\`${command}\``,
    figure(seconds),
    figure(cpuSeconds),
    `${figure(peakMegabytes)} MB`,
  ]);
  return table([`${whole(size)} records`, "command", "seconds", "CPU", "largest process"], cells);
}

/** @param {NonNullable<Results["fleet"]>} fleet */
export function fleet({ stacks, one, all, files, shard, merged, exported, refreshed, machine }) {
  const row = (/** @type {string} */ what, /** @type {import("./fleet.mjs").Run | undefined} */ run) => {
    if (run === undefined) return [];
    const { engine, program, plugin } = run.processes;
    return [
      [
        what,
        `${run.stacks}`,
        figure(run.seconds),
        figure(run.seconds / run.stacks),
        figure(run.cpuSeconds),
        what.includes("nodecloud") ? figure(program.cpuSeconds) : "–",
        `${figure(Math.max(engine.peakMegabytes, program.peakMegabytes, plugin.peakMegabytes))} MB`,
        `${whole(countOf(run))} (${whole(listsOf(run))})`,
      ],
    ];
  };
  const head = [
    `${whole(stacks)} stacks in the account`,
    "stacks",
    "seconds",
    "seconds each",
    "CPU",
    "CPU of nodecloud itself",
  ];
  const rows = [
    ...row("`nodecloud drift --stack`", one),
    ...row("`nodecloud drift --all`", all),
    ...row("`nodecloud drift --states`", files),
    ...row("`nodecloud drift --states --shard 1/4`", shard),
    ...row("`nodecloud drift --merge`", merged),
    ...row("`pulumi stack export --show-secrets`, one after the other", exported),
    ...row("`pulumi refresh --preview-only`, one after the other", refreshed),
  ];
  return `${table([...head, "largest process", "requests (of them lists)"], rows)}\n\n${machine}`;
}

/** @param {NonNullable<Results["bucket"]>} bucket */
export function bucket({ size, runs, machine }) {
  const rows = runs.map(({ program, seconds, records, writes, bytes }) => [
    subjects[program].title,
    records === size ? figure(seconds) : `stopped after ${figure(seconds)}`,
    whole(records),
    whole(writes),
    figure(bytes / 1e6),
  ]);
  const head = [`${whole(size)} records, \`pulumi up\``, "seconds", "records made", "writes", "MB sent"];
  return `${table(head, rows)}\n\n${machine}`;
}

/** @param {Verdict[]} all */
export function verdicts(all) {
  const rows = all.map(({ what, found, allowed, unit, isMet }) => [
    what,
    `${figure(found)} ${unit}`,
    `${figure(allowed)} ${unit}`,
    isMet ? "met" : "MISSED",
  ]);
  return table(["target", "measured", "limit", ""], rows);
}

/**
 * The parts of docs/performance.md and bench/results.md with results, by their markers. A part without results is omitted.
 * @param {Results} results
 * @returns {Record<string, string>}
 */
export function parts(results) {
  const { cases, startUp, engineLimits: limits, fleet: stacks, machine } = results;
  /** @type {Record<string, string>} */
  const found = { machine };
  if (cases.length > 0) {
    found["overview"] = [overview(cases), gaps(cases)].filter((part) => part !== "").join("\n\n");
    found["ratios"] = ratios(cases);
    found["processes"] = processes(cases);
    found["routes"] = routes(cases);
  }
  if (startUp !== undefined) found["start"] = start(startUp);
  if (results.floor !== undefined) found["floor"] = floor(results.floor);
  if (limits !== undefined) found["engine-limits"] = engineLimits(limits);
  if (stacks !== undefined) found["fleet"] = fleet(stacks);
  if (results.bucket !== undefined) found["bucket"] = bucket(results.bucket);
  const judged = targets(results);
  if (judged.length > 0) found["targets"] = verdicts(judged);
  return Object.fromEntries(Object.entries(found).filter(([, part]) => part !== ""));
}

/**
 * Puts each part between its markers, which one of the pages has.
 * @param {readonly string[]} pages
 * @param {Record<string, string>} found
 */
export const filled = (pages, found) =>
  Object.entries(found).reduce(
    (filling, [name, part]) => {
      const at = filling.findIndex((page) => page.includes(`<!-- ${name}:begin -->`));
      return filling.with(at, fill(filling[at] ?? "", "a page of results", name, `\n${part}\n`));
    },
    [...pages],
  );
