import { nodeBackups } from "../../api/backups";
import { backupService, restoredContents, sizeOf } from "../deployment";
import { byId, endpoints } from "../endpoint";
import { backupsOf, changeContents, contentsOf, inProgress, whyUnrestorable } from "../node-backups";
import { type NodeBackupEntity, type NodeBackupFields, type NodeEntity, type Store } from "../objects";
import { invalid, notFound, refuse } from "../refusal";
import { TRANSITIONS } from "../transitions";

export function nodeBackupEndpoints(store: Store) {
  const { nodes, nodeBackups: table, clock } = store;

  function find(node: NodeEntity, backupId: number): NodeBackupEntity {
    const backup = backupsOf(store, node).find(({ id }) => id === backupId);
    if (!backup) throw notFound();
    return backup;
  }

  /** Deletes all disks and configs, after the backups that were due with them. */
  function deleteContents(node: NodeEntity): void {
    backupsOf(store, node);
    nodes.change(node, {}, { disks: [], configs: [], last_booted_config: null });
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
      const auto_backups_until = Math.max(subject.hidden.auto_backups_until, clock.now());
      nodes.change(subject, { backups: backupService(true) }, { auto_backups_until });
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
      const unfit = whyUnrestorable(backup);
      if (unfit !== undefined) throw refuse(400, unfit);
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
      if (body.overwrite) deleteContents(target);
      changeContents(store, target, TRANSITIONS.node.restore, { disks, configs });
      return {};
    },
  });
}
