import { type DatabaseFields } from "./database-results";
import { defineList } from "./define";
import { type GetFunction, type GetOutputFunction, type ListArgs } from "./types";

/** A database in the list of all engines: without port, replication and `sslConnection`. */
export interface DatabaseResult extends DatabaseFields {
  /** The path of the database's operations. */
  instanceUri?: string | undefined;
}

const list = defineList({
  name: "getDatabases",
  reads: "databases.list",
  collection: "databases",
  nouns: ["database", "databases"],
  by: ["label"],
});

/**
 * The databases of the account, of all engines.
 *
 * ```ts
 * const { databases } = await nodecloud.getDatabases({ filter: { status: "active" } });
 * ```
 */
export const getDatabases: GetFunction<
  ListArgs<DatabaseResult> | undefined,
  { databases: DatabaseResult[] }
> = list.get;
/** Like {@link getDatabases}, with outputs as arguments and as the result. */
export const getDatabasesOutput: GetOutputFunction<
  ListArgs<DatabaseResult> | undefined,
  { databases: DatabaseResult[] }
> = list.getOutput;
