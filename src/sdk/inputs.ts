// Written by `npm run generate` from src/resources.
import type * as pulumi from "@pulumi/pulumi";

/** What has to answer before a database is ready. This is the type for inputs. */
export interface DatabaseReadyWhenArgs {
  /**
   * Whether the port of the database has to accept a connection. Only `true`.
   * @example true
   */
  tcp: pulumi.Input<boolean>;
  /**
   * The address to ask: `primary` (the default), `secondary`, an IP address or a host name.
   * @example "secondary"
   */
  address?: pulumi.Input<string>;
  /**
   * The pause between two tries, in seconds. Default: 2.
   * @example 5
   */
  interval?: pulumi.Input<number>;
  /**
   * The number of answers in a row. Default: 1.
   * @example 3
   */
  answers?: pulumi.Input<number>;
}

/**
 * The maintenance window, in which the service patches the operating system. A database with `clusterSize: 1` has downtime
 * then. The API reference does not show the limits of its values. This is the type for inputs.
 */
export interface DatabaseUpdatesArgs {
  /**
   * The day of the week. A change updates the database in place. Removing it keeps the current value; the preview warns.
   * @example 6
   */
  dayOfWeek?: pulumi.Input<number>;
  /**
   * The length of the window. The API reference does not show its unit. A change updates the database in place. Removing
   * it keeps the current value; the preview warns.
   * @example 3
   */
  duration?: pulumi.Input<number>;
  /**
   * How often maintenance takes place. A change updates the database in place. Removing it keeps the current value; the
   * preview warns.
   * @example "weekly"
   */
  frequency?: pulumi.Input<"weekly" | "monthly" | (string & {})>;
  /**
   * The hour of the day. A change updates the database in place. Removing it keeps the current value; the preview warns.
   * @example 2
   */
  hourOfDay?: pulumi.Input<number>;
  /**
   * The week of the month. A change updates the database in place. Removing it clears it.
   * @example 1
   */
  weekOfMonth?: pulumi.Input<number>;
}

/**
 * The alert levels of the node. The API reference shows neither their meaning nor their units. This is the type for
 * inputs.
 */
export interface NodeAlertsArgs {
  /**
   * The alert level of the CPU. A change updates the node in place. Removing it keeps the current value; the preview
   * warns.
   * @example 90
   */
  cpu?: pulumi.Input<number>;
  /**
   * The alert level of I/O. A change updates the node in place. Removing it keeps the current value; the preview warns.
   * @example 10000
   */
  io?: pulumi.Input<number>;
  /**
   * The alert level of incoming traffic. A change updates the node in place. Removing it keeps the current value; the
   * preview warns.
   * @example 10
   */
  networkIn?: pulumi.Input<number>;
  /**
   * The alert level of outgoing traffic. A change updates the node in place. Removing it keeps the current value; the
   * preview warns.
   * @example 10
   */
  networkOut?: pulumi.Input<number>;
  /**
   * The alert level of the transfer quota. A change updates the node in place. Removing it keeps the current value; the
   * preview warns.
   * @example 80
   */
  transferQuota?: pulumi.Input<number>;
}

/** The schedule of the backups. The API reference does not list its values. This is the type for inputs. */
export interface NodeBackupScheduleArgs {
  /**
   * The day of the backups, such as `Saturday`. A change updates the node in place. Removing it keeps the current value;
   * the preview warns.
   * @example "Saturday"
   */
  day?: pulumi.Input<string>;
  /**
   * The time window of the backups, as a code such as `W22`. A change updates the node in place. Removing it keeps the
   * current value; the preview warns.
   * @example "W22"
   */
  window?: pulumi.Input<string>;
}

/** The settings of the backup service. This is the type for inputs. */
export interface NodeBackupsArgs {
  /**
   * The schedule of the backups. The API reference does not list its values. A change updates the node in place.
   * @example { day: "Saturday" }
   */
  schedule?: pulumi.Input<NodeBackupScheduleArgs>;
}

/** An HTTP request with GET that has to be answered. This is the type for inputs. */
export interface NodeHttpProbeArgs {
  /**
   * The port. Default: 80, or 443 with `tls`.
   * @example 8080
   */
  port?: pulumi.Input<number>;
  /**
   * The path, with a query if needed. Default: `/`. Messages omit the query.
   * @example "/health"
   */
  path?: pulumi.Input<string>;
  /**
   * The status of the answer. Default: any from 200 to 299. Redirects are not followed.
   * @example 204
   */
  status?: pulumi.Input<number>;
  /**
   * The header `Host`, and with `tls` the name in the certificate. Default: the address.
   * @example "www.example.org"
   */
  host?: pulumi.Input<string>;
  /**
   * Whether to use HTTPS. Default: `false`.
   * @example true
   */
  tls?: pulumi.Input<boolean>;
  /**
   * With `tls`, whether the certificate must be valid. Default: `true`.
   * @example false
   */
  verify?: pulumi.Input<boolean>;
  /**
   * A text that the answer must contain, in its first 64 KiB.
   * @example "ok"
   */
  body?: pulumi.Input<string>;
  /**
   * The address to ask: `public` (the default), `private`, `ipv6`, an IP address or a host name.
   * @example "private"
   */
  address?: pulumi.Input<string>;
  /**
   * The pause between two tries, in seconds. Default: 2.
   * @example 5
   */
  interval?: pulumi.Input<number>;
  /**
   * The number of answers in a row. Default: 1.
   * @example 3
   */
  answers?: pulumi.Input<number>;
}

/** A network interface. Its position in the list selects the interface on the node. This is the type for inputs. */
export interface NodeInterfaceArgs {
  /**
   * The purpose of the interface.
   * @example "vlan"
   */
  purpose: pulumi.Input<"public" | "vlan" | (string & {})>;
  /**
   * The label of the interface.
   * @example "backend"
   */
  label?: pulumi.Input<string>;
  /**
   * The IPAM address of the interface.
   * @example "10.0.0.1/24"
   */
  ipamAddress?: pulumi.Input<string>;
}

/** The metadata of the node. This is the type for inputs. */
export interface NodeMetadataArgs {
  /**
   * A cloud-config in base64. It requires an image with the capability `cloud-init` and a region with the capability
   * `Metadata`. Secret. A change replaces the node. Removing it keeps the current value; the preview warns.
   * @example "I2Nsb3VkLWNvbmZpZwpwYWNrYWdlczogW25naW54XQo="
   */
  userData?: pulumi.Input<string>;
}

/** What has to answer before a node is ready. This is the type for inputs. */
export interface NodeReadyWhenArgs {
  /**
   * An HTTP request with GET that has to be answered.
   * @example { port: 8080 }
   */
  http?: pulumi.Input<NodeHttpProbeArgs>;
  /**
   * A TCP connection that has to be accepted.
   * @example { port: 5432 }
   */
  tcp?: pulumi.Input<NodeTcpProbeArgs>;
  /**
   * An SSH server that has to send its banner. Nobody logs in.
   * @example { port: 2222 }
   */
  ssh?: pulumi.Input<NodeSshProbeArgs>;
}

/**
 * A backup to restore to this node, also right after its creation. To create a node from a backup, use `backupId`. This is
 * the type for inputs.
 */
export interface NodeRestoreArgs {
  /**
   * The id of a backup of any node in the region: `nodeId/backupId`, which is the id of a NodeBackupSnapshot. A number
   * alone is a backup of this node. A change restores the backup. Removing it sends nothing; setting the same value again
   * repeats the operation.
   * @example "123/456"
   */
  backupId: pulumi.Input<string | number>;
  /**
   * Whether to delete all disks and configuration profiles of the node first. Otherwise the restore adds the disks of the
   * backup. A change restores the backup. Removing it sends nothing; setting the same value again repeats the operation.
   * @default false
   * @example true
   */
  overwrite?: pulumi.Input<boolean>;
}

/** An SSH server that has to send its banner. Nobody logs in. This is the type for inputs. */
export interface NodeSshProbeArgs {
  /**
   * The port. Default: 22.
   * @example 2222
   */
  port?: pulumi.Input<number>;
  /**
   * The public host keys of which the server must prove one, each as its type and its data. By default any server will do.
   * @example ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5Jr3K5mqoFQg8d8JvLqPBoKc7rSJkkhBvEzGBTYv0D"]
   */
  hostKeyIn?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The address to ask: `public` (the default), `private`, `ipv6`, an IP address or a host name.
   * @example "private"
   */
  address?: pulumi.Input<string>;
  /**
   * The pause between two tries, in seconds. Default: 2.
   * @example 5
   */
  interval?: pulumi.Input<number>;
  /**
   * The number of answers in a row. Default: 1.
   * @example 3
   */
  answers?: pulumi.Input<number>;
}

/** A TCP connection that has to be accepted. This is the type for inputs. */
export interface NodeTcpProbeArgs {
  /**
   * The port.
   * @example 5432
   */
  port: pulumi.Input<number>;
  /**
   * The address to ask: `public` (the default), `private`, `ipv6`, an IP address or a host name.
   * @example "private"
   */
  address?: pulumi.Input<string>;
  /**
   * The pause between two tries, in seconds. Default: 2.
   * @example 5
   */
  interval?: pulumi.Input<number>;
  /**
   * The number of answers in a row. Default: 1.
   * @example 3
   */
  answers?: pulumi.Input<number>;
}

/** Which nodes are interrupted one after the other. This is the type for inputs. */
export interface NodeTurnArgs {
  /**
   * The name of the group. The nodes of the stack with the same name belong to it.
   * @example "web"
   */
  group: pulumi.Input<string>;
  /**
   * How many nodes of the group may be interrupted or not ready at a time. Default: 1.
   * @example 2
   */
  max?: pulumi.Input<number>;
}
