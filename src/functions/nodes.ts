import { type Node } from "../api/types/nodes";
import { defineItem, defineList } from "./define";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** The sizes of a node's type. Their units are not documented. */
export interface NodeSpecsResult {
  /** The size of the disk. */
  disk?: number | undefined;
  /** Number of GPUs. */
  gpus?: number | undefined;
  /** Size of the memory. */
  memory?: number | undefined;
  /** The transfer. */
  transfer?: number | undefined;
  /** Number of virtual CPUs. */
  vcpus?: number | undefined;
}

/** The alert levels of the node. The API reference shows neither their meaning nor their units. */
export interface NodeAlertsResult {
  /** The alert level of the CPU. */
  cpu?: number | undefined;
  /** The alert level of I/O. */
  io?: number | undefined;
  /** The alert level of incoming traffic. */
  networkIn?: number | undefined;
  /** The alert level of outgoing traffic. */
  networkOut?: number | undefined;
  /** The alert level of the transfer quota. */
  transferQuota?: number | undefined;
}

/** When the backup service takes its backups. */
export interface NodeBackupScheduleResult {
  /** Day of the backups, such as `Saturday`. */
  day?: string | undefined;
  /** Window in which the backups are taken, such as `W22`. */
  window?: string | undefined;
}

/** The backup service of a node. */
export interface NodeBackupsResult {
  /** Whether backups are available. */
  available?: boolean | undefined;
  /** Whether the backup service is on. */
  enabled: boolean;
  /** Time of the last backup that succeeded, `YYYY-MM-DDThh:mm:ss`. */
  lastSuccessful?: string | undefined;
  /** When the backups are taken. */
  schedule?: NodeBackupScheduleResult | undefined;
}

/** A node, as {@link getNode} returns it. */
export interface NodeResult {
  /** The id of its resource. */
  id: string;
  /** Name in the account. */
  label: string;
  /** A group label. Deprecated by the API. */
  group?: string | undefined;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  type: string;
  /** Id of the image from which the node was deployed. */
  image?: string | undefined;
  /** Status of the node. */
  status: Node["status"];
  /** Hypervisor that the node runs on. */
  hypervisor?: string | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
  /** UUID of the machine that the node runs on. */
  hostUuid?: string | undefined;
  /** Whether the node was created with metadata user data. */
  hasUserData?: boolean | undefined;
  /** The public address, and the private address if the node has one. */
  ipv4?: string[] | undefined;
  /** IPv6 address with its prefix length. */
  ipv6?: string | undefined;
  /** The sizes of the node's type. Their units are not documented. */
  specs?: NodeSpecsResult | undefined;
  /** The alert levels of the node. The API reference shows neither their meaning nor their units. */
  alerts?: NodeAlertsResult | undefined;
  /** The backup service of the node. */
  backups?: NodeBackupsResult | undefined;
  /** Tags of the node. */
  tags?: string[] | undefined;
  /** Whether the service reboots the node after an unexpected power-off. */
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
/** Like {@link getNodes}, with outputs as arguments and as the result. */
export const getNodesOutput: GetOutputFunction<ListArgs<NodeResult> | undefined, { nodes: NodeResult[] }> =
  list.getOutput;

/**
 * One node: by its id, or by its label and filter, which only it must match.
 *
 * ```ts
 * const web = await nodecloud.getNode({ label: "web" });
 * const newest = await nodecloud.getNode({ filter: { label: { matches: "^web-" } }, mostRecent: true });
 * ```
 */
export const getNode: GetFunction<ItemArgs<NodeResult, "label">, NodeResult> = item.get;
/** Like {@link getNode}, with outputs as arguments and as the result. */
export const getNodeOutput: GetOutputFunction<ItemArgs<NodeResult, "label">, NodeResult> = item.getOutput;
