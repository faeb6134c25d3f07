/**
 * Draws the resources of a stack, from what `pulumi stack export` prints: `node scripts/picture/resources.mjs NAME < state.json`. Each resource is a row
 * below those that it uses. Equal resources share a row.
 */
import { readFileSync } from "node:fs";
import { themes } from "./terminal.mjs";

/**
 * @typedef {{ urn: string; type: string; parent?: string; provider?: string; dependencies?: string[]; outputs?: Record<string, unknown> }} Resource
 * @typedef {{ names: string[]; type: string; members: string[]; parent: string; uses: string[]; note: string }} Row `members` and `uses` are URNs.
 * @typedef {Row & { depth: number }} Placed
 * @typedef {{ from: number; to: number[]; last: number; color: number | undefined; at: number }} Line between rows. `at` is its lane, counted from the inside.
 */

const [width, height, gap, lane, indent] = [340, 30, 10, 10, 14];
/** Colors of the terminal, by the kind of resource. @type {readonly (readonly [RegExp, number])[]} */
const kinds = [
  [/^Node/, 4],
  [/Database/, 5],
  [/^Domain/, 2],
  [/^Image/, 3],
  [/./, 8],
];
const colorOf = (/** @type {{ type: string }} */ { type }) => kinds.find(([kind]) => kind.test(type))?.[1];

/** @param {Resource} resource */
const isShown = ({ urn, type }) =>
  type !== "pulumi:pulumi:Stack" && !(type.startsWith("pulumi:providers:") && /::default(_.*)?$/.test(urn));

/** The rows of a state, in no order. @param {readonly Resource[]} state @returns {Row[]} */
function rowsOf(state) {
  const shown = state.filter(isShown);
  const known = new Set(shown.map(({ urn }) => urn));
  const uses = (/** @type {Resource} */ { provider = "", dependencies = [] }) =>
    [...new Set([...dependencies, provider.replace(/::[^:]*$/, "")])].filter((urn) => known.has(urn)).sort();
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const resource of shown) {
    const { urn, type, parent = "", outputs = {} } = resource;
    const users = shown.filter((other) => uses(other).includes(urn)).map((other) => other.urn);
    const hasChildren = shown.some((other) => other.parent === urn);
    const key = hasChildren
      ? urn
      : JSON.stringify([type, parent, uses(resource), users.sort(), noteOf(outputs)]);
    const row = rows.get(key) ?? {
      ...{
        names: [],
        type: /^pulumi:providers:/.test(type) ? "Provider" : type.replace(/^.*:/, ""),
        members: [],
      },
      ...{ parent: known.has(parent) ? parent : "", uses: uses(resource), note: noteOf(outputs) },
    };
    row.names.push(urn.replace(/^.*::/, ""));
    row.members.push(urn);
    rows.set(key, row);
  }
  return [...rows.values()].map((row) => ({ ...row, names: row.names.sort() }));
}

/** How many records a set has. A state has many of them as lines. @param {Record<string, unknown>} outputs */
function noteOf({ records }) {
  if (typeof records !== "string" && typeof records !== "object") return "";
  const count = Object.keys(
    typeof records === "string" ? records.trim().split("\n") : (records ?? {}),
  ).length;
  return ` of ${count.toLocaleString("en")}`;
}

/**
 * The rows below a parent, each after those that it uses, and as near to them as can be.
 * @param {readonly Row[]} rows @param {string} parent @param {number} depth @returns {Placed[]}
 */
function ordered(rows, parent = "", depth = 0) {
  /** @type {(row: Row) => Row[]} */
  const family = (row) => [
    row,
    ...rows.filter((other) => row.members.includes(other.parent)).flatMap(family),
  ];
  const left = rows
    .filter((row) => row.parent === parent)
    .map((row) => ({
      row,
      has: family(row).flatMap(({ members }) => members),
      uses: family(row).flatMap(({ uses }) => uses),
    }))
    .sort((a, b) => (calledTogether(a.row.names) < calledTogether(b.row.names) ? -1 : 1));
  /** @type {typeof left} */
  const placed = [];
  const isUsed = (/** @type {string[]} */ has, /** @type {string[]} */ uses) =>
    has.some((urn) => uses.includes(urn));
  while (left.length > 0) {
    const ready = left.filter((one) => !left.some((other) => other !== one && isUsed(other.has, one.uses)));
    const latest = (/** @type {{ uses: string[] }} */ { uses }) =>
      placed.findLastIndex(({ has }) => isUsed(has, uses));
    const [next = left[0]] = ready.sort((a, b) => latest(b) - latest(a));
    if (next === undefined) break;
    left.splice(left.indexOf(next), 1);
    placed.push(next);
  }
  return placed.flatMap(({ row }) => [
    { ...row, depth },
    ...row.members.flatMap((urn) => ordered(rows, urn, depth + 1)),
  ]);
}

/** The lines from rows to those that use them: each has a lane of its own where it passes others. @param {readonly Placed[]} rows */
function lanesOf(rows) {
  const lines = rows.flatMap((row, from) => {
    const to = rows.flatMap(({ uses }, index) =>
      uses.some((urn) => row.members.includes(urn)) ? [index] : [],
    );
    return to.length > 0 ? [{ from, to, last: Math.max(...to), color: colorOf(row), at: 0 }] : [];
  });
  const short = [...lines].sort((a, b) => a.last - a.from - (b.last - b.from) || a.from - b.from);
  for (const line of short) {
    const passes = short
      .slice(0, short.indexOf(line))
      .filter((other) => other.from <= line.last && line.from <= other.last);
    while (passes.some(({ at }) => at === line.at)) line.at++;
  }
  return lines;
}

/** @param {string} name @param {readonly Resource[]} state */
export function drawResources(name, state) {
  const rows = ordered(rowsOf(state));
  const lanes = lanesOf(rows);
  const gutter = lanes.length === 0 ? 10 : 22 + lane * Math.max(...lanes.map(({ at }) => at + 1));
  const left = (/** @type {Placed | undefined} */ row) => gutter + indent * (row?.depth ?? 0);
  const top = (/** @type {number} */ index) => 10 + index * (height + gap);
  const middle = (/** @type {number} */ index) => top(index) + height / 2;
  const total = top(rows.length);
  // What ends at a row is above what begins there, and of the lines that end there, the inner ones are first: then they do not cross.
  const ends = rows.map((_, index) => {
    const arriving = lanes.filter(({ to }) => to.includes(index)).sort((a, b) => a.at - b.at);
    return [...arriving, ...lanes.filter(({ from }) => from === index)];
  });
  const heightOf = (/** @type {number} */ index, /** @type {Line} */ line) => {
    const all = ends[index] ?? [];
    return middle(index) + 8 * (all.indexOf(line) - (all.length - 1) / 2);
  };
  const paths = lanes.map((line) => {
    const { from, to, at, color } = line;
    const x = gutter - 16 - at * lane;
    const [start, y] = [left(rows[from]), heightOf(from, line)];
    const arrows = to.map(
      (index) => `M${x} ${y}V${heightOf(index, line)}H${left(rows[index]) - 1}m-5 -3.5l5 3.5l-5 3.5`,
    );
    return `<path class="c${color} line" d="M${start} ${y}H${x}${arrows.join("")}"/><circle class="c${color}" cx="${start}" cy="${y}" r="3"/>`;
  });
  const boxes = rows.map((row, index) => {
    const [x, y] = [left(row), top(index)];
    const text = (/** @type {string} */ attributes, /** @type {string} */ content) =>
      `<text y="${y + 19.5}" ${attributes}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
    return [
      `<rect class="box" x="${x}" y="${y}" width="${width - x - 10}" height="${height}" rx="5"/>`,
      `<rect class="c${colorOf(row)}" x="${x}" y="${y + 5}" width="4" height="${height - 10}"/>`,
      text(`x="${x + 12}" class="name"`, calledTogether(row.names)),
      text(`x="${width - 20}" class="kind"`, kindOf(row)),
    ].join("");
  });
  const listed = rows.map((row) => `${calledTogether(row.names)} (${kindOf(row)})`).join("; ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" width="${width}" height="${total}" role="img">`,
    `<title>The resources of ${name}: ${listed}</title>`,
    `<style>${variables(themes.light)}@media (prefers-color-scheme:dark){${variables(themes.dark)}}${style}</style>`,
    `<rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${total - 1}" rx="6"/>`,
    ...[...paths, ...boxes],
    "</svg>\n",
  ].join("\n");
}

/** @param {Row} row */
const kindOf = ({ names, type, note }) => `${names.length > 1 ? `${names.length} × ` : ""}${type}${note}`;

/** @param {readonly string[]} names */
const calledTogether = (names) => (names.length > 3 ? `${names[0]} … ${names.at(-1)}` : names.join(", "));

const style = [
  ".paper,.box{fill:var(--paper);stroke:var(--frame)}",
  'text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--c8)}',
  ".name{font-weight:600;font-size:13px;fill:var(--text)}.kind{text-anchor:end}",
  ...kinds.map(([, color]) => `.c${color}{fill:var(--c${color});stroke:var(--c${color})}`),
  ".line{fill:none;stroke-width:1.5}",
].join("");

/** @param {import("./terminal.mjs").Theme} theme */
const variables = ({ paper, frame, text, colors }) =>
  [
    `svg{--paper:${paper};--frame:${frame};--text:${text};`,
    ...kinds.map(([, color]) => `--c${color}:${colors[color]};`),
    "}",
  ].join("");

if (process.argv[1] === import.meta.filename) {
  const { deployment } = JSON.parse(readFileSync(0, "utf8"));
  process.stdout.write(drawResources(process.argv[2] ?? "", deployment.resources));
}
