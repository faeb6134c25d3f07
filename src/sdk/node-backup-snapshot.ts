import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { outlines } from "./outlines";

/** Inputs of a {@link NodeBackupSnapshot}. */
export interface NodeBackupSnapshotArgs {
  /** Id of the node. A change takes a snapshot of the other node. */
  nodeId: pulumi.Input<string | number>;
  /** 1 to 255 characters. @default the resource's name and a derived suffix. A change takes a new snapshot. */
  label?: pulumi.Input<string>;
  /** Any values: when one of them changes, a new snapshot is taken. */
  triggers?: pulumi.Input<Record<string, unknown>>;
}

/**
 * A snapshot of a node, taken when the resource is created. A node keeps one: a new one takes the place of the old, which is then
 * gone, so a node should have at most one of these resources. The API cannot delete a snapshot: a removed resource stays on the node.
 *
 * ```ts
 * new nodecloud.NodeBackupSnapshot("before-upgrade", { nodeId: web.id, triggers: { release } });
 * ```
 */
export class NodeBackupSnapshot extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.NodeBackupSnapshot);

  /** @internal */
  static get description() {
    return descriptions.NodeBackupSnapshot;
  }

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is NodeBackupSnapshot {
    return isOfType(outlines.NodeBackupSnapshot, object);
  }

  declare readonly nodeId: pulumi.Output<string>;
  declare readonly label: pulumi.Output<string>;
  declare readonly triggers: pulumi.Output<Record<string, unknown> | undefined>;
  /** `pending`, `running`, `needsPostProcessing`, `successful`, … */
  declare readonly status: pulumi.Output<string>;
  /** Whether it can be restored; not while it is under maintenance. */
  declare readonly available: pulumi.Output<boolean>;
  /** Labels of the configuration profiles in it. */
  declare readonly configs: pulumi.Output<string[]>;
  declare readonly disks: pulumi.Output<{ filesystem: string; label: string; size: number }[]>;
  /** `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  declare readonly finished: pulumi.Output<string | undefined>;
  declare readonly updated: pulumi.Output<string>;

  constructor(name: string, args: NodeBackupSnapshotArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.NodeBackupSnapshot, name, args, opts);
  }

  /** Reads a snapshot that another program or person manages. Its id is `nodeId/backupId`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): NodeBackupSnapshot {
    return NodeCloudResource.existing(NodeBackupSnapshot, name, id, opts);
  }
}
