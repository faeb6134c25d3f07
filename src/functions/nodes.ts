import { defineItem, defineList } from "./define";
import { type ItemOf } from "./types";

/** A node as {@link getNode} gives it. */
export type NodeResult = ItemOf<"nodes.list">;

const list = defineList({
  name: "getNodes",
  reads: "nodes.list",
  collection: "nodes",
  nouns: ["node", "nodes"],
  by: ["label"],
});
const item = defineItem("getNode", { list, reads: "nodes.get" });

/**
 * The nodes of the account.
 *
 * ```ts
 * const { nodes } = await nodecloud.getNodes({ filter: { region: "us-east" }, sortBy: "label" });
 * ```
 */
export const getNodes = list.get;
/** {@link getNodes} of outputs, as an output. */
export const getNodesOutput = list.getOutput;

/**
 * One node: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const web = await nodecloud.getNode({ label: "web" });
 * const newest = await nodecloud.getNode({ filter: { label: { matches: "^web-" } }, mostRecent: true });
 * ```
 */
export const getNode = item.get;
/** {@link getNode} of outputs, as an output. */
export const getNodeOutput = item.getOutput;
