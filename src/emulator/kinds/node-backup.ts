import { z } from "zod";
import { nodeBackup as answer } from "../../api/backups";
import { asDate } from "../store/clock";
import { hasExpired, midnights } from "../store/daily-backups";
import { type ObjectKind, onlyFields, type ShapedBy, type Store } from "../kind/kind";
import { fieldsOf, text } from "../kind/field-types";
import { type Entity } from "../store/table";
import { type Transition, minutes } from "../store/transitions";
import { type NodeEntity, type NodeFields, node } from "./node";

const fields = {
  ...fieldsOf(answer, ["finished"]),
  label: text.nullable(),
  type: z.enum(["auto", "snapshot"]),
};

const transitions = {
  snapshot: {
    steps: [
      ["pending", 60],
      ["running", minutes(8)],
      ["needsPostProcessing", 60],
    ],
    end: "successful",
  },
} as const satisfies Record<string, Transition>;

export type NodeBackupFields = ShapedBy<typeof fields>;
export type NodeBackupEntity = Entity<NodeBackupFields>;

export const nodeBackup: ObjectKind<NodeBackupFields, object, typeof transitions> = {
  ...onlyFields,
  stored: "nodeBackups",
  fields,
  parent: { kind: node, isCounted: false, shownByParent: shownBackups },
  transitions,
  statuses: { successful: "good", paused: "idle", failed: "bad", userAborted: "bad" },
  name: { column: "label", of: ({ label }) => label ?? "" },
  bringUpToDate(store) {
    for (const entity of store.table(node).all()) backupsOf(store, entity);
  },
  collections: {
    nodeBackups: {
      place: 20,
      title: "Node backups",
      one: "node backup",
      many: "node backups",
      columns: ["type", "available", "created", "finished"],
      path: "/backups",
      example: { body: { label: "before-upgrade" } },
    },
  },
};

/** Adds a backup of the disks and configs that a node has now. */
export function insertBackup(
  store: Store,
  { id: nodeId, hidden }: NodeEntity,
  { type, label, created, finished }: Pick<NodeBackupFields, "type" | "label" | "created" | "finished">,
): NodeBackupEntity {
  const id = store.nextId();
  const backup: NodeBackupFields = {
    id,
    available: finished !== null,
    configs: hidden.configs.map((config) => config.label),
    disks: hidden.disks.map(({ filesystem, label: name, size }) => ({ filesystem, label: name, size })),
    created,
    finished,
    updated: created,
    label,
    status: finished === null ? "pending" : "successful",
    type,
  };
  return store.table(nodeBackup).insert(id, backup, {}, nodeId);
}

/** Whether the service takes backups of a node by itself. */
const isBackedUp = ({ fields, hidden }: NodeEntity): boolean =>
  fields.backups.enabled && fields.status !== "deleting" && hidden.disks.length > 0;

/**
 * The backups of a node, up to now. While the backup service is enabled and the node has disks, the service takes one
 * at each 00:00 UTC, and keeps those of the last seven days.
 */
export function backupsOf(store: Store, entity: NodeEntity): readonly NodeBackupEntity[] {
  const { clock } = store;
  const backups = store.table(nodeBackup);
  const missed = isBackedUp(entity) ? midnights(entity.hidden.auto_backups_until, clock.now()) : [];
  for (const date of missed.map(asDate)) {
    insertBackup(store, entity, { type: "auto", label: null, created: date, finished: date });
  }
  if (missed.length > 0) store.table(node).change(entity, {}, { auto_backups_until: clock.now() });
  for (const { id, fields } of backups.of(entity.id)) {
    if (fields.type === "auto" && hasExpired(fields.created, clock.now())) backups.remove(id);
  }
  return backups.of(entity.id);
}

/** The `backups` of a node as its finished backups change them. */
function shownBackups(store: Store, entity: NodeEntity): Partial<NodeFields> {
  const { backups } = entity.fields;
  const done = backupsOf(store, entity).filter(({ fields }) => fields.status === "successful");
  if (done.length === 0) return {};
  const finished = done.map(({ fields }) => fields.finished ?? "").sort();
  const last_successful = backups.last_successful ?? (finished.at(-1) || null);
  return { backups: { ...backups, available: true, last_successful } };
}

/** The fields of a node as the API shows them. */
export const shownNode = (store: Store, entity: NodeEntity): NodeFields => ({
  ...entity.fields,
  ...shownBackups(store, entity),
});

export const inProgress = ({ fields, moves }: NodeBackupEntity): boolean =>
  moves.length > 0 || ["pending", "running", "needsPostProcessing"].includes(fields.status);

/** Why a backup cannot be restored. A restore needs a backup that is complete and not under maintenance. */
export function whyUnrestorable({ fields: { id, status, available } }: NodeBackupEntity): string | undefined {
  if (status !== "successful") return `Backup ${id} cannot be restored: it is ${status}.`;
  return available ? undefined : `Backup ${id} cannot be restored: it is under maintenance.`;
}
