/** The generated parts of each resource's page. */
import { z } from "zod";
import { stemOf } from "../load.mjs";
import { code, part, table } from "./markdown.mjs";

/** @param {import("../load.mjs").Sources} sources */
export const resourcePages = (sources) =>
  Object.values(sources.descriptions).flatMap((description) => {
    const file = `docs/resources/${stemOf(description.type)}.md`;
    const inputs = part(file, "inputs", inputsTable(description, sources));
    return description.absent === undefined
      ? [inputs]
      : [inputs, part(file, "absent", absentList(description))];
  });

/** @param {any} description @param {import("../load.mjs").Sources} sources */
function inputsTable({ fields, autoname }, { fields: { leavesOf } }) {
  const rows = leavesOf(fields).map((/** @type {any} */ leaf) => [
    code(leaf.path) + (leaf.required ? " (required)" : ""),
    typeOf(leaf.schema) + (leaf.secret ? ", secret" : ""),
    changeOf(leaf),
    removalOf(leaf, autoname?.path),
  ]);
  return table([["Input", "Type and limits", "A change", "Removed from the program"], ...rows]);
}

/**
 * The type and limits of an input, from its schema.
 * @param {z.ZodType} schema
 */
function typeOf(schema) {
  /** @type {any} */
  const json = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  const { minLength, maxLength, minimum, maximum, maxItems } = json.anyOf?.[0] ?? json;
  const whole = json.type === "integer" && Math.abs(minimum) === Number.MAX_SAFE_INTEGER;
  const limits = [
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} items`,
    !whole && maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && `${minimum} to ${maximum}`,
  ].filter(Boolean);
  return [nameOf(json), ...limits].join(", ");
}

/** @param {any} node @returns {string} */
function nameOf(node) {
  if (node.anyOf) return [...new Set(node.anyOf.map(nameOf))].filter(Boolean).join(" or ");
  if (node.enum) return node.enum.map((/** @type {unknown} */ value) => code(String(value))).join(", ");
  if (node.const !== undefined) return code(String(node.const));
  if (node.type === "array") return `list of ${nameOf(node.items)}`;
  return [node.type ?? "any"]
    .flat()
    .filter((name) => name !== "null")
    .join(" or ");
}

/** @param {any} leaf */
function changeOf(leaf) {
  if (typeof leaf.change === "function") return "updates, or replaces where the program asks for it";
  return (
    { replace: "replaces", update: "updates", none: "nothing" }[/** @type {string} */ (leaf.change)] ?? ""
  );
}

/** @param {any} leaf @param {string | undefined} automatic */
function removalOf(leaf, automatic) {
  if (leaf.required) return "is refused";
  if (leaf.path === automatic && leaf.change === "update") return "goes back to the automatic name";
  if (leaf.default !== undefined) {
    const back = leaf.default === null ? "is cleared" : `goes back to ${code(JSON.stringify(leaf.default))}`;
    return leaf.change === "replace" ? `${back}, which replaces` : back;
  }
  const effects = {
    replace: "replaces",
    stays: "stays as it is; the preview says so",
    forgotten: "nothing; the same value then asks again",
    nothing: "nothing",
    refused: "is refused where nothing takes its place",
  };
  return effects[/** @type {keyof typeof effects} */ (leaf.path === automatic ? "stays" : leaf.removed)];
}

/** @param {any} description */
const absentList = ({ absent = {} }) =>
  Object.entries(absent)
    .map(([property, reason]) => `- ${code(property)} ${reason}`)
    .join("\n");
