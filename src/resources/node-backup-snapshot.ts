import { z } from "zod";
import { NODE_BACKUP_STATUSES, nodeBackups, nodeSnapshotCreate } from "../api/backups";
import { openEnum } from "../api/schema";
import { defineResource, output } from "../provider/describe/define-resource";
import { replace } from "../provider/describe/fields";
import { childId, idOf } from "./families/ids";

const disk = z
  .object({
    filesystem: z.string().describe("The file system of the disk."),
    label: z.string().describe("The label of the disk."),
    size: z.int().describe("The size of the disk. The API reference does not show its unit."),
  })
  .meta({ title: "NodeBackupDisk", description: "A disk in a backup." });

export const nodeBackupSnapshot = defineResource({
  type: "NodeBackupSnapshot",
  noun: "snapshot",
  doc: "A snapshot of a node. The provider takes it when it creates the resource. A node keeps one snapshot, and a new one overwrites it: declare at most one NodeBackupSnapshot per node. The API has no operation to delete a snapshot: if you remove the resource, the snapshot stays on the node.",
  example: `
new nodecloud.NodeBackupSnapshot("before-upgrade", { nodeId: web.id, triggers: { release: "v2" } });`,
  fields: {
    nodeId: replace(idOf("a node"), {
      doc: "The id of the node.",
      changeDoc: "takes a snapshot of the other node",
      required: true,
      compare: "id",
      notSent: true,
    }),
    label: replace(nodeSnapshotCreate.shape.label, {
      doc: "The name of the snapshot.",
      example: "before-upgrade",
      changeDoc: "takes a new snapshot",
    }),
    triggers: replace(z.record(z.string(), z.unknown()), {
      doc: "Values of any type, such as the version that is deployed next.",
      example: { release: "v2" },
      changeDoc: "takes a new snapshot",
      notSent: true,
      removed: "nothing",
      replaceReason: "which asks for a new snapshot",
    }),
  },
  outputs: {
    status: output(
      openEnum(NODE_BACKUP_STATUSES),
      "The status of the snapshot. The service may add other values.",
    ),
    available: output(
      z.boolean(),
      "Whether the snapshot can be restored. It cannot be restored while it is under maintenance.",
    ),
    configs: output(z.array(z.string()), "The labels of the configuration profiles in the snapshot."),
    disks: output(z.array(disk), "The disks in the snapshot."),
    created: output(z.string(), "When the snapshot was created: `YYYY-MM-DDThh:mm:ss`."),
    finished: output(z.string().optional(), "When the snapshot was completed: `YYYY-MM-DDThh:mm:ss`."),
    updated: output(z.string(), "When the snapshot was last updated: `YYYY-MM-DDThh:mm:ss`."),
  },
  id: childId("nodeId", "backupId", "Node"),
  autoname: { path: "label" },
  onlyOnePer: {
    path: "nodeId",
    of: "Node",
    because: "a node keeps one snapshot, so each would overwrite the other",
  },
  parent: {
    read: (client, nodeId) => client.nodes.get({ nodeId }),
    list: (client, options) => client.nodes.list.all(options),
    drops: ({ backupsEnabled }) =>
      backupsEnabled === false ? "backupsEnabled is false, which deletes its snapshot" : undefined,
  },
  overwrites: "a node keeps one snapshot",
  identity: ["label"],
  statuses: {
    ready: ["successful"],
    busy: ["pending", "running", "needsPostProcessing"],
    failed: ["failed", "userAborted"],
  },
  timeouts: { create: 60, update: 60, delete: 60 },
  unsupported: {
    restoreTo: "is not supported: set restoreFromBackup of the node that receives the backup",
  },
  undeletable:
    "the API has no operation to delete a snapshot; the node's next snapshot takes its place, and cancelling the node's backups deletes it",

  readOperation: nodeBackups.get,
  idOf: (reply) => String(reply.id),
  create: ({ client, body, idAt }) =>
    client.nodeBackups.create({ nodeId: idAt("nodeId") }, body(nodeBackups.create)),
  read: (client, { parent: nodeId = "", id: backupId }) => client.nodeBackups.get({ nodeId, backupId }),
  list: async function* (client, nodeId, options) {
    const { snapshot } = await client.nodeBackups.list({ nodeId }, options);
    if (snapshot.in_progress != null) yield snapshot.in_progress;
    if (snapshot.current != null) yield snapshot.current;
  },
});
