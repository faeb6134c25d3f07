import { asDate } from "./clock";
import { hasExpired, midnights } from "./daily";
import { type DatabaseEntity, type DatabaseBackupFields, type Store } from "./objects";
import { refuse } from "./refusal";
import { TRANSITIONS } from "./transitions";

const MAX_SNAPSHOTS = 3;

function insert(
  store: Store,
  database: DatabaseEntity,
  type: DatabaseBackupFields["type"],
  label: string,
  moment: number,
  listed_from: number,
): void {
  const id = store.nextId();
  store.databaseBackups.insert(
    id,
    { id, created: asDate(moment), label, type },
    { listed_from },
    database.id,
  );
}

/** Brings the daily backups up to now: one at each 00:00 UTC since the last look, the last seven days are kept. */
function takeDailyBackups(store: Store, database: DatabaseEntity): void {
  const { databases, databaseBackups, clock } = store;
  const missed = midnights(database.hidden.auto_backups_until, clock.now());
  for (const midnight of missed) {
    const label = `auto${asDate(midnight).slice(0, 10).replaceAll("-", "")}`;
    insert(store, database, "auto", label, midnight, midnight);
  }
  if (missed.length > 0) databases.change(database, {}, { auto_backups_until: clock.now() });
  for (const { id, fields } of databaseBackups.of(database.id)) {
    if (fields.type === "auto" && hasExpired(fields.created, clock.now())) databaseBackups.remove(id);
  }
}

/** The backups of a database that are complete. */
export function listedBackups(store: Store, database: DatabaseEntity) {
  takeDailyBackups(store, database);
  const now = store.clock.now();
  return store.databaseBackups.of(database.id).filter(({ hidden }) => hidden.listed_from <= now);
}

/** Begins a snapshot, which is listed when it is complete. */
export function takeBackup(store: Store, database: DatabaseEntity, label: string): void {
  const snapshots = store.databaseBackups.of(database.id).filter(({ fields }) => fields.type === "snapshot");
  if (snapshots.length >= MAX_SNAPSHOTS) {
    throw refuse(400, `A database can have up to ${MAX_SNAPSHOTS} snapshots: delete one first.`);
  }
  store.databases.begin(database, TRANSITIONS.database.backup);
  const now = store.clock.now();
  insert(store, database, "snapshot", label, now, database.moves.at(-1)?.at ?? now);
}
