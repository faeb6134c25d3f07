// Written by `npm run generate` from the description of Node.
import { defineItem, defineList } from "./define";
import { type NodeResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

const list = defineList<ListArgs<NodeResult> | undefined, { nodes: NodeResult[] }>({
  name: "getNodes",
  reads: "nodes.list",
  collection: "nodes",
  nouns: ["node", "nodes"],
  by: ["label"],
});
const item = defineItem<ItemArgs<NodeResult, "label">, NodeResult>({
  name: "getNode",
  reads: "nodes.get",
  list: list.declaration,
});

/**
 * The nodes of the account.
 *
 * ```ts
 * const { nodes } = await nodecloud.getNodes({ filter: { region: "us-east" }, sortBy: "label" });
 * ```
 */
export const getNodes = list.get;
/** Like {@link getNodes}, with outputs as arguments and as the result. */
export const getNodesOutput = list.getOutput;

/**
 * One node: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const web = await nodecloud.getNode({ label: "web" });
 * const newest = await nodecloud.getNode({ filter: { label: { matches: "^web-" } }, mostRecent: true });
 * ```
 */
export const getNode = item.get;
/** Like {@link getNode}, with outputs as arguments and as the result. */
export const getNodeOutput = item.getOutput;
