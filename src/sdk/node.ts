import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { outlines } from "./outlines";

/** Usage levels at which the service raises an alert. Their units are not documented; a level that is not set is left as it is. */
export interface NodeAlerts {
  cpu?: pulumi.Input<number>;
  io?: pulumi.Input<number>;
  networkIn?: pulumi.Input<number>;
  networkOut?: pulumi.Input<number>;
  transferQuota?: pulumi.Input<number>;
}

/** When the backup service takes its backups. Its values are not documented: a weekday's name and a code such as `W22` were seen. */
export interface NodeBackupSchedule {
  day?: pulumi.Input<string>;
  window?: pulumi.Input<string>;
}

/** A network interface; its place in the list is its place on the node. */
export interface NodeInterface {
  /** `public` and `vlan` are known. */
  purpose: pulumi.Input<string>;
  label?: pulumi.Input<string>;
  ipamAddress?: pulumi.Input<string>;
}

/** A backup to restore to a node. */
export interface NodeRestore {
  /** A backup of any node of the region: `nodeId/backupId`, as a NodeBackupSnapshot's id is; a bare number is a backup of this node. */
  backupId: pulumi.Input<string | number>;
  /** Whether to delete all the node's disks and configuration profiles first. @default false: the backup's disks are added. */
  overwrite?: pulumi.Input<boolean>;
}

/** Inputs of a {@link Node}. */
export interface NodeArgs {
  /** Region id, such as `us-east`. A change replaces the node. */
  region: pulumi.Input<string>;
  /** Type id, such as `g6-standard-1`. A change resizes the node in place, or replaces it with `resize: "replace"`. */
  type: pulumi.Input<string>;
  /** What a change of `type` does: `in-place` resizes, `replace` makes a new node. @default "in-place" */
  resize?: pulumi.Input<"in-place" | "replace">;
  /** 3 to 64 characters. @default the resource's name and a derived suffix. A change updates. */
  label?: pulumi.Input<string>;
  /** A group label. Deprecated by the API. A change updates. */
  group?: pulumi.Input<string>;
  /** Their order means nothing. Only an unrestricted user may set them. Removed: `[]`. A change updates. */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Image id to deploy from, such as `node/debian12` or `private/12`. A change replaces the node. */
  image?: pulumi.Input<string>;
  /**
   * Root password, 7 to 128 characters, secret. It is for a node that is deployed from an image or a StackScript.
   * @default a generated one where the node has an image. A change replaces the node.
   */
  rootPass?: pulumi.Input<string>;
  /** Public SSH keys for the root user of a node that is deployed from an image or a StackScript. A change replaces the node. */
  authorizedKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /** Users of the account whose SSH keys the root user gets; each must have one on its profile. A change replaces the node. */
  authorizedUsers?: pulumi.Input<pulumi.Input<string>[]>;
  /** Size of the swap disk in MB. The service ignores it without an image. @default 512. A change replaces the node. */
  swapSize?: pulumi.Input<number>;
  /** Id of a StackScript to run; it requires a compatible image. A change replaces the node. */
  stackscriptId?: pulumi.Input<number>;
  /** Its user-defined fields, at most 65535 characters of JSON, secret. A change replaces the node. */
  stackscriptData?: pulumi.Input<Record<string, unknown>>;
  /** Id of another node's backup to create the node from: a number, or the id of a NodeBackupSnapshot. A change replaces the node. */
  backupId?: pulumi.Input<string | number>;
  /** Id of a node to clone. Its tags come along; where it has user data, `metadata` is required. A change replaces the node. */
  cloneFrom?: pulumi.Input<string | number>;
  /** Ids of the disks to clone, only with `cloneFrom`. @default all of them. A change replaces the node. */
  disks?: pulumi.Input<pulumi.Input<number>[]>;
  /** Ids of the configuration profiles to clone, only with `cloneFrom`. @default all of them. A change replaces the node. */
  configs?: pulumi.Input<pulumi.Input<number>[]>;
  /**
   * A backup to restore to this node when the input changes, or right after the creation. To create a node from a backup, use `backupId`.
   * A change updates.
   */
  restoreFromBackup?: pulumi.Input<NodeRestore>;
  /** Whether the backup service is on. Turning it off deletes all the node's backups. A change updates. */
  backupsEnabled?: pulumi.Input<boolean>;
  /** When the backups are taken. A change updates. */
  backups?: pulumi.Input<{ schedule?: pulumi.Input<NodeBackupSchedule> }>;
  /**
   * Whether the node is to run. Not set, whether it runs is left alone after creation. Set to true, a stopped node is drift, and the
   * next `up` boots it. The API has no operation to stop a node. @default true at creation. A change updates.
   */
  booted?: pulumi.Input<boolean>;
  /**
   * Id of the configuration profile with which `booted` boots a stopped node. @default the only one, or the one that was booted last. A
   * change by itself touches nothing.
   */
  bootConfigId?: pulumi.Input<number>;
  /** Whether the node gets a private IPv4 address. A change replaces the node. */
  privateIp?: pulumi.Input<boolean>;
  /**
   * At most 3 network interfaces. An empty list gives the node a public interface only. Without one of the purpose `public` the node still gets
   * public addresses, but they are unusable until they are configured on it by hand. A change replaces the node.
   */
  interfaces?: pulumi.Input<pulumi.Input<NodeInterface>[]>;
  /**
   * Metadata, secret: a cloud-config in base64. It requires an image with the capability `cloud-init` and a region with the capability
   * `Metadata`. A change replaces the node.
   */
  metadata?: pulumi.Input<{ userData?: pulumi.Input<string> }>;
  /** The cloud-config as plain text, secret; in place of `metadata`. A change replaces the node. */
  userData?: pulumi.Input<string>;
  /** A change updates. */
  alerts?: pulumi.Input<NodeAlerts>;
  /** Whether the node is booted again when it powers off unexpectedly. A change updates. */
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

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is Node {
    return isOfType(outlines.Node, object);
  }

  declare readonly region: pulumi.Output<string>;
  declare readonly type: pulumi.Output<string>;
  declare readonly label: pulumi.Output<string>;
  declare readonly group: pulumi.Output<string | undefined>;
  declare readonly tags: pulumi.Output<string[]>;
  declare readonly image: pulumi.Output<string | undefined>;
  /** The root password, secret: the one that was set, or the one that was generated. Not known of an adopted node. */
  declare readonly rootPass: pulumi.Output<string | undefined>;
  /** `running`, `offline`, `booting`, … The service may add others. */
  declare readonly status: pulumi.Output<string>;
  /** Whether the node runs. */
  declare readonly booted: pulumi.Output<boolean>;
  declare readonly backupsEnabled: pulumi.Output<boolean>;
  declare readonly backups: pulumi.Output<{
    available?: boolean;
    enabled: boolean;
    lastSuccessful?: string;
    schedule?: { day?: string; window?: string };
  }>;
  declare readonly alerts: pulumi.Output<{
    cpu?: number;
    io?: number;
    networkIn?: number;
    networkOut?: number;
    transferQuota?: number;
  }>;
  declare readonly watchdogEnabled: pulumi.Output<boolean>;
  declare readonly hypervisor: pulumi.Output<string>;
  declare readonly hostUuid: pulumi.Output<string | undefined>;
  /** Whether the node was created with metadata user data. */
  declare readonly hasUserData: pulumi.Output<boolean>;
  /** The public address, and the private one where there is one. */
  declare readonly ipv4: pulumi.Output<string[]>;
  declare readonly ipv6: pulumi.Output<string | undefined>;
  /** The sizes of the node's type; their units are not documented. */
  declare readonly specs: pulumi.Output<{
    disk: number;
    gpus: number;
    memory: number;
    transfer: number;
    vcpus: number;
  }>;
  /** `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  declare readonly updated: pulumi.Output<string>;

  constructor(name: string, args: NodeArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.Node, name, args, opts);
  }

  /** Reads a node that another program or person manages. Its id is a number. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Node {
    return NodeCloudResource.existing(Node, name, id, opts);
  }
}
