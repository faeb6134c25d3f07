// Written by `npm run generate` from the description of Database.
import { defineList } from "./define";
import { type DatabaseResult } from "./results";
import { type ListArgs } from "./types";

const list = defineList<ListArgs<DatabaseResult> | undefined, { databases: DatabaseResult[] }>({
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
export const getDatabases = list.get;
/** Like {@link getDatabases}, with outputs as arguments and as the result. */
export const getDatabasesOutput = list.getOutput;
