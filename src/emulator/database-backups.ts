import { asDate } from "./clock";
import { type DatabaseEntity, type DatabaseBackupFields, type Store } from "./objects";
import { refuse } from "./refusal";
import { TRANSITIONS } from "./transitions";

const MAX_SNAPSHOTS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 7;

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
  const now = store.clock.now();
  const oldestKept = now - KEPT_DAYS * DAY_MS;
  const { auto_backups_until } = database.hidden;
  const midnightAfter = (moment: number) => (Math.floor(moment / DAY_MS) + 1) * DAY_MS;
  for (let at = midnightAfter(Math.max(auto_backups_until, oldestKept)); at <= now; at += DAY_MS) {
    insert(store, database, "auto", `auto${asDate(at).slice(0, 10).replaceAll("-", "")}`, at, at);
  }
  store.databases.change(database, {}, { auto_backups_until: now });
  for (const { id, fields } of store.databaseBackups.of(database.id)) {
    if (fields.type === "auto" && Date.parse(`${fields.created}Z`) < oldestKept)
      store.databaseBackups.remove(id);
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
