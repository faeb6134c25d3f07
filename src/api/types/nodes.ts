// Written by `npm run generate` from src/api/nodes.ts.
import { type Json, type Known } from "./common";

/** A node instance: a virtual machine. Fields that the reference does not name are kept unchanged. */
export interface Node {
  [field: string]: unknown;
  id: number;
  /** Name in the account. */
  label: string;
  /** A group label. @deprecated The API has deprecated it. */
  group?: string | null | undefined;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  type: string;
  /** Id of the image from which the node was deployed. */
  image?: string | null | undefined;
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
  hypervisor?: string | null | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
  /** UUID of the machine that the node runs on. */
  host_uuid?: string | null | undefined;
  /** Whether the node was created with metadata user data. */
  has_user_data?: boolean | null | undefined;
  /** The public address, and the private address if the node has one. */
  ipv4?: string[] | null | undefined;
  /** IPv6 address with its prefix length. */
  ipv6?: string | null | undefined;
  /** The sizes of the node's type. Their units are not documented. */
  specs?:
    | {
        [field: string]: unknown;
        /** The size of the disk. */
        disk?: number | null | undefined;
        /** Number of GPUs. */
        gpus?: number | null | undefined;
        /** Size of the memory. */
        memory?: number | null | undefined;
        /** The transfer. */
        transfer?: number | null | undefined;
        /** Number of virtual CPUs. */
        vcpus?: number | null | undefined;
      }
    | null
    | undefined;
  /** The alert levels of the node. The API reference shows neither their meaning nor their units. */
  alerts?: (NodeAlertLevels & { [field: string]: unknown }) | null | undefined;
  /** The backup service of the node. */
  backups?:
    | {
        [field: string]: unknown;
        /** Whether a backup can be restored. */
        available?: boolean | null | undefined;
        /** Whether the backup service is on. */
        enabled: boolean;
        /** Time of the last backup that succeeded, `YYYY-MM-DDThh:mm:ss`. */
        last_successful?: string | null | undefined;
        /** When the backups are taken. */
        schedule?: (NodeBackupTimes & { [field: string]: unknown }) | null | undefined;
      }
    | null
    | undefined;
  /** Tags of the node. */
  tags?: string[] | null | undefined;
  /** Whether the service reboots the node after an unexpected power-off. */
  watchdog_enabled?: boolean | null | undefined;
}

/** Usage levels at which the service raises an alert. Their units are not documented. */
export interface NodeAlertLevels {
  /** The alert level of the CPU. */
  cpu?: number | undefined;
  /** The alert level of I/O. */
  io?: number | undefined;
  /** The alert level of incoming traffic. */
  network_in?: number | undefined;
  /** The alert level of outgoing traffic. */
  network_out?: number | undefined;
  /** The alert level of the transfer quota. */
  transfer_quota?: number | undefined;
}

/** When the backup service takes backups. Its values are not documented. */
export interface NodeBackupTimes {
  /** Day of the backups, such as `Saturday`. */
  day?: string | null | undefined;
  /** Window in which the backups are taken, such as `W22`. */
  window?: string | null | undefined;
}

/** Body of a boot. */
export interface NodeBoot {
  /** Id of the configuration profile. @default the only profile, or the last booted one */
  config_id?: number | undefined;
}

/** Body of node cloning. With `node_id` it clones onto an existing node, otherwise it creates a node. */
export interface NodeClone {
  node_id?: number | undefined;
  /** Region id, for a new node. */
  region?: string | undefined;
  /** Type id, for a new node. */
  type?: string | undefined;
  /** 3 to 64 characters. */
  label?: string | undefined;
  /** A group label. @deprecated The API has deprecated it. */
  group?: string | undefined;
  backups_enabled?: boolean | undefined;
  /** Whether the new node gets a private IPv4 address. */
  private_ip?: boolean | undefined;
  /** Ids of the disks to clone. @default all of them */
  disks?: number[] | undefined;
  /** Ids of the configuration profiles to clone. @default all of them */
  configs?: number[] | undefined;
  metadata?: NodeMetadata | undefined;
}

/** Body of the creation of a node. */
export interface NodeCreate {
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  type: string;
  /** 3 to 64 characters. */
  label?: string | undefined;
  /** A group label. @deprecated The API has deprecated it. */
  group?: string | undefined;
  tags?: string[] | undefined;
  /** Image id to deploy from, such as `node/debian12` or `private/12`. */
  image?: string | undefined;
  /** Root password. 7 to 128 characters. */
  root_pass?: string | undefined;
  /** Public SSH keys for the root user. */
  authorized_keys?: string[] | undefined;
  /** Users of the account whose SSH keys are added to the root user. */
  authorized_users?: string[] | undefined;
  /** Size of the swap disk in MB. Only for a node with an image. */
  swap_size?: number | undefined;
  /** Id of a StackScript to run. */
  stackscript_id?: number | undefined;
  /** User-defined fields of the StackScript, at most 65535 characters of JSON. */
  stackscript_data?: Record<string, Json> | undefined;
  /** Id of another node's backup to create the node from. */
  backup_id?: number | undefined;
  backups_enabled?: boolean | undefined;
  booted?: boolean | undefined;
  /** Whether the node gets a private IPv4 address. */
  private_ip?: boolean | undefined;
  /** The order of the list is the order on the node. At most 3 items. */
  interfaces?:
    | {
        /** `public` and `vlan` are known. */
        purpose: string;
        label?: string | null | undefined;
        ipam_address?: string | null | undefined;
      }[]
    | undefined;
  metadata?: NodeMetadata | undefined;
}

/** Metadata of a new node. */
export interface NodeMetadata {
  /** A cloud-config, encoded as base64. */
  user_data: string;
}

/** Body of a resize. Its shape is assumed. */
export interface NodeResize {
  /** Type id, such as `g6-standard-1`. */
  type: string;
}

/** Body of a node update. */
export interface NodeUpdate {
  alerts?: NodeAlertLevels | undefined;
  backups?:
    | {
        schedule?: NodeBackupTimes | undefined;
      }
    | undefined;
  /** A group label. @deprecated The API has deprecated it. */
  group?: string | null | undefined;
  /** 3 to 64 characters. */
  label?: string | undefined;
  /** Only an unrestricted user can set tags. */
  tags?: string[] | undefined;
  /** Whether the service reboots the node after an unexpected power-off. */
  watchdog_enabled?: boolean | undefined;
}
