// Written by `npm run generate` from src/resources/node.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";
import {
  type NodeAlerts,
  type NodeAlertsArgs,
  type NodeBackups,
  type NodeBackupsArgs,
  type NodeInterface,
  type NodeInterfaceArgs,
  type NodeMetadata,
  type NodeMetadataArgs,
  type NodeRestore,
  type NodeRestoreArgs,
  type NodeSpecs,
} from "./types";

/** Inputs of a {@link Node}. */
export interface NodeArgs {
  /** The id of the region, such as `us-east`. A change replaces the node. */
  region: pulumi.Input<string>;
  /**
   * The id of the node's type, which sets its plan, such as `g6-standard-1`. A change resizes the node in place, or
   * replaces it with `resize: "replace"`.
   */
  type: pulumi.Input<string>;
  /**
   * What a change of `type` does: `in-place` resizes the node, `replace` creates a new one. A change by itself does
   * nothing.
   * @default "in-place"
   */
  resize?: pulumi.Input<"in-place" | "replace">;
  /**
   * The name of the node in the account. 3 to 64 characters. A change updates it in place. Removing it restores the
   * automatic name.
   * @default the resource's name and a derived suffix
   */
  label?: pulumi.Input<string>;
  /** A group label. The API has deprecated it. A change updates it in place. Removing it leaves the value as it is. */
  group?: pulumi.Input<string>;
  /**
   * Tags for grouping. Order is ignored. Only an unrestricted user may set them. A change updates it in place. Removing it
   * restores the default.
   * @default []
   */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The id of the image to deploy from, such as `node/debian12` or `private/12`. A change replaces the node. Removing it
   * leaves the value as it is.
   */
  image?: pulumi.Input<string>;
  /**
   * The root password of a node that is deployed from an image or a StackScript. Secret. 7 to 128 characters. A change
   * replaces the node. Removing it leaves the value as it is.
   * @default a generated password, where the node has an image
   */
  rootPass?: pulumi.Input<string>;
  /**
   * Public SSH keys for the root user of a node that is deployed from an image or a StackScript. A change replaces the
   * node. Removing it leaves the value as it is.
   */
  authorizedKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Users of the account whose SSH keys the root user gets. Each must have a key in its profile. A change replaces the
   * node. Removing it leaves the value as it is.
   */
  authorizedUsers?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The size of the swap disk in MB. The service ignores it without an image. A change replaces the node. Removing it
   * restores the default, which replaces the node.
   * @default 512
   */
  swapSize?: pulumi.Input<number>;
  /**
   * The id of a StackScript to run. It requires a compatible image. A change replaces the node. Removing it leaves the
   * value as it is.
   */
  stackscriptId?: pulumi.Input<number>;
  /**
   * The user-defined fields of the StackScript, at most 65535 characters as JSON. Secret. A change replaces the node.
   * Removing it leaves the value as it is.
   */
  stackscriptData?: pulumi.Input<Record<string, unknown>>;
  /**
   * The id of another node's backup to create the node from: a number, or the id of a NodeBackupSnapshot. A change
   * replaces the node. Removing it leaves the value as it is.
   */
  backupId?: pulumi.Input<string | number>;
  /**
   * The id of a node to clone. Its tags are copied. If it has user data, `metadata` or `userData` is required. A change
   * replaces the node. Removing it leaves the value as it is.
   */
  cloneFrom?: pulumi.Input<string | number>;
  /**
   * The ids of the disks to clone. Only with `cloneFrom`. A change replaces the node. Removing it leaves the value as it
   * is.
   * @default all disks
   */
  disks?: pulumi.Input<pulumi.Input<number>[]>;
  /**
   * The ids of the configuration profiles to clone. Only with `cloneFrom`. A change replaces the node. Removing it leaves
   * the value as it is.
   * @default all configuration profiles
   */
  configs?: pulumi.Input<pulumi.Input<number>[]>;
  /**
   * A backup to restore to this node when the input changes, or right after creation. To create a node from a backup, use
   * `backupId`. A change restores the backup.
   */
  restoreFromBackup?: pulumi.Input<NodeRestoreArgs>;
  /**
   * Whether the backup service is on. Turning it off deletes all backups of the node. A change updates it in place.
   * Removing it leaves the value as it is.
   */
  backupsEnabled?: pulumi.Input<boolean>;
  /** When the backup service takes its backups. A change updates it in place. */
  backups?: pulumi.Input<NodeBackupsArgs>;
  /**
   * Whether the node should run. With `true`, a stopped node is drift, and the next `up` boots it. The API has no
   * operation to stop a node. A change to true boots the node. A change to false is refused. Removing it leaves the value
   * as it is.
   * @default true at creation; afterwards the power state is unmanaged
   */
  booted?: pulumi.Input<boolean>;
  /**
   * The id of the configuration profile with which `booted` boots a stopped node. A change by itself does nothing.
   * @default the only profile, or the one that was booted last
   */
  bootConfigId?: pulumi.Input<number>;
  /** Whether the node gets a private IPv4 address. A change replaces the node. Removing it leaves the value as it is. */
  privateIp?: pulumi.Input<boolean>;
  /**
   * The network interfaces. An empty list gives the node a public interface only. Without an interface of the purpose
   * `public`, the node still gets public addresses, but they stay unusable until you configure them on the node. At most 3
   * items. A change replaces the node. Removing it leaves the value as it is.
   */
  interfaces?: pulumi.Input<pulumi.Input<NodeInterfaceArgs>[]>;
  /** Metadata for the node. Secret. A change replaces the node. */
  metadata?: pulumi.Input<NodeMetadataArgs>;
  /**
   * The cloud-config as plain text, in place of `metadata`. Secret. A change replaces the node. Removing it leaves the
   * value as it is.
   */
  userData?: pulumi.Input<string>;
  /**
   * Usage levels at which the service raises an alert. The API reference does not show their units. A change updates it in
   * place.
   */
  alerts?: pulumi.Input<NodeAlertsArgs>;
  /**
   * Whether the service boots the node again when it powers off unexpectedly. A change updates it in place. Removing it
   * leaves the value as it is.
   */
  watchdogEnabled?: pulumi.Input<boolean>;
}

/**
 * A node: a virtual machine.
 *
 * ```ts
 * const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
 * export const address = web.ipv4.apply((addresses) => addresses[0]);
 * ```
 */
export class Node extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.Node);

  /** @internal */
  static get description() {
    return descriptions.Node;
  }

  /** Whether an object is a node of this class. It knows those of other copies of the package, and what policies are shown. */
  static override isInstance(object: unknown): object is Node {
    return isOfType(outlines.Node, object);
  }

  /** The id of the region, such as `us-east`. */
  declare readonly region: pulumi.Output<string>;
  /** The id of the node's type, which sets its plan, such as `g6-standard-1`. */
  declare readonly type: pulumi.Output<string>;
  /** What a change of `type` does: `in-place` resizes the node, `replace` creates a new one. */
  declare readonly resize: pulumi.Output<"in-place" | "replace" | (string & {}) | undefined>;
  /** The name of the node in the account. */
  declare readonly label: pulumi.Output<string>;
  /** A group label. The API has deprecated it. */
  declare readonly group: pulumi.Output<string | undefined>;
  /** Tags for grouping. */
  declare readonly tags: pulumi.Output<string[]>;
  /** The id of the image to deploy from, such as `node/debian12` or `private/12`. */
  declare readonly image: pulumi.Output<string | undefined>;
  /** The root password: the one that was set, or the generated one. Absent for an adopted node. Secret. */
  declare readonly rootPass: pulumi.Output<string | undefined>;
  /** Public SSH keys for the root user of a node that is deployed from an image or a StackScript. */
  declare readonly authorizedKeys: pulumi.Output<string[] | undefined>;
  /** Users of the account whose SSH keys the root user gets. Each must have a key in its profile. */
  declare readonly authorizedUsers: pulumi.Output<string[] | undefined>;
  /** The size of the swap disk in MB. The service ignores it without an image. */
  declare readonly swapSize: pulumi.Output<number | undefined>;
  /** The id of a StackScript to run. It requires a compatible image. */
  declare readonly stackscriptId: pulumi.Output<number | undefined>;
  /** The user-defined fields of the StackScript, at most 65535 characters as JSON. Secret. */
  declare readonly stackscriptData: pulumi.Output<Record<string, unknown> | undefined>;
  /** The id of another node's backup to create the node from: a number, or the id of a NodeBackupSnapshot. */
  declare readonly backupId: pulumi.Output<string | undefined>;
  /** The id of a node to clone. Its tags are copied. If it has user data, `metadata` or `userData` is required. */
  declare readonly cloneFrom: pulumi.Output<string | undefined>;
  /** The ids of the disks to clone. Only with `cloneFrom`. */
  declare readonly disks: pulumi.Output<number[] | undefined>;
  /** The ids of the configuration profiles to clone. Only with `cloneFrom`. */
  declare readonly configs: pulumi.Output<number[] | undefined>;
  /**
   * A backup to restore to this node when the input changes, or right after creation. To create a node from a backup, use
   * `backupId`.
   */
  declare readonly restoreFromBackup: pulumi.Output<NodeRestore | undefined>;
  /** Whether the backup service is on. */
  declare readonly backupsEnabled: pulumi.Output<boolean>;
  /** The backup service of the node. */
  declare readonly backups: pulumi.Output<NodeBackups>;
  /** Whether the node runs. */
  declare readonly booted: pulumi.Output<boolean>;
  /** The id of the configuration profile with which `booted` boots a stopped node. */
  declare readonly bootConfigId: pulumi.Output<number | undefined>;
  /** Whether the node gets a private IPv4 address. */
  declare readonly privateIp: pulumi.Output<boolean | undefined>;
  /**
   * The network interfaces. An empty list gives the node a public interface only. Without an interface of the purpose
   * `public`, the node still gets public addresses, but they stay unusable until you configure them on the node.
   */
  declare readonly interfaces: pulumi.Output<NodeInterface[] | undefined>;
  /** Metadata for the node. Secret. */
  declare readonly metadata: pulumi.Output<NodeMetadata | undefined>;
  /** The cloud-config as plain text, in place of `metadata`. Secret. */
  declare readonly userData: pulumi.Output<string | undefined>;
  /** Usage levels at which the service raises an alert. */
  declare readonly alerts: pulumi.Output<NodeAlerts>;
  /** Whether the service boots the node again when it powers off unexpectedly. */
  declare readonly watchdogEnabled: pulumi.Output<boolean>;
  /** The status of the node. The service may add others. */
  declare readonly status: pulumi.Output<
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
    | (string & {})
  >;
  /** The hypervisor that runs the node. */
  declare readonly hypervisor: pulumi.Output<string>;
  /** The UUID of the host that runs the node. */
  declare readonly hostUuid: pulumi.Output<string | undefined>;
  /** Whether the node was created with metadata user data. */
  declare readonly hasUserData: pulumi.Output<boolean>;
  /** The public IPv4 address, and the private one where there is one. */
  declare readonly ipv4: pulumi.Output<string[]>;
  /** The IPv6 address. */
  declare readonly ipv6: pulumi.Output<string | undefined>;
  /** The sizes of the node's type. The API reference does not show their units. */
  declare readonly specs: pulumi.Output<NodeSpecs>;
  /** When the node was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  /** When the node was last updated: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly updated: pulumi.Output<string>;

  constructor(name: string, args: NodeArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.Node, name, args, opts);
  }

  /** Reads an existing node without managing it. The form of its id is 123. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Node {
    return NodeCloudResource.existing(Node, name, id, opts);
  }
}
