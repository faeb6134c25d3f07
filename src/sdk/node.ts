// Written by `npm run generate` from src/resources/node.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";
import {
  type NodeAlertsArgs,
  type NodeBackupsArgs,
  type NodeInterfaceArgs,
  type NodeMetadataArgs,
  type NodeReadyWhenArgs,
  type NodeRestoreArgs,
  type NodeTurnArgs,
} from "./inputs";
import {
  type NodeAlerts,
  type NodeBackups,
  type NodeInterface,
  type NodeMetadata,
  type NodeReadyWhen,
  type NodeRestore,
  type NodeSpecs,
  type NodeTurn,
} from "./types";

/** Inputs of a {@link Node}. */
export interface NodeArgs {
  /**
   * The id of the region, such as `us-east`. A change replaces the node.
   * @example "us-east"
   */
  region: pulumi.Input<string>;
  /**
   * The id of the node's type (its plan), such as `g6-standard-1`. A change resizes the node in place, or replaces it with
   * `resize: "replace"`.
   * @example "g6-standard-1"
   */
  type: pulumi.Input<string>;
  /**
   * What a change of `type` does: `in-place` resizes the node, `replace` creates a new one. A change has no effect by
   * itself. Removing it has no effect.
   * @default "in-place"
   * @example "replace"
   */
  resize?: pulumi.Input<"in-place" | "replace">;
  /**
   * The label of the node, for display only. 3 to 64 characters. A change updates the node in place. Removing it restores
   * the automatic name.
   * @default the resource's name and a derived suffix
   * @example "web"
   */
  label?: pulumi.Input<string>;
  /**
   * A group label. A change updates the node in place. Removing it keeps the current value; the preview warns.
   * @example "shop"
   * @deprecated The API has deprecated it.
   */
  group?: pulumi.Input<string>;
  /**
   * Tags for organization. Order is ignored. Only an unrestricted user may set them. A change updates the node in place.
   * Removing it resets it to `[]`.
   * @default []
   * @example ["production"]
   */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The id of the image to deploy from, such as `node/debian12` or `private/12`. A change replaces the node. Removing it
   * keeps the current value; the preview warns.
   * @example "node/debian12"
   */
  image?: pulumi.Input<string>;
  /**
   * The root password of a node that is deployed from an image or a StackScript. Secret. 7 to 128 characters. A change
   * replaces the node. Removing it keeps the current value; the preview warns.
   * @default a generated password if the node has an image
   * @example "replace this password"
   */
  rootPass?: pulumi.Input<string>;
  /**
   * Public SSH keys for the root user of a node that is deployed from an image or a StackScript. A change replaces the
   * node. Removing it keeps the current value; the preview warns.
   * @example ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5Jr3K5mqoFQg8d8JvLqPBoKc7rSJkkhBvEzGBTYv0D"]
   */
  authorizedKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Names of users whose SSH keys the root user gets. Each user must have an SSH key in the profile. A change replaces the
   * node. Removing it keeps the current value; the preview warns.
   * @example ["ops"]
   */
  authorizedUsers?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The size of the swap disk. The API reference does not show its unit. The service uses it only for a deployment from an
   * image. A change replaces the node. Removing it resets it to `512`, which replaces the node.
   * @default 512
   * @example 1024
   */
  swapSize?: pulumi.Input<number>;
  /**
   * The id of a StackScript to run during deployment. It requires a compatible image. A change replaces the node. Removing
   * it keeps the current value; the preview warns.
   * @example 123
   */
  stackscriptId?: pulumi.Input<number>;
  /**
   * The user-defined fields of the StackScript, at most 65535 characters as JSON. Required if the StackScript needs them.
   * Secret. A change replaces the node. Removing it keeps the current value; the preview warns.
   * @example { hostname: "www.example.org" }
   */
  stackscriptData?: pulumi.Input<Record<string, unknown>>;
  /**
   * The id of a backup of another node to create this node from: a number, or the id of a NodeBackupSnapshot. The type
   * must be large enough for the backup. A change replaces the node. Removing it keeps the current value; the preview
   * warns.
   * @example "123/456"
   */
  backupId?: pulumi.Input<string | number>;
  /**
   * The id of a node to clone. The service copies its tags. If that node has user data, `metadata` or `userData` is
   * required. A change replaces the node. Removing it keeps the current value; the preview warns.
   * @example "123"
   */
  cloneFrom?: pulumi.Input<string | number>;
  /**
   * The ids of the disks to clone. Only with `cloneFrom`. A change replaces the node. Removing it keeps the current value;
   * the preview warns.
   * @default all disks
   * @example [123]
   */
  disks?: pulumi.Input<pulumi.Input<number>[]>;
  /**
   * The ids of the configuration profiles to clone. Only with `cloneFrom`. A change replaces the node. Removing it keeps
   * the current value; the preview warns.
   * @default all configuration profiles
   * @example [123]
   */
  configs?: pulumi.Input<pulumi.Input<number>[]>;
  /**
   * A backup to restore to this node, also right after its creation. To create a node from a backup, use `backupId`. A
   * change restores the backup.
   * @example { backupId: "123/456" }
   */
  restoreFromBackup?: pulumi.Input<NodeRestoreArgs>;
  /**
   * Whether the backup service is on. Turning it off deletes all backups of the node for good. A change updates the node
   * in place. Removing it keeps the current value; the preview warns.
   * @example true
   */
  backupsEnabled?: pulumi.Input<boolean>;
  /**
   * The settings of the backup service. A change updates the node in place.
   * @example { schedule: { day: "Saturday" } }
   */
  backups?: pulumi.Input<NodeBackupsArgs>;
  /**
   * Whether the node should run. With `true`, a stopped node is drift, and the next `up` boots it. The API has no
   * operation to stop a node. A change to `true` boots the node; a change to `false` is refused. Removing it keeps the
   * current value; the preview warns.
   * @default `true` at creation; afterwards the power state is unmanaged
   * @example true
   */
  booted?: pulumi.Input<boolean>;
  /**
   * The id of the configuration profile to use when `booted` boots a stopped node. A change has no effect by itself.
   * Removing it has no effect.
   * @default the only profile, or the last booted one
   * @example 123
   */
  bootConfigId?: pulumi.Input<number>;
  /**
   * What has to answer before a creation, a replacement, a resize, a restore or a boot counts as done. The machine that
   * runs Pulumi asks. See `docs/ready.md`. A change asks again, and sends nothing. Removing it clears it.
   * @example { http: { port: 8080 } }
   */
  readyWhen?: pulumi.Input<NodeReadyWhenArgs>;
  /**
   * Which nodes are interrupted one after the other: by a resize, a restore, a boot, or the deletion of the old node after
   * a replacement. The next one waits until the one before is ready. See `docs/ready.md`. A change sends nothing. Removing
   * it clears it.
   * @default no node waits for another
   * @example { group: "web" }
   */
  turn?: pulumi.Input<NodeTurnArgs>;
  /**
   * How long `pulumi up` keeps the node before it deletes it, in seconds: the old node of a replacement, or one that was
   * removed from the program. In this time clients forget its address, so it is at least the TTL of the records that led
   * to it. `pulumi destroy` does not wait. 0 to 604800. A change sends nothing. Removing it resets it to `0`.
   * @default 0
   * @example 600
   */
  drainSec?: pulumi.Input<number>;
  /**
   * Whether the node gets a private IPv4 address and private networking. A change replaces the node. Removing it keeps the
   * current value; the preview warns.
   * @example true
   */
  privateIp?: pulumi.Input<boolean>;
  /**
   * The network interfaces. An empty list gives the node only a public interface. Without an interface with the purpose
   * `public`, the node still gets public addresses, but you must configure them on the node before you can use them. At
   * most 3 items. A change replaces the node. Removing it keeps the current value; the preview warns.
   * @example [{ purpose: "vlan" }]
   */
  interfaces?: pulumi.Input<pulumi.Input<NodeInterfaceArgs>[]>;
  /**
   * The metadata of the node. Secret. A change replaces the node.
   * @example { userData: "I2Nsb3VkLWNvbmZpZwpwYWNrYWdlczogW25naW54XQo=" }
   */
  metadata?: pulumi.Input<NodeMetadataArgs>;
  /**
   * The cloud-config as plain text, in place of `metadata.userData`. The provider encodes it in base64. Secret. A change
   * replaces the node. Removing it keeps the current value; the preview warns.
   * @example "#cloud-config\npackages: [nginx]\n"
   */
  userData?: pulumi.Input<string>;
  /**
   * The alert levels of the node. The API reference shows neither their meaning nor their units. A change updates the node
   * in place.
   * @example { cpu: 90 }
   */
  alerts?: pulumi.Input<NodeAlertsArgs>;
  /**
   * Whether a watchdog boots the node again after an unexpected power-off. It stops after more than 5 boots within 15
   * minutes. A change updates the node in place. Removing it keeps the current value; the preview warns.
   * @example true
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

  /** Whether an object is a node of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is Node {
    return isOfType(outlines.Node, object);
  }

  /** The id of the region, such as `us-east`. */
  declare readonly region: pulumi.Output<string>;
  /** The id of the node's type (its plan), such as `g6-standard-1`. */
  declare readonly type: pulumi.Output<string>;
  /** What a change of `type` does: `in-place` resizes the node, `replace` creates a new one. */
  declare readonly resize: pulumi.Output<"in-place" | "replace" | undefined>;
  /** The label of the node. */
  declare readonly label: pulumi.Output<string>;
  /**
   * A group label.
   * @deprecated The API has deprecated it.
   */
  declare readonly group: pulumi.Output<string | undefined>;
  /** The tags of the node. */
  declare readonly tags: pulumi.Output<string[]>;
  /** The id of the image to deploy from, such as `node/debian12` or `private/12`. */
  declare readonly image: pulumi.Output<string | undefined>;
  /** The root password, set or generated. Undefined for an imported node. Secret. */
  declare readonly rootPass: pulumi.Output<string | undefined>;
  /** Public SSH keys for the root user of a node that is deployed from an image or a StackScript. */
  declare readonly authorizedKeys: pulumi.Output<string[] | undefined>;
  /** Names of users whose SSH keys the root user gets. Each user must have an SSH key in the profile. */
  declare readonly authorizedUsers: pulumi.Output<string[] | undefined>;
  /**
   * The size of the swap disk. The API reference does not show its unit. The service uses it only for a deployment from an
   * image.
   */
  declare readonly swapSize: pulumi.Output<number | undefined>;
  /** The id of a StackScript to run during deployment. It requires a compatible image. */
  declare readonly stackscriptId: pulumi.Output<number | undefined>;
  /**
   * The user-defined fields of the StackScript, at most 65535 characters as JSON. Required if the StackScript needs them.
   * Secret.
   */
  declare readonly stackscriptData: pulumi.Output<Record<string, unknown> | undefined>;
  /**
   * The id of a backup of another node to create this node from: a number, or the id of a NodeBackupSnapshot. The type
   * must be large enough for the backup.
   */
  declare readonly backupId: pulumi.Output<string | undefined>;
  /**
   * The id of a node to clone. The service copies its tags. If that node has user data, `metadata` or `userData` is
   * required.
   */
  declare readonly cloneFrom: pulumi.Output<string | undefined>;
  /** The ids of the disks to clone. Only with `cloneFrom`. */
  declare readonly disks: pulumi.Output<number[] | undefined>;
  /** The ids of the configuration profiles to clone. Only with `cloneFrom`. */
  declare readonly configs: pulumi.Output<number[] | undefined>;
  /** A backup to restore to this node, also right after its creation. To create a node from a backup, use `backupId`. */
  declare readonly restoreFromBackup: pulumi.Output<NodeRestore | undefined>;
  /** Whether the backup service is on. */
  declare readonly backupsEnabled: pulumi.Output<boolean>;
  /** The backup service of the node. */
  declare readonly backups: pulumi.Output<NodeBackups>;
  /** Whether the node runs. */
  declare readonly booted: pulumi.Output<boolean>;
  /** The id of the configuration profile to use when `booted` boots a stopped node. */
  declare readonly bootConfigId: pulumi.Output<number | undefined>;
  /**
   * What has to answer before a creation, a replacement, a resize, a restore or a boot counts as done. The machine that
   * runs Pulumi asks. See `docs/ready.md`.
   */
  declare readonly readyWhen: pulumi.Output<NodeReadyWhen | undefined>;
  /**
   * Which nodes are interrupted one after the other: by a resize, a restore, a boot, or the deletion of the old node after
   * a replacement. The next one waits until the one before is ready. See `docs/ready.md`.
   */
  declare readonly turn: pulumi.Output<NodeTurn | undefined>;
  /**
   * How long `pulumi up` keeps the node before it deletes it, in seconds: the old node of a replacement, or one that was
   * removed from the program. In this time clients forget its address, so it is at least the TTL of the records that led
   * to it. `pulumi destroy` does not wait.
   */
  declare readonly drainSec: pulumi.Output<number | undefined>;
  /** Whether the node gets a private IPv4 address and private networking. */
  declare readonly privateIp: pulumi.Output<boolean | undefined>;
  /**
   * The network interfaces. An empty list gives the node only a public interface. Without an interface with the purpose
   * `public`, the node still gets public addresses, but you must configure them on the node before you can use them.
   */
  declare readonly interfaces: pulumi.Output<NodeInterface[] | undefined>;
  /** The metadata of the node. Secret. */
  declare readonly metadata: pulumi.Output<NodeMetadata | undefined>;
  /** The cloud-config as plain text, in place of `metadata.userData`. The provider encodes it in base64. Secret. */
  declare readonly userData: pulumi.Output<string | undefined>;
  /** The alert levels of the node. */
  declare readonly alerts: pulumi.Output<NodeAlerts>;
  /** Whether a watchdog boots the node again after an unexpected power-off. */
  declare readonly watchdogEnabled: pulumi.Output<boolean>;
  /** The status of the node. The service may add other values. */
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
  /** The IPv4 addresses: the public one, and the private one if the node has it. */
  declare readonly ipv4: pulumi.Output<string[]>;
  /** The IPv6 (SLAAC) address. */
  declare readonly ipv6: pulumi.Output<string | undefined>;
  /** The sizes of the node's type. The API reference does not show their units. */
  declare readonly specs: pulumi.Output<NodeSpecs>;
  /** When the node was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  /** When the node was last updated: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly updated: pulumi.Output<string>;

  /**
   * Declares a node.
   * @param name The name of the resource in the program.
   * @param args The inputs of the node. They have `userData` or `metadata`, not both.
   * @param opts The options of the resource.
   */
  constructor(
    name: string,
    args: Omit<NodeArgs, "userData" | "metadata"> &
      (Pick<NodeArgs, "userData"> | (Pick<NodeArgs, "metadata"> & { userData?: undefined })),
    opts?: pulumi.CustomResourceOptions,
  ) {
    super(outlines.Node, name, args, opts);
  }

  /**
   * Reads an existing node without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the node. It has the form 123.
   * @param opts The options of the resource.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Node {
    return NodeCloudResource.existing(Node, name, id, opts);
  }
}
