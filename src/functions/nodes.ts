import { type Node } from "../api/types/nodes";
import { defineItem, defineList } from "./define";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** A node as {@link getNode} gives it. */
export interface NodeResult {
  /** The id that its resource has. */
  id: string;
  label: string;
  /** A group label. Deprecated by the API. */
  group?: string | undefined;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  type: string;
  /** Id of the image that it was deployed from. */
  image?: string | undefined;
  status: Node["status"];
  hypervisor?: string | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
  hostUuid?: string | undefined;
  /** Whether it was created with metadata user data. */
  hasUserData?: boolean | undefined;
  /** The public address, and the private one where there is one. */
  ipv4?: string[] | undefined;
  ipv6?: string | undefined;
  /** The sizes of its type; their units are not documented. */
  specs?:
    | {
        disk?: number | undefined;
        gpus?: number | undefined;
        memory?: number | undefined;
        transfer?: number | undefined;
        vcpus?: number | undefined;
      }
    | undefined;
  /** Usage levels at which the service raises an alert; their units are not documented. */
  alerts?:
    | {
        cpu?: number | undefined;
        io?: number | undefined;
        networkIn?: number | undefined;
        networkOut?: number | undefined;
        transferQuota?: number | undefined;
      }
    | undefined;
  /** The backup service of the node. */
  backups?:
    | {
        /** Whether there is a backup to restore. */
        available?: boolean | undefined;
        enabled: boolean;
        /** `YYYY-MM-DDThh:mm:ss`. */
        lastSuccessful?: string | undefined;
        schedule?: { day?: string | undefined; window?: string | undefined } | undefined;
      }
    | undefined;
  tags?: string[] | undefined;
  /** Whether it is booted again when it powers off unexpectedly. */
  watchdogEnabled?: boolean | undefined;
}

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
export const getNodes: GetFunction<ListArgs<NodeResult> | undefined, { nodes: NodeResult[] }> = list.get;
/** {@link getNodes} of outputs, as an output. */
export const getNodesOutput: GetOutputFunction<ListArgs<NodeResult> | undefined, { nodes: NodeResult[] }> =
  list.getOutput;

/**
 * One node: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const web = await nodecloud.getNode({ label: "web" });
 * const newest = await nodecloud.getNode({ filter: { label: { matches: "^web-" } }, mostRecent: true });
 * ```
 */
export const getNode: GetFunction<ItemArgs<NodeResult, "label">, NodeResult> = item.get;
/** {@link getNode} of outputs, as an output. */
export const getNodeOutput: GetOutputFunction<ItemArgs<NodeResult, "label">, NodeResult> = item.getOutput;
