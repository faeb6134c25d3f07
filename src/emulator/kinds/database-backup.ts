import { z } from "zod";
import { databaseBackup as answer, MAX_SNAPSHOTS } from "../../api/databases";
import { asDate } from "../store/clock";
import { hasExpired, midnights } from "../store/daily-backups";
import { type ObjectKind, onlyFields, type ShapedBy, type Store } from "../kind/kind";
import { refuse } from "../base/refusal";
import { fieldsOf, moment } from "../kind/field-types";
import { type Entity } from "../store/table";
import { type DatabaseEntity, database } from "./database";

const fields = { ...fieldsOf(answer), type: z.enum(["auto", "snapshot"]) };

const hidden = {
  /** The moment at which the backup is complete. The API lists it from then on. */
  listed_from: moment,
};

export type DatabaseBackupFields = ShapedBy<typeof fields>;
export type DatabaseBackupHidden = ShapedBy<typeof hidden>;
export type DatabaseBackupEntity = Entity<DatabaseBackupFields, DatabaseBackupHidden>;

export const databaseBackup: ObjectKind<DatabaseBackupFields, DatabaseBackupHidden> = {
  ...onlyFields,
  stored: "databaseBackups",
  fields,
  hidden,
  parent: { kind: database, isCounted: false },
  statuses: { listed: "good" },
  name: { column: "label", of: ({ label }) => label },
  listed: { before: "being taken", from: ({ listed_from }) => listed_from },
  bringUpToDate(store) {
    for (const entity of store.table(database).all()) takeDailyBackups(store, entity);
  },
  collections: {
    databaseBackups: {
      place: 50,
      title: "Database backups",
      one: "database backup",
      many: "database backups",
      columns: ["type", "created"],
      path: "/backups",
      example: { body: { label: "nightly" } },
    },
  },
};

function insert(
  store: Store,
  { id: parent }: DatabaseEntity,
  backup: Pick<DatabaseBackupFields, "type" | "label">,
  taken: number,
  listed_from: number,
): void {
  const id = store.nextId();
  store.table(databaseBackup).insert(id, { id, created: asDate(taken), ...backup }, { listed_from }, parent);
}

/** Takes the daily backups up to now, one at each 00:00 UTC, and removes those that are older than seven days. */
function takeDailyBackups(store: Store, entity: DatabaseEntity): void {
  const { clock } = store;
  const backups = store.table(databaseBackup);
  const missed = midnights(entity.hidden.auto_backups_until, clock.now());
  for (const midnight of missed) {
    const label = `auto${asDate(midnight).slice(0, 10).replaceAll("-", "")}`;
    insert(store, entity, { type: "auto", label }, midnight, midnight);
  }
  if (missed.length > 0) store.table(database).change(entity, {}, { auto_backups_until: clock.now() });
  for (const { id, fields } of backups.of(entity.id)) {
    if (fields.type === "auto" && hasExpired(fields.created, clock.now())) backups.remove(id);
  }
}

/** The backups of a database that are complete. */
export function listedBackups(store: Store, entity: DatabaseEntity): readonly DatabaseBackupEntity[] {
  takeDailyBackups(store, entity);
  const now = store.clock.now();
  const backups = store.table(databaseBackup).of(entity.id);
  return backups.filter(({ hidden: { listed_from } }) => listed_from <= now);
}

/** Starts a snapshot. The API lists it when it is complete. */
export function takeSnapshot(store: Store, entity: DatabaseEntity, label: string): void {
  const own = store.table(databaseBackup).of(entity.id);
  if (own.filter(({ fields: { type } }) => type === "snapshot").length >= MAX_SNAPSHOTS) {
    throw refuse(400, `A database can have up to ${MAX_SNAPSHOTS} snapshots: delete one first.`);
  }
  const complete = store.table(database).begin(entity, database.transitions.backup);
  insert(store, entity, { type: "snapshot", label }, store.clock.now(), complete);
}
