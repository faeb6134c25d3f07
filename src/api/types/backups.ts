// Written by `npm run generate` from src/api/backups.ts.
import { type Known } from "./common";

/** A backup of a node: an automatic one, or a snapshot. Fields that the reference does not name are kept unchanged. */
export interface NodeBackup {
  [field: string]: unknown;
  id: number;
  /** Whether the backup can be restored. */
  available?: boolean | null | undefined;
  /** Labels of the configuration profiles in the backup. */
  configs?: string[] | null | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** Time when the backup was complete, `YYYY-MM-DDThh:mm:ss`. */
  finished?: string | null | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
  /** The disks in the backup. */
  disks?:
    | {
        [field: string]: unknown;
        /** The file system of the disk. */
        filesystem?: string | null | undefined;
        /** Name of the disk. */
        label?: string | null | undefined;
        /** Size of the disk. Its unit is not documented. */
        size?: number | null | undefined;
      }[]
    | null
    | undefined;
  /** Name of the backup. */
  label?: string | null | undefined;
  /** Status of the backup. */
  status: Known<
    "paused" | "pending" | "running" | "needsPostProcessing" | "successful" | "failed" | "userAborted"
  >;
  /** `auto`, or `snapshot`. In the API, the list of all backups has `automatic` in place of `auto`. */
  type: Known<"auto" | "snapshot" | "automatic">;
}

/** All backups of a node. Fields that the reference does not name are kept unchanged. */
export interface NodeBackupList {
  [field: string]: unknown;
  /** The backups that the service takes automatically. */
  automatic: NodeBackup[];
  snapshot: {
    [field: string]: unknown;
    /** The snapshot that can be restored. */
    current?: NodeBackup | null | undefined;
    /** The snapshot that is being taken. */
    in_progress?: NodeBackup | null | undefined;
  };
}

/** Body of the restore of a node backup. */
export interface NodeBackupRestore {
  /** The node to restore to, in the backup's region. */
  node_id: number;
  /** Whether to delete all of that node's disks and configuration profiles first. */
  overwrite?: boolean | undefined;
}

/** Body of a node snapshot. */
export interface NodeSnapshotCreate {
  /** 1 to 255 characters. */
  label: string;
}
