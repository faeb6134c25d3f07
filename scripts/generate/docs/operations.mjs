/** The tables of the API's operations: the methods of the client, and the resources and functions that use each operation. */
import { stemOf } from "../load.mjs";
import { code, part, table } from "./markdown.mjs";
import { reach, resourcesReaching } from "./reach.mjs";

/** @import { Sources } from "../load.mjs" */

/** @param {Sources} sources */
export const operationPages = (sources) => [
  part("docs/api-client.md", "operations", operationsTable(sources)),
  part("docs/operations.md", "operations", reachTable(sources)),
  part("docs/accounts.md", "scopes", scopesTable(sources)),
];

/** @param {Sources} sources */
function operationsTable({ service }) {
  const rows = Object.entries(service).flatMap(([family, operations]) =>
    Object.entries(operations).map(([name, { method, path, summary, scopes, assumed }]) => [
      code(`client.${family}.${name}`),
      code(`${method} ${path}`),
      assumed
        ? `${summary} The reference names this operation but does not show its body: the body is an assumption.`
        : summary,
      scopes.map(code).join(" and ") || "none",
    ]),
  );
  return table([["Method", "Operation", "What it does", "Scopes"], ...rows]);
}

/** The reads that each scope allows. @param {Sources} sources */
function scopesTable({ service }) {
  const reads = Object.values(service)
    .flatMap((operations) => Object.values(operations))
    .filter(({ method }) => method === "GET");
  const ofScope = Map.groupBy(reads, ({ scopes }) => scopes.map(code).join(" and ") || "none");
  const rows = [...ofScope].sort(([one], [other]) => (one < other ? -1 : 1));
  return table([
    ["Scope", "Reads"],
    ...rows.map(([scope, those]) => [scope, those.map(({ path }) => code(`GET ${path}`)).join(", ")]),
  ]);
}

/** @param {Sources} sources */
function reachTable(sources) {
  const { service, descriptions, declarations } = sources;
  const operations = Object.entries(service).flatMap(([family, inFamily]) =>
    Object.entries(inFamily).map(([name, operation]) => ({ name: `${family}.${name}`, ...operation })),
  );
  const strangers = Object.keys(reach).filter((name) => !operations.some((known) => known.name === name));
  if (strangers.length > 0)
    throw new Error(`reach.mjs names operations that do not exist: ${strangers.join(", ")}`);
  const rows = operations.map(({ name, method, path, summary }) => {
    const functions = declarations.filter(
      ({ kind, reads, list }) => reads === name || (kind === "item" && list.reads === name),
    );
    const ways = [
      ...resourcesReaching(name, sources).map((way) => linkTo(way, descriptions)),
      ...functions.map((declaration) => `[${code(declaration.name)}](functions.md)`),
    ];
    return [code(`${method} ${path}`), summary, ways.join(", ")];
  });
  return table([["Operation", "What it does", "Reached by"], ...rows]);
}

/**
 * A resource, or one of its inputs, as a link to its page. Throws if it does not exist.
 * @param {string} name @param {Sources["descriptions"]} descriptions
 */
function linkTo(name, descriptions) {
  const [type = "", ...path] = name.split(".");
  const description = descriptions[type];
  if (description === undefined || (path.length > 0 && !Object.hasOwn(description.fields, path.join(".")))) {
    throw new Error(`reach.mjs names ${name}, which does not exist`);
  }
  return `[${code(name)}](resources/${stemOf(type)}.md)`;
}
