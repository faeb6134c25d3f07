/** The changes in each resource's page that lose data, interrupt a service, replace or delete, from what previews and reports say of them. */
import { stemOf } from "../load.mjs";
import { code, part, series, table } from "./markdown.mjs";

/** @import { Leaf } from "../../../src/provider/describe/fields.js" */
/** @import { Sources } from "../load.mjs" */
/** @typedef {{ change: string; classes: readonly string[]; lines: readonly string[] }} Row */

/** The classes in the order of docs/guard.md. */
const CLASSES = ["data-loss", "interruption", "replacement", "deletion"];

const INTRODUCTION =
  "The classes are those of [`nodecloud report`](../report.md) and [`nodecloud:deny`](../guard.md). The preview shows what an update or a replacement loses, " +
  "and which services an update interrupts. For a deletion the engine asks no provider: only the report shows what is lost.";

/** @param {Sources} sources */
export const effectPages = (sources) => {
  const all = Object.values(sources.descriptions);
  const links = all.map(({ type }) => `[${code(type)}](resources/${stemOf(type)}.md#effects-of-changes)`);
  return [
    ...all.map((description) =>
      part(
        `docs/resources/${stemOf(description.type)}.md`,
        "effects",
        `${INTRODUCTION}\n\n${effectsTable(description, sources)}`,
      ),
    ),
    part("docs/report.md", "effects", `${series(links)}.`),
  ];
};

/** @param {any} description @param {Sources} sources */
function effectsTable(description, sources) {
  const rows = "item" in description ? rowsOfSet(description, sources) : rowsOfOne(description, sources);
  return table([
    ["Change", "Class", "What happens"],
    ...rows.map(({ change, classes, lines }) => [
      change,
      CLASSES.filter((name) => classes.includes(name))
        .map(code)
        .join(", ") || "none",
      lines.map(sentence).join(" ").replaceAll("|", "\\|"),
    ]),
  ]);
}

/** @param {string} line */
const sentence = (line) => `${line.slice(0, 1).toUpperCase()}${line.slice(1)}.`;

/** @param {any} description @param {Sources} sources @returns {Row[]} */
function rowsOfSet({ noun, item, property, forms, exclusive, scope, fields }, { texts }) {
  const widening = [
    exclusive,
    ...scope.filter((/** @type {string} */ path) => fields[path].change === "update"),
  ];
  return [
    { change: "Deletion", classes: ["deletion"], lines: [`the ${property} of the ${noun} are deleted`] },
    {
      change: "Replacement",
      classes: ["interruption", "replacement"],
      lines: [`the ${property} of the ${noun} are deleted`, texts.DELETED_FIRST],
    },
    {
      change: `A change of ${anyOf(forms)}`,
      classes: ["deletion"],
      lines: [`each ${item.noun} that the ${noun} no longer declares is deleted`],
    },
    {
      change: `With ${code(`${exclusive}: true`)}: creation, a change of ${anyOf(widening)}, or an update after a refresh`,
      classes: ["deletion"],
      lines: [`each ${item.noun} that the ${noun} covers and does not declare is deleted`],
    },
  ];
}

/** @param {any} description @param {Sources} sources @returns {Row[]} */
function rowsOfOne(description, sources) {
  const leaves = sources.fields.leavesOf(description.fields);
  return [
    deletion(description),
    ...replacements(description, leaves, sources),
    ...creations(description, sources),
    ...updates(description, leaves, sources),
  ];
}

/** @param {any} description @returns {Row} */
function deletion({ noun, lossOfData, lostByDeletion = lossOfData, undeletable }) {
  if (undeletable !== undefined)
    return { change: "Deletion", classes: [], lines: [staying(noun, undeletable)] };
  return lostByDeletion === undefined
    ? { change: "Deletion", classes: ["deletion"], lines: [`the ${noun} is deleted`] }
    : { change: "Deletion", classes: ["data-loss", "deletion"], lines: [lostByDeletion] };
}

/** @param {string} noun @param {string} reason */
const staying = (noun, reason) => `the ${noun} stays in the account: ${reason}`;

/** @param {any} description @param {readonly Leaf[]} leaves @param {Sources} sources @returns {Row[]} */
function replacements(description, leaves, { lossOfReplacement, texts, fields }) {
  const { deleteFirst = false, unique, overwrites } = description;
  const asked = leaves.filter(({ replaceReason }) => replaceReason !== undefined);
  /** @param {any[]} changed */
  const lossBy = (changed) => lossOfReplacement(description, changed);
  const loss = lossBy([]) ?? (overwrites && overwriting(description, fields));
  const askedLoss = lossBy(asked.map((leaf) => ({ leaf, change: "replace" })));
  const first = replacement("Replacement", description, loss, deleteFirst ? [texts.DELETED_FIRST] : []);
  const inputs = anyOf(asked.map(({ path }) => path));
  return [
    first,
    ...(deleteFirst || unique === undefined
      ? []
      : [
          replacement(
            `Replacement, if the program sets ${code(unique)} and keeps its value`,
            description,
            loss,
            [`${texts.DELETED_FIRST}, because ${code(unique)} is unique`],
          ),
        ]),
    ...(asked.length === 0 || askedLoss === loss
      ? []
      : [replacement(`Replacement only by a change of ${inputs}`, description, askedLoss, [])]),
  ];
}

/**
 * @param {string} change @param {any} description @param {string | undefined} loss @param {readonly string[]} interruptions
 * @returns {Row}
 */
function replacement(change, { noun, undeletable, overwrites }, loss, interruptions) {
  const isKept = undeletable !== undefined && overwrites === undefined;
  const lines = [...(loss === undefined ? [] : [loss]), ...interruptions];
  const plain = isKept
    ? staying(`old ${noun}`, undeletable)
    : `the new ${noun} takes the place of the old one`;
  return {
    change,
    classes: [
      "replacement",
      ...(loss === undefined ? [] : ["data-loss"]),
      ...(interruptions.length === 0 ? [] : ["interruption"]),
    ],
    lines: lines.length === 0 ? [plain] : lines,
  };
}

/** @param {any} description @param {Sources} sources @returns {Row[]} */
const creations = (description, { fields }) =>
  description.overwrites === undefined
    ? []
    : [{ change: "Creation", classes: ["data-loss"], lines: [overwriting(description, fields)] }];

/** @param {any} description @param {Sources["fields"]} fields */
const overwriting = ({ noun, id, overwrites }, { parentNameOf }) =>
  `if the ${parentNameOf(id.parent)} has a ${noun}, it is overwritten, because ${overwrites}`;

/** The changes in place that lose data or interrupt a service, in the order of the inputs. @param {any} description @param {readonly Leaf[]} leaves @param {Sources} sources */
const updates = (description, leaves, sources) =>
  leaves.flatMap((leaf) => [
    ...losses(description, leaf, leaves, sources),
    ...interruptions(leaf, sources.values),
  ]);

/** @param {Leaf} leaf @param {Sources["values"]} values @returns {Row[]} */
function interruptions({ path, interrupts, change, comparison, default: back }, { same }) {
  if (interrupts === undefined) return [];
  const { line, to } = interrupts;
  const orRemoved = back !== undefined && same(comparison, back, to) ? ", or removed" : "";
  const inPlace = typeof change === "function" ? " in place" : "";
  const what =
    to === undefined
      ? `A change of ${code(path)}${inPlace}`
      : `${code(path)} set to ${code(JSON.stringify(to))}${orRemoved}`;
  return [{ change: what, classes: ["interruption"], lines: [line] }];
}

/**
 * The losses that the preview of a change warns of. Each is in one row, at the first of its inputs. The warnings are asked with values that are not known
 * yet, and with both values of each boolean.
 * @param {any} description @param {Leaf} leaf @param {readonly Leaf[]} leaves @param {Sources} sources @returns {Row[]}
 */
function losses({ fields, warnings }, leaf, leaves, { values: { UNKNOWN } }) {
  const unknown = Object.fromEntries(Object.keys(fields).map((name) => [name, UNKNOWN]));
  /** @param {string} path @param {object} [inputs] @returns {any[]} */
  const warningsOf = (path, inputs = unknown) =>
    (warnings?.((/** @type {string} */ one) => one === path, inputs) ?? []).filter(
      (/** @type {any} */ { loses }) => loses,
    );
  return warningsOf(leaf.path).flatMap(({ line }) => {
    /** @param {string} path @param {object} [inputs] */
    const isLost = (path, inputs) => warningsOf(path, inputs).some((one) => one.line === line);
    const paths = leaves.map(({ path }) => path).filter((path) => isLost(path));
    if (paths[0] !== leaf.path) return [];
    const conditions = leaves.flatMap(({ path, schema }) => {
      const possible = [true, false].filter((value) => schema.safeParse(value).success);
      const losing = possible.filter((value) => isLost(leaf.path, { ...unknown, ...nested(path, value) }));
      return losing.length === 0 || losing.length === possible.length ? [] : [{ path, value: losing[0] }];
    });
    return [{ change: changing(paths, conditions), classes: ["data-loss"], lines: [line] }];
  });
}

/** @param {readonly string[]} paths @param {readonly { path: string; value: unknown }[]} conditions */
function changing(paths, conditions) {
  const [own, ...others] = conditions;
  if (own !== undefined && others.length === 0 && paths.length === 1 && paths[0] === own.path)
    return `${code(own.path)} set to ${code(String(own.value))}`;
  const when = conditions.map(({ path, value }) => `${code(path)} is ${code(String(value))}`).join(" and ");
  return `A change of ${anyOf(paths)}${when === "" ? "" : ` while ${when}`}`;
}

/** Inputs with a value at a dotted path. @param {string} path @param {unknown} value @returns {Record<string, unknown>} */
const nested = (path, value) =>
  path
    .split(".")
    .reduceRight((inner, name) => /** @type {any} */ ({ [name]: inner }), /** @type {any} */ (value));

/** @param {readonly string[]} paths */
const anyOf = (paths) => paths.map(code).join(" or ");
