import { asDate } from "./clock";
import { hasExpired, midnights } from "./daily";
import { type Contents } from "./deployment";
import {
  type NodeBackupEntity,
  type NodeBackupFields,
  type NodeEntity,
  type NodeFields,
  type Store,
} from "./objects";
import { type Transition } from "./transitions";

/** What a backup of the node holds, as far as it shows. */
export function contentsOf({ hidden }: NodeEntity): Pick<NodeBackupFields, "configs" | "disks"> {
  return {
    configs: hidden.configs.map(({ label }) => label),
    disks: hidden.disks.map(({ filesystem, label, size }) => ({ filesystem, label, size })),
  };
}

function insertAutomatic({ nodeBackups, nextId }: Store, node: NodeEntity, date: string): void {
  const id = nextId();
  const fields: NodeBackupFields = {
    id,
    available: true,
    ...contentsOf(node),
    created: date,
    finished: date,
    updated: date,
    label: null,
    status: "successful",
    type: "auto",
  };
  nodeBackups.insert(id, fields, {}, node.id);
}

export function inProgress({ fields, moves }: NodeBackupEntity): boolean {
  return moves.length > 0 || ["pending", "running", "needsPostProcessing"].includes(fields.status);
}

/** Why a backup cannot be restored: only one that was completed, and is not under maintenance, can be. */
export function whyUnrestorable({ fields: { id, status, available } }: NodeBackupEntity): string | undefined {
  if (status !== "successful") return `Backup ${id} cannot be restored: it is ${status}.`;
  return available ? undefined : `Backup ${id} cannot be restored: it is under maintenance.`;
}

/** Whether the service takes backups of a node by itself. */
function isBackedUp({ fields, hidden }: NodeEntity): boolean {
  return fields.backups.enabled && fields.status !== "deleting" && hidden.disks.length > 0;
}

/**
 * The backups of a node, brought up to now: while its backup service is enabled and it has disks, one was taken at each
 * 00:00 UTC since the last look. Those of the last seven days are kept.
 */
export function backupsOf(store: Store, node: NodeEntity): readonly NodeBackupEntity[] {
  const { nodes, nodeBackups, clock } = store;
  const missed = isBackedUp(node) ? midnights(node.hidden.auto_backups_until, clock.now()) : [];
  for (const midnight of missed) insertAutomatic(store, node, asDate(midnight));
  if (missed.length > 0) nodes.change(node, {}, { auto_backups_until: clock.now() });
  for (const { id, fields } of nodeBackups.of(node.id)) {
    if (fields.type === "auto" && hasExpired(fields.created, clock.now())) nodeBackups.remove(id);
  }
  return nodeBackups.of(node.id);
}

/** A node with what its backups say about it. */
export function shownNode(store: Store, node: NodeEntity): NodeFields {
  const { fields } = node;
  const done = backupsOf(store, node).filter((backup) => backup.fields.status === "successful");
  if (done.length === 0) return fields;
  const finished = done.map((backup) => backup.fields.finished ?? "").sort();
  const last_successful = fields.backups.last_successful ?? (finished.at(-1) || null);
  return { ...fields, backups: { ...fields.backups, available: true, last_successful } };
}

/** Begins a change of a node's disks and configs. One that had no disks is backed up from the end of the change on. */
export function changeContents(
  store: Store,
  node: NodeEntity,
  transition: Transition,
  contents: Contents,
): void {
  backupsOf(store, node);
  const wasEmpty = node.hidden.disks.length === 0;
  store.nodes.begin(node, transition, () => contents);
  const end = node.moves.at(-1)?.at ?? store.clock.now();
  if (wasEmpty) store.nodes.change(node, {}, { auto_backups_until: end });
}
