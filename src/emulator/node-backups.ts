import { asDate } from "./clock";
import { type NodeBackupFields, type NodeEntity, type Store } from "./objects";

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 7;

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

/**
 * The backups of a node, brought up to now: while its backup service is enabled and it has disks, one was taken at each
 * 00:00 UTC since the last look. Those of the last seven days are kept.
 */
export function backupsOf(store: Store, node: NodeEntity) {
  const { nodes, nodeBackups, clock } = store;
  const now = clock.now();
  const oldestKept = now - KEPT_DAYS * DAY_MS;
  const { auto_backups_until, disks } = node.hidden;
  const midnightAfter = (moment: number) => (Math.floor(moment / DAY_MS) + 1) * DAY_MS;
  if (node.fields.backups.enabled && node.fields.status !== "deleting" && disks.length > 0) {
    for (let at = midnightAfter(Math.max(auto_backups_until, oldestKept)); at <= now; at += DAY_MS) {
      insertAutomatic(store, node, asDate(at));
    }
  }
  nodes.change(node, {}, { auto_backups_until: Math.max(auto_backups_until, now) });
  for (const { id, fields } of nodeBackups.of(node.id)) {
    if (fields.type === "auto" && Date.parse(`${fields.created}Z`) < oldestKept) nodeBackups.remove(id);
  }
  return nodeBackups.of(node.id);
}
