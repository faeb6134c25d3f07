/** Loads the sources of generation: the TypeScript files themselves, without a build. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { require as load } from "tsx/cjs/api";

export const root = new URL("../../", import.meta.url);

/** @param {string} path from the root */
const source = (path) => load(fileURLToPath(new URL(path, root)), import.meta.url);

/** `MysqlDatabase` is in `mysql-database.ts`. @param {string} type */
export const stemOf = (type) => type.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();

/**
 * The modules of a folder of `src`, without those in its subfolders.
 * @param {string} folder
 * @returns {string[]} Their names without `.ts`, in alphabetical order.
 */
export const modulesOf = (folder) =>
  readdirSync(new URL(`src/${folder}/`, root))
    .filter((name) => name.endsWith(".ts") && name !== "index.ts")
    .map((name) => name.slice(0, -".ts".length))
    .sort();

/** The class of a description, by its module. @param {string} stem */
export const typeOf = (stem) => exportOf(stem).replace(/^./, (letter) => letter.toUpperCase());

/** The name of a description, from the name of its file: `mysql-database.ts` exports `mysqlDatabase`. @param {string} stem */
export const exportOf = (stem) =>
  stem.replace(/-([a-z])/g, (/** @type {string} */ _, /** @type {string} */ letter) => letter.toUpperCase());

/** @typedef {{ name: string; stem: string; operations: Readonly<Record<string, any>> }} Family of operations, and the module that exports it. */

/** @param {string} folder of src @param {string} stem */
export const textOf = (folder, stem) => readFileSync(new URL(`src/${folder}/${stem}.ts`, root), "utf8");

/** The modules of src/api that declare operations. */
export const familyStems = () =>
  modulesOf("api").filter((stem) =>
    /^import .*\b(op|crud)\b.* from "\.\/(operation|crud)";$/m.test(textOf("api", stem)),
  );

/** The exports of a module of src/api. @param {string} stem @returns {Record<string, any>} */
export const loadApi = (stem) => source(`src/api/${stem}.ts`);

/** The families of the API: every object of operations that a module of src/api exports. @returns {Family[]} */
export function loadFamilies() {
  const families = familyStems().flatMap((stem) =>
    Object.entries(loadApi(stem)).flatMap(([name, operations]) =>
      isFamily(operations) ? [{ name, stem, operations }] : [],
    ),
  );
  return families.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param {any} value */
const isFamily = (value) =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).length > 0 &&
  Object.values(value).every((operation) => typeof operation?.method === "string" && "reply" in operation);

/** Each data function's declaration. @returns {readonly any[]} */
export function loadDeclarations() {
  source("src/functions/index.ts");
  return [...source("src/functions/declarations.ts").declarations.values()];
}

/** @typedef {ReturnType<typeof loadSources>} Sources */

/** Each resource's description, by the name of its class. @returns {Readonly<Record<string, any>>} */
export const loadDescriptions = () =>
  Object.fromEntries(
    modulesOf("resources").map((stem) => {
      const description = source(`src/resources/${stem}.ts`)[exportOf(stem)];
      if (description?.type !== typeOf(stem))
        throw new Error(
          `src/resources/${stem}.ts exports no ${exportOf(stem)}, the description of ${typeOf(stem)}`,
        );
      return [description.type, description];
    }),
  );

/** The reads of data functions that no resource manages. @returns {readonly any[]} */
export const loadUnmanaged = () => source("src/functions/unmanaged.ts").unmanaged;

/** Everything that generation reads. It loads through the registries, which are written first. */
export function loadSources() {
  return {
    descriptions: loadDescriptions(),
    declarations: loadDeclarations(),
    /** Each family's operations. @type {Readonly<Record<string, Readonly<Record<string, any>>>>} */
    service: Object.fromEntries(loadFamilies().map(({ name, operations }) => [name, operations])),
    /** The operations that the emulator serves, by family. @type {Readonly<Record<string, unknown>>} */
    routes: source("src/emulator/routes/index.ts").routes,
    /** The names of the kinds of objects in the emulator's control API. @type {readonly string[]} */
    collections: source("src/emulator/control/collections.ts").COLLECTION_NAMES,
    fields: /** @type {typeof import("../../src/provider/describe/fields.js")} */ (
      source("src/provider/describe/fields.ts")
    ),
    outlineOf: /** @type {typeof import("../../src/provider/state/make-outline.js").outlineOf} */ (
      source("src/provider/state/make-outline.ts").outlineOf
    ),
    values: /** @type {typeof import("../../src/provider/base/values.js")} */ (
      source("src/provider/base/values.ts")
    ),
    texts: /** @type {typeof import("../../src/provider/describe/effects.js")} */ (
      source("src/provider/describe/effects.ts")
    ),
    lossOfReplacement:
      /** @type {typeof import("../../src/provider/state/describe-changes.js").lossOfReplacement} */ (
        source("src/provider/state/describe-changes.ts").lossOfReplacement
      ),
    look: /** @type {typeof import("../../src/functions/select-items.js")} */ (
      source("src/functions/select-items.ts")
    ),
    read: /** @type {typeof import("../../src/functions/api-reads.js")} */ (
      source("src/functions/api-reads.ts")
    ),
  };
}
