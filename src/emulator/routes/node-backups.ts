import { nodeBackups } from "../../api/backups";
import { byId, endpoints } from "../operations/endpoint";
import { type Store } from "../kind/kind";
import { type NodeEntity, node } from "../kinds/node";
import {
  type NodeBackupEntity,
  type NodeBackupFields,
  backupsOf,
  inProgress,
  insertBackup,
  nodeBackup,
  whyUnrestorable,
} from "../kinds/node-backup";
import { changeContents, restoredContents, sizeOf } from "../nodes/contents";
import { backupService } from "../nodes/deployment";
import { among, invalid, refuse } from "../base/refusal";

/** The backups of a node in the shape of the list. */
function listed(backups: readonly NodeBackupEntity[]) {
  const snapshots = backups.filter(({ fields }) => fields.type === "snapshot");
  return {
    automatic: backups
      .filter(({ fields }) => fields.type === "auto")
      .map(({ fields }) => ({ ...fields, type: "automatic" })),
    snapshot: {
      current: snapshots.find((snapshot) => !inProgress(snapshot))?.fields ?? null,
      in_progress: snapshots.find(inProgress)?.fields ?? null,
    },
  };
}

/** Starts a snapshot in place of the last one. */
function takeSnapshot(store: Store, entity: NodeEntity, label: string): NodeBackupFields {
  const table = store.table(nodeBackup);
  const all = backupsOf(store, entity);
  if (all.some(inProgress)) throw refuse(400, "A backup of this node is in progress.");
  for (const { id, fields } of all) if (fields.type === "snapshot") table.remove(id);
  const created = store.clock.date();
  const snapshot = insertBackup(store, entity, { type: "snapshot", label, created, finished: null });
  table.begin(snapshot, nodeBackup.transitions.snapshot, (finished) => ({ available: true, finished }));
  return snapshot.fields;
}

/** The node that a backup of `source` is restored to. */
function targetOf(store: Store, source: NodeEntity, id: number): NodeEntity {
  const target = store.table(node).get(id);
  if (!target) throw invalid("node_id", "is not a known node");
  if (target.fields.region !== source.fields.region) {
    throw invalid("node_id", "must be a node of the backup's region");
  }
  if (store.table(nodeBackup).of(target.id).some(inProgress)) {
    throw invalid("node_id", "is creating a backup");
  }
  if (target.moves.length > 0) throw invalid("node_id", `is busy: it is ${target.fields.status}`);
  return target;
}

/** Starts to restore a backup: in place of the disks and configs of the target, or beside them. */
function restore(
  store: Store,
  { backup, target, overwrite }: { backup: NodeBackupEntity; target: NodeEntity; overwrite: boolean },
): void {
  const restored = restoredContents(store, backup);
  const kept = overwrite ? { disks: [], configs: [] } : target.hidden;
  const disks = [...kept.disks, ...restored.disks];
  if (sizeOf(disks) > target.fields.specs.disk) {
    throw refuse(400, "There is insufficient space on the target node.");
  }
  const configs = [...kept.configs, ...restored.configs];
  if (overwrite) {
    // The backups that are due were taken of the old disks.
    backupsOf(store, target);
    store.table(node).change(target, {}, { disks: [], configs: [], last_booted_config: null });
  }
  changeContents(store, target, node.transitions.restore, { disks, configs });
}

function nodeBackupEndpoints(store: Store) {
  const { clock } = store;
  const nodes = store.table(node);
  return endpoints(nodeBackups, byId(nodes), {
    list: ({ subject }) => listed(backupsOf(store, subject)),
    create: ({ subject, body }) => takeSnapshot(store, subject, body.label),
    enable({ subject }) {
      if (subject.fields.backups.enabled) return {};
      // The service was off until now, so no earlier backup is due.
      const auto_backups_until = Math.max(subject.hidden.auto_backups_until, clock.now());
      nodes.change(subject, { backups: backupService.on() }, { auto_backups_until });
      return {};
    },
    cancel({ subject }) {
      store.table(nodeBackup).removeOf(subject.id);
      nodes.change(subject, { backups: backupService.off() });
      return {};
    },
    get: ({ subject, params }) => among(backupsOf(store, subject), params.backupId).fields,
    restore({ subject, params, body }) {
      const backup = among(backupsOf(store, subject), params.backupId);
      const unfit = whyUnrestorable(backup);
      if (unfit !== undefined) throw refuse(400, unfit);
      restore(store, {
        backup,
        target: targetOf(store, subject, body.node_id),
        overwrite: body.overwrite ?? false,
      });
      return {};
    },
  });
}

export const routes = { nodeBackups: nodeBackupEndpoints };
