// Written by `npm run generate` from src/functions and src/api.
import { type Known } from "../../api/types/common";

/** One of the `disks` of {@link NodeBackupResult}. */
export interface NodeBackupDiskResult {
  /** The file system of the disk. */
  filesystem?: string | undefined;
  /** Name of the disk. */
  label?: string | undefined;
  /** Size of the disk. Its unit is not documented. */
  size?: number | undefined;
}

/** A backup of a node: an automatic one, or a snapshot. */
export interface NodeBackupResult {
  /** The id of its resource: `nodeId/backupId`. */
  id: string;
  /** Id of the node. */
  nodeId: string;
  /** Whether the backup can be restored. */
  available?: boolean | undefined;
  /** Labels of the configuration profiles in the backup. */
  configs?: string[] | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time when the backup was complete, `YYYY-MM-DDThh:mm:ss`. */
  finished?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
  /** The disks in the backup. */
  disks?: NodeBackupDiskResult[] | undefined;
  /** Name of the backup. */
  label?: string | undefined;
  /** Status of the backup. */
  status: Known<
    "paused" | "pending" | "running" | "needsPostProcessing" | "successful" | "failed" | "userAborted"
  >;
  /** `auto`, or `snapshot`. In the API, the list of all backups has `automatic` in place of `auto`. */
  type: Known<"auto" | "snapshot" | "automatic">;
}
