// Written by `npm run generate` from the description of Database.
import { define } from "./define";
import { type DatabaseResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ListArgs } from "./types";

const list = define({
  kind: "list",
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
