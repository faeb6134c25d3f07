import { type Json, type Known } from "./common";

/** A node instance, a virtual machine. Fields that the reference does not name pass as they are. */
export interface Node {
  [field: string]: unknown;
  id: number;
  label: string;
  /** A group label. Deprecated by the API. */
  group?: string | null | undefined;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  type: string;
  /** Id of the image that it was deployed from. */
  image?: string | null | undefined;
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
  hypervisor?: string | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
  host_uuid?: string | null | undefined;
  /** Whether it was created with metadata user data. */
  has_user_data?: boolean | null | undefined;
  /** The public address, and the private one where there is one. */
  ipv4?: string[] | null | undefined;
  ipv6?: string | null | undefined;
  /** The sizes of its type; their units are not documented. */
  specs?:
    | {
        [field: string]: unknown;
        disk?: number | null | undefined;
        gpus?: number | null | undefined;
        memory?: number | null | undefined;
        transfer?: number | null | undefined;
        vcpus?: number | null | undefined;
      }
    | null
    | undefined;
  /** Usage levels at which the service raises an alert; their units are not documented. */
  alerts?: (NodeAlertLevels & { [field: string]: unknown }) | null | undefined;
  /** The backup service of the node. */
  backups?:
    | {
        [field: string]: unknown;
        /** Whether there is a backup to restore. */
        available?: boolean | null | undefined;
        enabled: boolean;
        /** `YYYY-MM-DDThh:mm:ss`. */
        last_successful?: string | null | undefined;
        schedule?: (NodeBackupTimes & { [field: string]: unknown }) | null | undefined;
      }
    | null
    | undefined;
  tags?: string[] | null | undefined;
  /** Whether it is booted again when it powers off unexpectedly. */
  watchdog_enabled?: boolean | null | undefined;
}

/** Usage levels at which the service raises an alert; their units are not documented. */
export interface NodeAlertLevels {
  cpu?: number | undefined;
  io?: number | undefined;
  network_in?: number | undefined;
  network_out?: number | undefined;
  transfer_quota?: number | undefined;
}

/** When the backup service takes its backups. Its values are not documented. */
export interface NodeBackupTimes {
  day?: string | null | undefined;
  window?: string | null | undefined;
}

/** Body of the creation of a node. */
export interface NodeCreate {
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  type: string;
  /** 3 to 64 characters. */
  label?: string | undefined;
  /** A group label. Deprecated by the API. */
  group?: string | undefined;
  tags?: string[] | undefined;
  /** Image id to deploy from, such as `node/debian12` or `private/12`. */
  image?: string | undefined;
  /** Root password, 7 to 128 characters. */
  root_pass?: string | undefined;
  /** Public SSH keys for the root user. */
  authorized_keys?: string[] | undefined;
  /** Users of the account whose SSH keys the root user gets. */
  authorized_users?: string[] | undefined;
  /** Size of the swap disk in MB, where the node has an image. */
  swap_size?: number | undefined;
  /** Id of a StackScript to run. */
  stackscript_id?: number | undefined;
  /** Its user-defined fields, at most 65535 characters of JSON. */
  stackscript_data?: Record<string, Json> | undefined;
  /** Id of another node's backup to create the node from. */
  backup_id?: number | undefined;
  backups_enabled?: boolean | undefined;
  booted?: boolean | undefined;
  /** Whether the node gets a private IPv4 address. */
  private_ip?: boolean | undefined;
  /** At most 3; the place of one in the list is its place on the node. */
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

/** What a new node is told of itself. */
export interface NodeMetadata {
  /** A cloud-config in base64. */
  user_data: string;
}

/** Body of a node update. */
export interface NodeUpdate {
  alerts?: NodeAlertLevels | undefined;
  backups?: { schedule?: NodeBackupTimes | undefined } | undefined;
  /** A group label. Deprecated by the API. */
  group?: string | null | undefined;
  /** 3 to 64 characters. */
  label?: string | undefined;
  /** Only an unrestricted user may set them. */
  tags?: string[] | undefined;
  /** Whether the node is booted again when it powers off unexpectedly. */
  watchdog_enabled?: boolean | undefined;
}

/** Body of node cloning: `node_id` clones onto an existing node, otherwise a new node is made. */
export interface NodeClone {
  node_id?: number | undefined;
  /** Region id, for a new node. */
  region?: string | undefined;
  /** Type id, for a new node. */
  type?: string | undefined;
  /** 3 to 64 characters. */
  label?: string | undefined;
  /** A group label. Deprecated by the API. */
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

/** Body of a boot. */
export interface NodeBoot {
  /** Id of the configuration profile. @default the only one, or the one that was booted last */
  config_id?: number | undefined;
}

/** Body of a resize. Its shape is an assumption. */
export interface NodeResize {
  /** Type id, such as `g6-standard-1`. */
  type: string;
}
