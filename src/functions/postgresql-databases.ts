// Written by `npm run generate` from the description of PostgresqlDatabase.
import { defineItem, defineList } from "./define";
import { type EngineDatabaseResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

/** A PostgreSQL database, as {@link getPostgresqlDatabase} returns it. */
export type PostgresqlDatabaseResult = EngineDatabaseResult;

const list = defineList<
  ListArgs<PostgresqlDatabaseResult> | undefined,
  { databases: PostgresqlDatabaseResult[] }
>({
  name: "getPostgresqlDatabases",
  reads: "postgresql.list",
  collection: "databases",
  nouns: ["PostgreSQL database", "PostgreSQL databases"],
  result: "EngineDatabase",
  by: ["label"],
});
const item = defineItem<ItemArgs<PostgresqlDatabaseResult, "label">, PostgresqlDatabaseResult>({
  name: "getPostgresqlDatabase",
  reads: "postgresql.get",
  list: list.declaration,
});

/**
 * The PostgreSQL databases of the account.
 *
 * ```ts
 * const { databases } = await nodecloud.getPostgresqlDatabases({ filter: { clusterSize: 3 } });
 * ```
 */
export const getPostgresqlDatabases = list.get;
/** Like {@link getPostgresqlDatabases}, with outputs as arguments and as the result. */
export const getPostgresqlDatabasesOutput = list.getOutput;

/**
 * One PostgreSQL database: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const app = await nodecloud.getPostgresqlDatabase({ label: "app" });
 * ```
 */
export const getPostgresqlDatabase = item.get;
/** Like {@link getPostgresqlDatabase}, with outputs as arguments and as the result. */
export const getPostgresqlDatabaseOutput = item.getOutput;
