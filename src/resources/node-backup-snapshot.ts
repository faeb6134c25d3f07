import { z } from "zod";
import { nodeBackups, nodeSnapshotCreate, type NodeBackup as Reply } from "../api/backups";
import { defineResource } from "../provider/describe/define-resource";
import { replace } from "../provider/describe/fields";

export const nodeBackupSnapshot = defineResource<Reply>({
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
      removed: "nothing",
      why: "which asks for a new snapshot",
    }),
  },
  outputs: ["status", "available", "configs", "disks", "created", "finished", "updated"],
  id: { form: "nodeId/backupId, such as 12/345", pattern: /^(?<parent>\d+)\/(?<id>\d+)$/, parent: "nodeId" },
  autoname: { path: "label", max: 255 },
  onePer: {
    path: "nodeId",
    of: "Node",
    because: "a node keeps one snapshot, so each would take the place of the other",
  },
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
  list: async function* (client, nodeId, options) {
    const { snapshot } = await client.nodeBackups.list({ nodeId }, options);
    if (snapshot.in_progress != null) yield snapshot.in_progress;
    if (snapshot.current != null) yield snapshot.current;
  },
});
