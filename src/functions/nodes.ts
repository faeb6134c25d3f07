// Written by `npm run generate` from the description of Node.
import { define } from "./define";
import { type NodeResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

const list = define({
  kind: "list",
  name: "getNodes",
  reads: "nodes.list",
  collection: "nodes",
  nouns: ["node", "nodes"],
  by: ["label"],
});
const item = define({ kind: "item", name: "getNode", reads: "nodes.get", list: list.declaration });

/**
 * The nodes of the account.
 *
 * ```ts
 * const { nodes } = await nodecloud.getNodes({ filter: { region: "us-east" }, sortBy: "label" });
 * ```
 */
export const getNodes: GetFunction<ListArgs<NodeResult> | undefined, { nodes: NodeResult[] }> = list.get;
/** Like {@link getNodes}, with outputs as arguments and as the result. */
export const getNodesOutput: GetOutputFunction<ListArgs<NodeResult> | undefined, { nodes: NodeResult[] }> =
  list.getOutput;

/**
 * One node: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const web = await nodecloud.getNode({ label: "web" });
 * const newest = await nodecloud.getNode({ filter: { label: { matches: "^web-" } }, mostRecent: true });
 * ```
 */
export const getNode: GetFunction<ItemArgs<NodeResult, "label">, NodeResult> = item.get;
/** Like {@link getNode}, with outputs as arguments and as the result. */
export const getNodeOutput: GetOutputFunction<ItemArgs<NodeResult, "label">, NodeResult> = item.getOutput;
