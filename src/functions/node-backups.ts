import { type NodeBackup, type NodeBackupList } from "../api/types/backups";
import { defineItem, defineList } from "./define";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** A disk in a backup. */
export interface NodeBackupDiskResult {
  /** Type of its file system. */
  filesystem?: string | undefined;
  /** Name of the disk. */
  label?: string | undefined;
  /** Size of the disk. Its unit is not documented. */
  size?: number | undefined;
}

/** A backup of a node as {@link getNodeBackup} gives it. */
export interface NodeBackupResult {
  /** The id that its resource has: `nodeId/backupId`. */
  id: string;
  /** Id of the node. */
  nodeId: string;
  /** Name of the backup. */
  label?: string | undefined;
  /** `auto` or `snapshot`. */
  type: NodeBackup["type"];
  /** Status of the backup. */
  status: NodeBackup["status"];
  /** Whether it can be restored. */
  available?: boolean | undefined;
  /** Labels of the configuration profiles in it. */
  configs?: string[] | undefined;
  /** The disks in it. */
  disks?: NodeBackupDiskResult[] | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time when the backup was complete, `YYYY-MM-DDThh:mm:ss`. */
  finished?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
}

const list = defineList({
  name: "getNodeBackups",
  reads: "nodeBackups.list",
  item: "nodeBackups.get",
  collection: "backups",
  nouns: ["backup", "backups"],
  parent: { property: "nodeId", noun: "node" },
  by: ["label"],
  // The answer keeps the kinds apart, and calls `automatic` what is `auto` when it is viewed alone.
  itemsOf: ({ automatic, snapshot }: NodeBackupList) => [
    ...automatic.map((backup) => ({ ...backup, type: "auto" })),
    ...[snapshot.current, snapshot.in_progress].filter((backup) => backup != null),
  ],
});
const item = defineItem("getNodeBackup", { list, reads: "nodeBackups.get" });

/**
 * The backups of a node: the automatic ones (`type` is `auto`), its snapshot, and the snapshot that is being taken.
 *
 * ```ts
 * const { backups } = await nodecloud.getNodeBackups({ nodeId: 12, filter: { status: "successful" }, mostRecent: true });
 * ```
 */
export const getNodeBackups: GetFunction<
  ListArgs<NodeBackupResult, "nodeId">,
  { backups: NodeBackupResult[] }
> = list.get;
/** {@link getNodeBackups} of outputs, as an output. */
export const getNodeBackupsOutput: GetOutputFunction<
  ListArgs<NodeBackupResult, "nodeId">,
  { backups: NodeBackupResult[] }
> = list.getOutput;

/**
 * One backup of a node: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const backup = await nodecloud.getNodeBackup({ nodeId: 12, label: "before-upgrade" });
 * ```
 */
export const getNodeBackup: GetFunction<
  ItemArgs<NodeBackupResult, "label", "nodeId">,
  NodeBackupResult
> = item.get;
/** {@link getNodeBackup} of outputs, as an output. */
export const getNodeBackupOutput: GetOutputFunction<
  ItemArgs<NodeBackupResult, "label", "nodeId">,
  NodeBackupResult
> = item.getOutput;
