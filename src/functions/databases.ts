import { defineList } from "./define";
import { type ItemOf } from "./types";

/** A database as the list over all engines shows it: without port, replication and `sslConnection`. */
export type DatabaseResult = ItemOf<"databases.list">;

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
export const getDatabases = list.get;
/** {@link getDatabases} of outputs, as an output. */
export const getDatabasesOutput = list.getOutput;
