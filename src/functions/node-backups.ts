import { type NodeBackupList } from "../api/types/backups";
import { defineItem, defineList } from "./define";
import { type NodeBackupResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

const list = defineList<ListArgs<NodeBackupResult, "nodeId">, { backups: NodeBackupResult[] }>({
  name: "getNodeBackups",
  reads: "nodeBackups.list",
  item: "nodeBackups.get",
  collection: "backups",
  nouns: ["backup", "backups"],
  parent: { property: "nodeId", noun: "node" },
  by: ["label"],
  // The list groups backups by type, and says `automatic` where a single backup says `auto`.
  itemsOf: ({ automatic, snapshot }: NodeBackupList) => [
    ...automatic.map((backup) => ({ ...backup, type: "auto" })),
    ...[snapshot.current, snapshot.in_progress].filter((backup) => backup != null),
  ],
});
const item = defineItem<ItemArgs<NodeBackupResult, "label", "nodeId">, NodeBackupResult>({
  name: "getNodeBackup",
  list: list.declaration,
  reads: "nodeBackups.get",
});

/**
 * The backups of a node: the automatic ones (`type` is `auto`), its snapshot, and the snapshot in progress.
 *
 * ```ts
 * const { backups } = await nodecloud.getNodeBackups({ nodeId: 12, filter: { status: "successful" }, mostRecent: true });
 * ```
 */
export const getNodeBackups = list.get;
/** Like {@link getNodeBackups}, with outputs as arguments and as the result. */
export const getNodeBackupsOutput = list.getOutput;

/**
 * One backup of a node: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const backup = await nodecloud.getNodeBackup({ nodeId: 12, label: "before-upgrade" });
 * ```
 */
export const getNodeBackup = item.get;
/** Like {@link getNodeBackup}, with outputs as arguments and as the result. */
export const getNodeBackupOutput = item.getOutput;
