// Written by `npm run generate` from src/resources/node-backup-snapshot.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";
import { type NodeBackupDisk } from "./types";

/** Inputs of a {@link NodeBackupSnapshot}. */
export interface NodeBackupSnapshotArgs {
  /**
   * The id of the node. A change takes a snapshot of the other node.
   * @example "123"
   */
  nodeId: pulumi.Input<string | number>;
  /**
   * The name of the snapshot. 1 to 255 characters. A change takes a new snapshot. Removing it keeps the name; the preview
   * warns.
   * @default the resource's name and a derived suffix
   * @example "before-upgrade"
   */
  label?: pulumi.Input<string>;
  /**
   * Values of any type, such as the version that is deployed next. A change takes a new snapshot. Removing it has no
   * effect.
   * @example { release: "v2" }
   */
  triggers?: pulumi.Input<Record<string, unknown>>;
}

/**
 * A snapshot of a node. The provider takes it when it creates the resource. A node keeps one snapshot, and a new one
 * overwrites it: declare at most one NodeBackupSnapshot per node. The API has no operation to delete a snapshot: if you
 * remove the resource, the snapshot stays on the node.
 *
 * ```ts
 * new nodecloud.NodeBackupSnapshot("before-upgrade", { nodeId: web.id, triggers: { release: "v2" } });
 * ```
 */
export class NodeBackupSnapshot extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.NodeBackupSnapshot);

  /** @internal */
  static get description() {
    return descriptions.NodeBackupSnapshot;
  }

  /** Whether an object is a snapshot of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is NodeBackupSnapshot {
    return isOfType(outlines.NodeBackupSnapshot, object);
  }

  /** The id of the node. */
  declare readonly nodeId: pulumi.Output<string>;
  /** The name of the snapshot. */
  declare readonly label: pulumi.Output<string>;
  /** Values of any type, such as the version that is deployed next. */
  declare readonly triggers: pulumi.Output<Record<string, unknown> | undefined>;
  /** The status of the snapshot. The service may add other values. */
  declare readonly status: pulumi.Output<
    | "paused"
    | "pending"
    | "running"
    | "needsPostProcessing"
    | "successful"
    | "failed"
    | "userAborted"
    | (string & {})
  >;
  /** Whether the snapshot can be restored. It cannot be restored while it is under maintenance. */
  declare readonly available: pulumi.Output<boolean>;
  /** The labels of the configuration profiles in the snapshot. */
  declare readonly configs: pulumi.Output<string[]>;
  /** The disks in the snapshot. */
  declare readonly disks: pulumi.Output<NodeBackupDisk[]>;
  /** When the snapshot was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  /** When the snapshot was completed: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly finished: pulumi.Output<string | undefined>;
  /** When the snapshot was last updated: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly updated: pulumi.Output<string>;

  /**
   * Declares a snapshot.
   * @param name The name of the resource in the program.
   * @param args The inputs of the snapshot.
   * @param opts The options of the resource.
   */
  constructor(name: string, args: NodeBackupSnapshotArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.NodeBackupSnapshot, name, args, opts);
  }

  /**
   * Reads an existing snapshot without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the snapshot. It has the form nodeId/backupId, such as 12/345.
   * @param opts The options of the resource.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): NodeBackupSnapshot {
    return NodeCloudResource.existing(NodeBackupSnapshot, name, id, opts);
  }
}
