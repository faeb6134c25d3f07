import { nodeBackups } from "../../api/backups";
import { backupService, restoredContents, sizeOf } from "../deployment";
import { byId, endpoints } from "../endpoint";
import { backupsOf, contentsOf } from "../node-backups";
import { type NodeBackupEntity, type NodeBackupFields, type NodeEntity, type Store } from "../objects";
import { invalid, notFound, refuse } from "../refusal";
import { TRANSITIONS } from "../transitions";

function inProgress({ fields, moves }: NodeBackupEntity): boolean {
  return moves.length > 0 || ["pending", "running", "needsPostProcessing"].includes(fields.status);
}

/** Only a backup that was completed, and is not under maintenance, can be restored. */
export function requireRestorable({ fields }: NodeBackupEntity, field?: string): void {
  if (fields.status === "successful" && fields.available) return;
  throw refuse(400, `Backup ${fields.id} cannot be restored: it is ${fields.status}.`, field);
}

export function nodeBackupEndpoints(store: Store) {
  const { nodes, nodeBackups: table, clock } = store;

  function find(node: NodeEntity, backupId: number): NodeBackupEntity {
    const backup = backupsOf(store, node).find(({ id }) => id === backupId);
    if (!backup) throw notFound();
    return backup;
  }

  return endpoints(nodeBackups, byId(nodes), {
    list({ subject }) {
      const all = backupsOf(store, subject);
      const snapshots = all.filter(({ fields }) => fields.type === "snapshot");
      return {
        automatic: all
          .filter(({ fields }) => fields.type === "auto")
          .map(({ fields }) => ({ ...fields, type: "automatic" })),
        snapshot: {
          current: snapshots.find((snapshot) => !inProgress(snapshot))?.fields ?? null,
          in_progress: snapshots.find(inProgress)?.fields ?? null,
        },
      };
    },
    create({ subject, body }) {
      const all = backupsOf(store, subject);
      if (all.some(inProgress)) throw refuse(400, "A backup of this node is in progress.");
      for (const { id, fields } of all) if (fields.type === "snapshot") table.remove(id);
      const created = clock.date();
      const fields: NodeBackupFields = {
        id: store.nextId(),
        available: false,
        ...contentsOf(subject),
        created,
        finished: null,
        updated: created,
        label: body.label,
        status: "pending",
        type: "snapshot",
      };
      const snapshot = table.insert(fields.id, fields, {}, subject.id);
      table.begin(snapshot, TRANSITIONS.nodeBackup.snapshot, (finished) => ({ available: true, finished }));
      return snapshot.fields;
    },
    enable({ subject }) {
      if (subject.fields.backups.enabled) return {};
      // Up to now there was no service, so there are no backups to catch up with.
      backupsOf(store, subject);
      nodes.change(subject, { backups: backupService(true) });
      return {};
    },
    cancel({ subject }) {
      table.removeOf(subject.id);
      nodes.change(subject, { backups: backupService(false) });
      return {};
    },
    get: ({ subject, params }) => find(subject, params.backupId).fields,
    restore({ subject, params, body }) {
      const backup = find(subject, params.backupId);
      requireRestorable(backup);
      const target = nodes.get(body.node_id);
      if (!target) throw invalid("node_id", "is not a known node");
      if (target.fields.region !== subject.fields.region) {
        throw invalid("node_id", "must be a node of the backup's region");
      }
      if (table.of(target.id).some(inProgress)) throw invalid("node_id", "is creating a backup");
      if (target.moves.length > 0) throw invalid("node_id", `is busy: it is ${target.fields.status}`);
      const restored = restoredContents(store, backup);
      const kept = body.overwrite ? { disks: [], configs: [] } : target.hidden;
      const disks = [...kept.disks, ...restored.disks];
      if (sizeOf(disks) > target.fields.specs.disk) {
        throw refuse(400, "There is insufficient space on the target node.");
      }
      const configs = [...kept.configs, ...restored.configs];
      nodes.begin(target, TRANSITIONS.node.restore, () => ({ disks, configs }));
      return {};
    },
  });
}
