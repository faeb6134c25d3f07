// Written by `npm run generate` from the description of DatabaseEngine.
import { defineItem, defineList } from "./define";
import { type DatabaseEngineResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

const list = defineList<ListArgs<DatabaseEngineResult> | undefined, { engines: DatabaseEngineResult[] }>({
  name: "getDatabaseEngines",
  reads: "engines.list",
  collection: "engines",
  nouns: ["database engine", "database engines"],
  id: { form: "<engine>/<version>, such as mysql/8.0.30", pattern: /^[^/]+\/[^/]+$/ },
  by: ["engine", "version"],
});
const item = defineItem<
  ItemArgs<DatabaseEngineResult, "engine" | "version", never, string>,
  DatabaseEngineResult
>({ name: "getDatabaseEngine", reads: "engines.get", list: list.declaration });

/**
 * The database engines that can be deployed, with their versions.
 *
 * ```ts
 * const { engines } = await nodecloud.getDatabaseEngines({ filter: { engine: "mysql" } });
 * ```
 */
export const getDatabaseEngines = list.get;
/** Like {@link getDatabaseEngines}, with outputs as arguments and as the result. */
export const getDatabaseEnginesOutput = list.getOutput;

/**
 * One version of a database engine: by its id, or by an engine, a version and a filter that match exactly one.
 *
 * ```ts
 * const mysql = await nodecloud.getDatabaseEngine({ engine: "mysql", filter: { version: { matches: "^8\\.0\\.3" } } });
 * new nodecloud.MysqlDatabase("app", { engine: mysql.id, region: "us-east", type: "g6-standard-1" });
 * ```
 */
export const getDatabaseEngine = item.get;
/** Like {@link getDatabaseEngine}, with outputs as arguments and as the result. */
export const getDatabaseEngineOutput = item.getOutput;
