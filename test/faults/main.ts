/** Runs the cells of `npm run test:faults`: all of them, or the selected ones. */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../helpers/programs";
import { chanceOf, drawn } from "./chance";
import { type Options, type Part, PARTS, type Result } from "./parts";
import { detailsOf, filled, overview, summary } from "./report";

const help = `Usage: npm run test:faults [-- options]

Makes requests, processes and machines fail while the provider works, and checks the objects and the state afterwards. Each part is a
section of docs/reliability.md. All parts take about four hours on two cores, most of them for "reviews".

  --only TEXT     runs the cells whose names contain this text, such as "Node asked same"; can be repeated
  --part NAMES    runs only these parts: ${Object.keys(PARTS).join(",")}
  --sample        runs a random sample of each part, as CI does
  --seed N        sets the seed of the random choices (default: 13)
  --jobs N        sets the number of concurrent cells (default: one per core)
  --backend URL   keeps every other state of the part "fresh" below this URL, such as s3://bucket?endpoint=… (default: in folders)
  --write         writes the results of whole parts to docs/reliability.md
  --help          prints this text

Exit code: 0 if every cell passes, otherwise 1.
`;

const options = {
  only: { type: "string", multiple: true },
  part: { type: "string" },
  sample: { type: "boolean", default: false },
  seed: { type: "string", default: "13" },
  jobs: { type: "string", default: String(cpus().length) },
  backend: { type: "string" },
  write: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const page = join(ROOT, "docs/reliability.md");
const command = "npm run test:faults --";

/** Longer messages repeat themselves. */
const LONGEST = 2_500;

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Run {
  readonly name: string;
  readonly title: string;
  readonly results: readonly Result[];
  readonly seconds: number;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options });
  if (values.help) {
    say(help);
    return 0;
  }
  const settings: Options = {
    seed: Number(values.seed),
    jobs: Number(values.jobs),
    backend: values.backend,
  };
  const wanted = values.part?.split(",") ?? Object.keys(PARTS);
  say(`Seed ${settings.seed}, ${settings.jobs} concurrent cells.`);
  const runs: Run[] = [];
  for (const name of wanted) {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`--part takes ${Object.keys(PARTS).join(", ")}, not ${name}.`);
    const names = chosen(part, settings, values.only ?? [], values.sample);
    if (names.length > 0) runs.push(await runPart(name, part, names, settings));
  }
  const rows = runs.map(({ title, results, seconds }) => [title, results, seconds] as const);
  say(`\n${overview(rows)}`);
  const all = runs.flatMap(({ results }) => results);
  if (all.length === 0) throw new Error("No cell has this name.");
  const isWhole = values.only === undefined && !values.sample;
  if (values.write && !isWhole) throw new Error("--write needs whole parts, without --only and --sample.");
  if (values.write) writePage(runs, settings);
  const failed = all.filter(({ problems }) => problems.length > 0);
  if (failed.length > 0) say("\nFailed. To run a failed cell again:");
  for (const { name } of failed) say(`  ${command} --seed ${settings.seed} --only "${name}"`);
  return failed.length === 0 ? 0 : 1;
}

function chosen(part: Part, settings: Options, only: readonly string[], sample: boolean): readonly string[] {
  const rows = part.cells(settings);
  const names = rows.flat();
  if (only.length > 0) {
    // A complete name selects only that cell, even if other names begin with it.
    const wanted = only.flatMap((text) => {
      return names.includes(text) ? [text] : names.filter((name) => name.includes(text));
    });
    return [...new Set(wanted)];
  }
  return sample ? drawn(rows, part.sample, chanceOf(settings.seed)).flat() : names;
}

async function runPart(name: string, part: Part, names: readonly string[], settings: Options): Promise<Run> {
  say(`\n== ${part.title}: ${names.length} cells`);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const results: Result[] = [];
  const signs = setInterval(
    () => say(`  … ${results.length} of ${names.length} after ${seconds()} s`),
    60_000,
  );
  try {
    await part.run(names, settings, (result) => {
      results.push(result);
      if (result.problems.length === 0) return;
      say(`FAILED ${result.name}`);
      for (const problem of result.problems) say(`    ${problem.slice(0, LONGEST)}`);
    });
  } finally {
    clearInterval(signs);
  }
  say(`\n${detailsOf(results)}`);
  return { name, title: part.title, results, seconds: seconds() };
}

function writePage(runs: readonly Run[], { seed }: Options): void {
  const { version, platform } = process;
  const machine = `Node ${version}, ${platform}, ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores`;
  const texts = runs.map(({ name, results, seconds }) => [
    name,
    `${summary(results, seconds)} (seed ${seed}; ${machine}).\n\n${detailsOf(results)}`.trimEnd(),
  ]);
  writeFileSync(
    page,
    filled(readFileSync(page, "utf8"), Object.fromEntries(texts) as Record<string, string>),
  );
  say(`Wrote ${page}.`);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
