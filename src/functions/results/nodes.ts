// Written by `npm run generate` from src/functions and src/api.
import { type Known } from "../../api/types/common";

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

/** When the backups are taken. */
export interface NodeBackupScheduleResult {
  /** Day of the backups, such as `Saturday`. */
  day?: string | undefined;
  /** Window in which the backups are taken, such as `W22`. */
  window?: string | undefined;
}

/** The backup service of the node. */
export interface NodeBackupsResult {
  /** Whether a backup can be restored. */
  available?: boolean | undefined;
  /** Whether the backup service is on. */
  enabled: boolean;
  /** Time of the last backup that succeeded, `YYYY-MM-DDThh:mm:ss`. */
  lastSuccessful?: string | undefined;
  /** When the backups are taken. */
  schedule?: NodeBackupScheduleResult | undefined;
}

/** A node instance: a virtual machine. */
export interface NodeResult {
  /** The id of its resource. */
  id: string;
  /** Name in the account. */
  label: string;
  /** A group label. @deprecated The API has deprecated it. */
  group?: string | undefined;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  type: string;
  /** Id of the image from which the node was deployed. */
  image?: string | undefined;
  /** Status of the node. */
  status: Known<
    | "running"
    | "offline"
    | "booting"
    | "rebooting"
    | "shutting_down"
    | "provisioning"
    | "deleting"
    | "migrating"
    | "rebuilding"
    | "cloning"
    | "restoring"
    | "stopped"
  >;
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

/** The sizes of the node's type. Their units are not documented. */
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
