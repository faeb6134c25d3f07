import { defineItem, defineList } from "./define";
import { type ItemOf } from "./types";

/** A version of a database engine as {@link getDatabaseEngine} gives it. */
export type DatabaseEngineResult = ItemOf<"engines.list">;

const list = defineList({
  name: "getDatabaseEngines",
  reads: "engines.list",
  collection: "engines",
  nouns: ["database engine", "database engines"],
  id: { form: "<engine>/<version>, such as mysql/8.0.30", pattern: /^[^/]+\/[^/]+$/ },
  by: ["engine", "version"],
});
const item = defineItem("getDatabaseEngine", { list, reads: "engines.get" });

/**
 * The database engines that can be deployed, each in its versions.
 *
 * ```ts
 * const { engines } = await nodecloud.getDatabaseEngines({ filter: { engine: "mysql" } });
 * ```
 */
export const getDatabaseEngines = list.get;
/** {@link getDatabaseEngines} of outputs, as an output. */
export const getDatabaseEnginesOutput = list.getOutput;

/**
 * One version of a database engine: by its id, or as the only one that fits.
 *
 * ```ts
 * const mysql = await nodecloud.getDatabaseEngine({ engine: "mysql", filter: { version: { matches: "^8\\.0\\.3" } } });
 * new nodecloud.MysqlDatabase("app", { engine: mysql.id, region: "us-east", type: "g6-standard-1" });
 * ```
 */
export const getDatabaseEngine = item.get;
/** {@link getDatabaseEngine} of outputs, as an output. */
export const getDatabaseEngineOutput = item.getOutput;
