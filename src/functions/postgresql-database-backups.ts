// Written by `npm run generate` from the description of PostgresqlDatabaseBackup.
import { defineItem, defineList } from "./define";
import { type DatabaseBackupResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

/** A backup of a PostgreSQL database, as {@link getPostgresqlDatabaseBackup} returns it. */
export type PostgresqlDatabaseBackupResult = DatabaseBackupResult;

const list = defineList<
  ListArgs<PostgresqlDatabaseBackupResult, "databaseId">,
  { backups: PostgresqlDatabaseBackupResult[] }
>({
  name: "getPostgresqlDatabaseBackups",
  reads: "postgresql.listBackups",
  collection: "backups",
  nouns: ["backup", "backups"],
  parent: { property: "databaseId", noun: "PostgreSQL database" },
  result: "DatabaseBackup",
  by: ["label"],
});
const item = defineItem<
  ItemArgs<PostgresqlDatabaseBackupResult, "label", "databaseId">,
  PostgresqlDatabaseBackupResult
>({ name: "getPostgresqlDatabaseBackup", list: list.declaration });

/**
 * The backups of a PostgreSQL database. Refused while the database is provisioning.
 *
 * ```ts
 * const { backups } = await nodecloud.getPostgresqlDatabaseBackups({ databaseId: 12, sortBy: "created" });
 * ```
 */
export const getPostgresqlDatabaseBackups = list.get;
/** Like {@link getPostgresqlDatabaseBackups}, with outputs as arguments and as the result. */
export const getPostgresqlDatabaseBackupsOutput = list.getOutput;

/**
 * One backup of a PostgreSQL database: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const latest = await nodecloud.getPostgresqlDatabaseBackup({ databaseId: 12, mostRecent: true });
 * ```
 */
export const getPostgresqlDatabaseBackup = item.get;
/** Like {@link getPostgresqlDatabaseBackup}, with outputs as arguments and as the result. */
export const getPostgresqlDatabaseBackupOutput = item.getOutput;
