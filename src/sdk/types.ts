// Written by `npm run generate` from src/resources.

/** The host names of a database. A creation waits for the primary host name. During provisioning, the database has none. */
export interface DatabaseHosts {
  /** The primary host name. */
  primary: string;
  /** The secondary host name. */
  secondary?: string;
}

/** What has to answer before a database is ready. */
export interface DatabaseReadyWhen {
  /** Whether the port of the database has to accept a connection. Only `true`. */
  tcp: boolean;
  /** The address to ask: `primary` (the default), `secondary`, an IP address or a host name. */
  address?: string;
  /** The pause between two tries, in seconds. Default: 2. */
  interval?: number;
  /** The number of answers in a row. Default: 1. */
  answers?: number;
}

/**
 * The maintenance window, in which the service patches the operating system. A database with `clusterSize: 1` has downtime
 * then. The API reference does not show the limits of its values.
 */
export interface DatabaseUpdates {
  /** The day of the week. */
  dayOfWeek?: number;
  /** The length of the window. The API reference does not show its unit. */
  duration?: number;
  /** How often maintenance takes place. */
  frequency?: "weekly" | "monthly" | (string & {});
  /** The hour of the day. */
  hourOfDay?: number;
  /** The week of the month. */
  weekOfMonth?: number;
}

/** The alert levels of the node. The API reference shows neither their meaning nor their units. */
export interface NodeAlerts {
  /** The alert level of the CPU. */
  cpu?: number;
  /** The alert level of I/O. */
  io?: number;
  /** The alert level of incoming traffic. */
  networkIn?: number;
  /** The alert level of outgoing traffic. */
  networkOut?: number;
  /** The alert level of the transfer quota. */
  transferQuota?: number;
}

/** A disk in a backup. */
export interface NodeBackupDisk {
  /** The file system of the disk. */
  filesystem: string;
  /** The label of the disk. */
  label: string;
  /** The size of the disk. The API reference does not show its unit. */
  size: number;
}

/** The schedule of the backups. The API reference does not list its values. */
export interface NodeBackupSchedule {
  /** The day of the backups, such as `Saturday`. */
  day?: string;
  /** The time window of the backups, as a code such as `W22`. */
  window?: string;
}

/** The backup service of a node. */
export interface NodeBackups {
  /** Whether a backup is available. */
  available?: boolean;
  /** Whether the backup service is on. */
  enabled: boolean;
  /** When the last successful backup was taken: `YYYY-MM-DDThh:mm:ss`. */
  lastSuccessful?: string;
  /** The schedule of the backups. */
  schedule?: NodeBackupSchedule;
}

/** An HTTP request with GET that has to be answered. */
export interface NodeHttpProbe {
  /** The port. Default: 80, or 443 with `tls`. */
  port?: number;
  /** The path, with a query if needed. Default: `/`. Messages omit the query. */
  path?: string;
  /** The status of the answer. Default: any from 200 to 299. Redirects are not followed. */
  status?: number;
  /** The header `Host`, and with `tls` the name in the certificate. Default: the address. */
  host?: string;
  /** Whether to use HTTPS. Default: `false`. */
  tls?: boolean;
  /** With `tls`, whether the certificate must be valid. Default: `true`. */
  verify?: boolean;
  /** A text that the answer must contain, in its first 64 KiB. */
  body?: string;
  /** The address to ask: `public` (the default), `private`, `ipv6`, an IP address or a host name. */
  address?: string;
  /** The pause between two tries, in seconds. Default: 2. */
  interval?: number;
  /** The number of answers in a row. Default: 1. */
  answers?: number;
}

/** A network interface. Its position in the list selects the interface on the node. */
export interface NodeInterface {
  /** The purpose of the interface. */
  purpose: "public" | "vlan" | (string & {});
  /** The label of the interface. */
  label?: string;
  /** The IPAM address of the interface. */
  ipamAddress?: string;
}

/** The metadata of the node. */
export interface NodeMetadata {
  /**
   * A cloud-config in base64. It requires an image with the capability `cloud-init` and a region with the capability
   * `Metadata`. Secret.
   */
  userData?: string;
}

/** What has to answer before a node is ready. */
export interface NodeReadyWhen {
  /** An HTTP request with GET that has to be answered. */
  http?: NodeHttpProbe;
  /** A TCP connection that has to be accepted. */
  tcp?: NodeTcpProbe;
  /** An SSH server that has to send its banner. Nobody logs in. */
  ssh?: NodeSshProbe;
}

/** A backup to restore to this node, also right after its creation. To create a node from a backup, use `backupId`. */
export interface NodeRestore {
  /**
   * The id of a backup of any node in the region: `nodeId/backupId`, which is the id of a NodeBackupSnapshot. A number
   * alone is a backup of this node.
   */
  backupId: string;
  /**
   * Whether to delete all disks and configuration profiles of the node first. Otherwise the restore adds the disks of the
   * backup.
   */
  overwrite?: boolean;
}

/** The sizes of a node's type. The API reference does not show their units. */
export interface NodeSpecs {
  /** The size of the disk. */
  disk: number;
  /** The number of GPUs. */
  gpus: number;
  /** The size of the memory. */
  memory: number;
  /** The transfer of the type. The API reference does not show its meaning. */
  transfer: number;
  /** The number of virtual CPUs. */
  vcpus: number;
}

/** An SSH server that has to send its banner. Nobody logs in. */
export interface NodeSshProbe {
  /** The port. Default: 22. */
  port?: number;
  /** The public host keys of which the server must prove one, each as its type and its data. By default any server will do. */
  hostKeyIn?: string[];
  /** The address to ask: `public` (the default), `private`, `ipv6`, an IP address or a host name. */
  address?: string;
  /** The pause between two tries, in seconds. Default: 2. */
  interval?: number;
  /** The number of answers in a row. Default: 1. */
  answers?: number;
}

/** A TCP connection that has to be accepted. */
export interface NodeTcpProbe {
  /** The port. */
  port: number;
  /** The address to ask: `public` (the default), `private`, `ipv6`, an IP address or a host name. */
  address?: string;
  /** The pause between two tries, in seconds. Default: 2. */
  interval?: number;
  /** The number of answers in a row. Default: 1. */
  answers?: number;
}

/** Which nodes are interrupted one after the other. */
export interface NodeTurn {
  /** The name of the group. The nodes of the stack with the same name belong to it. */
  group: string;
  /** How many nodes of the group may be interrupted or not ready at a time. Default: 1. */
  max?: number;
}
