import { z } from "zod";
import { op, typed } from "./operation";
import { dateTime, empty, lenient, openEnum } from "./schema";
import { type Empty } from "./types/common";
import {
  type NodeBackup,
  type NodeBackupList,
  type NodeBackupRestore,
  type NodeSnapshotCreate,
} from "./types/backups";

export type { NodeBackup } from "./types/backups";

/** The statuses of a node backup that the reference lists. */
export const NODE_BACKUP_STATUSES = [
  "paused",
  "pending",
  "running",
  "needsPostProcessing",
  "successful",
  "failed",
  "userAborted",
] as const;

/**
 * A backup of a node: an automatic one, or a snapshot.
 * @internal
 */
export const nodeBackup = z.looseObject({
  id: z.int(),
  /** Whether the backup can be restored. */
  available: lenient(z.boolean()),
  /** Labels of the configuration profiles in the backup. */
  configs: lenient(z.array(z.string())),
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created: lenient(dateTime),
  /** Time when the backup was complete, `YYYY-MM-DDThh:mm:ss`. */
  finished: lenient(dateTime),
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated: lenient(dateTime),
  /** The disks in the backup. */
  disks: lenient(
    z.array(
      z.looseObject({
        /** The file system of the disk. */
        filesystem: lenient(z.string()),
        /** Name of the disk. */
        label: lenient(z.string()),
        /** Size of the disk. Its unit is not documented. */
        size: lenient(z.int()),
      }),
    ),
  ),
  /** Name of the backup. */
  label: z.string().nullish(),
  /** Status of the backup. */
  status: openEnum(NODE_BACKUP_STATUSES),
  /** `auto`, or `snapshot`. In the API, the list of all backups has `automatic` in place of `auto`. */
  type: openEnum(["auto", "snapshot", "automatic"]),
});

/**
 * All backups of a node.
 * @internal
 */
export const nodeBackupList = z.looseObject({
  /** The backups that the service takes automatically. */
  automatic: z.array(nodeBackup),
  snapshot: z.looseObject({
    /** The snapshot that can be restored. */
    current: nodeBackup.nullish(),
    /** The snapshot that is being taken. */
    in_progress: nodeBackup.nullish(),
  }),
});

/**
 * Body of a node snapshot.
 * @internal
 */
export const nodeSnapshotCreate = z.object({
  label: z.string().min(1).max(255),
});

/**
 * Body of the restore of a node backup.
 * @internal
 */
export const nodeBackupRestore = z.object({
  /** The node to restore to, in the backup's region. */
  node_id: z.int(),
  /** Whether to delete all of that node's disks and configuration profiles first. */
  overwrite: z.boolean().optional(),
});

/** Operations on the backups of a node. */
export const nodeBackups = {
  /** Lists a node's backups; not paginated. */
  list: op({
    method: "GET",
    path: "/node/instances/{nodeId}/backups",
    summary: "Lists a node's backups.",
    reply: typed<NodeBackupList>(nodeBackupList),
    scopes: ["nodes:read_only"],
  }),
  /** Takes a snapshot. The node's previous snapshot is deleted. */
  create: op({
    method: "POST",
    path: "/node/instances/{nodeId}/backups",
    summary: "Takes a snapshot of a node, which replaces the previous snapshot.",
    body: typed<NodeSnapshotCreate>(nodeSnapshotCreate),
    reply: typed<NodeBackup>(nodeBackup),
    scopes: ["nodes:read_write"],
  }),
  /** Enables the backup service of a node. */
  enable: op({
    method: "POST",
    path: "/node/instances/{nodeId}/backups/enable",
    summary: "Enables a node's backup service.",
    reply: typed<Empty>(empty),
    scopes: ["nodes:read_write"],
  }),
  /** Cancels the backup service of a node. This deletes all its backups for good. */
  cancel: op({
    method: "POST",
    path: "/node/instances/{nodeId}/backups/cancel",
    summary: "Cancels a node's backup service and deletes its backups.",
    reply: typed<Empty>(empty),
    scopes: ["nodes:read_write"],
  }),
  /** Views one backup. */
  get: op({
    method: "GET",
    path: "/node/instances/{nodeId}/backups/{backupId}",
    summary: "Views a node backup.",
    reply: typed<NodeBackup>(nodeBackup),
    scopes: ["nodes:read_only"],
  }),
  /** Restores a backup to a node in the same region. `overwrite` deletes that node's disks and configs first. */
  restore: op({
    method: "POST",
    path: "/node/instances/{nodeId}/backups/{backupId}/restore",
    summary: "Restores a backup to a node.",
    body: typed<NodeBackupRestore>(nodeBackupRestore),
    reply: typed<Empty>(empty),
    scopes: ["nodes:read_write"],
  }),
};
