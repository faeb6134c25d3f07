import { type z } from "zod";
import { type nodeBackupList } from "../api/backups";
import { defineItem, defineList } from "./define";
import { type ItemOf } from "./types";

/** A backup of a node as {@link getNodeBackup} gives it. */
export type NodeBackupResult = ItemOf<"nodeBackups.get", "nodeId">;

const list = defineList({
  name: "getNodeBackups",
  reads: "nodeBackups.list",
  item: "nodeBackups.get",
  collection: "backups",
  nouns: ["backup", "backups"],
  parent: { property: "nodeId", noun: "node" },
  by: ["label"],
  // The answer keeps the kinds apart, and calls `automatic` what is `auto` when it is viewed alone.
  itemsOf: ({ automatic, snapshot }: z.infer<typeof nodeBackupList>) => [
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
export const getNodeBackups = list.get;
/** {@link getNodeBackups} of outputs, as an output. */
export const getNodeBackupsOutput = list.getOutput;

/**
 * One backup of a node: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const backup = await nodecloud.getNodeBackup({ nodeId: 12, label: "before-upgrade" });
 * ```
 */
export const getNodeBackup = item.get;
/** {@link getNodeBackup} of outputs, as an output. */
export const getNodeBackupOutput = item.getOutput;
