/** Measures the effect of engine settings on a program with many single resources. */
import { commands, middleOf, withStack } from "./measure.mjs";
import { subjects } from "./subjects.mjs";

/** @typedef {import("./measure.mjs").Setting} Measurement */
/**
 * @typedef {object} Setting
 * @property {string} what
 * @property {string} command
 * @property {number} seconds the median of the runs.
 * @property {number} cpuSeconds of all processes of the engine, in that run.
 * @property {number} peakMegabytes of the largest process.
 */

const create = commands.create;
const rounds = 3;

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string[]} args
 * @property {Record<string, string>} [env]
 * @property {"index.js" | "index.ts"} [main]
 * @property {"create" | "look"} kind a creation is destroyed before the next one. A row that only looks is measured several times.
 * @property {number} [share] the share of the records in the program.
 */

/** @type {Row[]} */
const rows = [
  { what: "create, default", args: create, kind: "create" },
  { what: "create, one at a time", args: [...create, "--parallel", "1"], kind: "create" },
  { what: "create, 64 at a time", args: [...create, "--parallel", "64"], kind: "create" },
  { what: "create, after a preview", args: ["up", "--yes"], kind: "create" },
  {
    what: "create, without state backups",
    args: create,
    env: { PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true" },
    kind: "create",
  },
  {
    what: "create, compressed state",
    args: create,
    env: { PULUMI_DIY_BACKEND_GZIP: "true" },
    kind: "create",
  },
  {
    what: "create, state saved only at the end",
    args: create,
    env: { PULUMI_SKIP_CHECKPOINTS: "true" },
    kind: "create",
  },
  { what: "create, a quarter of the records", args: create, kind: "create", share: 0.25 },
  { what: "preview, default", args: commands.preview, kind: "look" },
  {
    what: "preview, parallel diffs",
    args: commands.preview,
    env: { PULUMI_PARALLEL_DIFF: "true" },
    kind: "look",
  },
  { what: "preview of one resource", args: [...commands.preview, "--target", "**::record-1"], kind: "look" },
  { what: "preview, with a refresh", args: [...commands.preview, "--refresh"], kind: "look" },
  {
    what: "preview, without stack traces in the program",
    args: commands.preview,
    env: { NODE_OPTIONS: "--stack-trace-limit=0" },
    kind: "look",
  },
  { what: "preview, TypeScript program", args: commands.preview, main: "index.ts", kind: "look" },
  {
    what: "preview, TypeScript program without type checking",
    args: commands.preview,
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    main: "index.ts",
    kind: "look",
  },
  { what: "drift check, default", args: commands.drift, kind: "look" },
  { what: "drift check, one at a time", args: [...commands.drift, "--parallel", "1"], kind: "look" },
  { what: "drift check, 64 at a time", args: [...commands.drift, "--parallel", "64"], kind: "look" },
];

/** @param {number} size @param {Measurement} setting @param {(found: Setting) => void} keep */
export function measureEngineLimits(size, setting, keep) {
  return withStack(setting, async ({ stack, domainId }) => {
    const quickly = { PULUMI_SKIP_CHECKPOINTS: "true" };
    const write = (/** @type {number} */ count, /** @type {string} */ main) => {
      stack.write("package.json", JSON.stringify({ name: "bench", main }));
      const text = subjects.single.program(count, { domainId });
      stack.write(main, main.endsWith(".ts") ? inTypeScript(text) : text);
    };
    let there = 0;
    for (const { what, args, env = {}, main = "index.js", kind, share = 1 } of rows) {
      if (there > 0 && kind === "create") await stack.pulumi(commands.destroy, quickly);
      if (there !== size && kind === "look") {
        write(size, "index.js");
        await stack.pulumi(create, quickly);
      }
      const count = Math.round(size * share);
      write(count, main);
      const runs = [];
      for (let round = 0; round < (kind === "create" ? 1 : rounds); round++)
        runs.push(await stack.pulumi(args, env));
      there = kind === "create" ? count : size;
      const { seconds, cpuSeconds, processes } = middleOf(runs, (run) => run.seconds);
      const peakMegabytes = Math.max(...Object.values(processes).map((use) => use.peakMegabytes));
      keep({ what, command: commandOf(args, env), seconds, cpuSeconds, peakMegabytes });
      setting.tell(`  ${what}: ${seconds.toFixed(1)} s`);
    }
  });
}

/** @param {string} text of a program in JavaScript. */
const inTypeScript = (text) =>
  text
    .replaceAll(/const (\w+) = require\((".*?")\);/g, "import * as $1 from $2;")
    .replace('type: "A"', 'type: "A" as const');

/** @param {string[]} args @param {Record<string, string>} env */
function commandOf(args, env) {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...settings, "pulumi", ...args].join(" ");
}
