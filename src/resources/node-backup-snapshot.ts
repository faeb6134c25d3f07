import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { nodeBackups, nodeSnapshotCreate, type NodeBackup as Reply } from "../api/backups";
import { defineResource } from "../provider/define";
import { replace } from "../provider/fields";
import { NodeCloudResource } from "../provider/resource";

/** Inputs of a {@link NodeBackupSnapshot}. */
export interface NodeBackupSnapshotArgs {
  /** Id of the node. A change takes a snapshot of the other node. */
  nodeId: pulumi.Input<string | number>;
  /** 1 to 255 characters. @default the resource's name and a random suffix. A change takes a new snapshot. */
  label?: pulumi.Input<string>;
  /** Any values: when one of them changes, a new snapshot is taken. */
  triggers?: pulumi.Input<Record<string, unknown>>;
}

const nodeBackupSnapshot = defineResource<Reply>({
  type: "NodeBackupSnapshot",
  fields: {
    nodeId: replace(z.string().regex(/^\d+$/, "must be a node's id, a whole number"), {
      required: true,
      compare: "id",
      local: true,
    }),
    label: replace(nodeSnapshotCreate.shape.label),
    triggers: replace(z.record(z.string(), z.unknown()), {
      local: true,
      why: "which asks for a new snapshot",
    }),
  },
  outputs: ["status", "available", "configs", "disks", "created", "finished", "updated"],
  id: { form: "nodeId/backupId, such as 12/345", pattern: /^(?<parent>\d+)\/(?<id>\d+)$/, parent: "nodeId" },
  autoname: { path: "label", max: 255 },
  onePer: { path: "nodeId", because: "a node keeps one snapshot, so each would take the place of the other" },
  identity: ["label"],
  statuses: {
    ready: ["successful"],
    busy: ["pending", "running", "needsPostProcessing"],
    failed: ["failed", "userAborted"],
  },
  timeouts: { create: 60, update: 60, delete: 60 },
  absent: {
    restoreTo:
      "is not there: a backup is restored by the node that it is restored to, with restoreFromBackup",
  },
  undeletable:
    "the API has no operation to delete a snapshot; the node's next snapshot takes its place, and cancelling the node's backups deletes it",

  idOf: (reply) => String(reply.id),
  create: ({ client, body, idAt }) =>
    client.nodeBackups.create({ nodeId: idAt("nodeId") }, body(nodeBackups.create)),
  read: (client, { parent: nodeId = "", id: backupId }) => client.nodeBackups.get({ nodeId, backupId }),
  list: async function* (client, nodeId) {
    const { snapshot } = await client.nodeBackups.list({ nodeId });
    if (snapshot.in_progress != null) yield snapshot.in_progress;
    if (snapshot.current != null) yield snapshot.current;
  },
});

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
  static readonly description = nodeBackupSnapshot;

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
    super(nodeBackupSnapshot, name, args, opts);
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
