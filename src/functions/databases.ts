import { type DatabaseFields } from "./database-results";
import { defineList } from "./define";
import { type GetFunction, type GetOutputFunction, type ListArgs } from "./types";

/** A database as the list over all engines shows it: without port, replication and `sslConnection`. */
export interface DatabaseResult extends DatabaseFields {
  /** The path of the operations on it. */
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
/** {@link getDatabases} of outputs, as an output. */
export const getDatabasesOutput: GetOutputFunction<
  ListArgs<DatabaseResult> | undefined,
  { databases: DatabaseResult[] }
> = list.getOutput;
