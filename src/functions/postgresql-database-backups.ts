// Written by `npm run generate` from the description of PostgresqlDatabaseBackup.
import { define } from "./define";
import { type DatabaseBackupResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** A backup of a PostgreSQL database, as {@link getPostgresqlDatabaseBackup} returns it. */
export type PostgresqlDatabaseBackupResult = DatabaseBackupResult;

const list = define({
  kind: "list",
  name: "getPostgresqlDatabaseBackups",
  reads: "postgresql.listBackups",
  collection: "backups",
  nouns: ["backup", "backups"],
  parent: { property: "databaseId", noun: "PostgreSQL database" },
  result: "DatabaseBackup",
  by: ["label"],
});
const item = define({ kind: "item", name: "getPostgresqlDatabaseBackup", list: list.declaration });

/**
 * The backups of a PostgreSQL database. Refused while the database is provisioning.
 *
 * ```ts
 * const { backups } = await nodecloud.getPostgresqlDatabaseBackups({ databaseId: 12, sortBy: "created" });
 * ```
 */
export const getPostgresqlDatabaseBackups: GetFunction<
  ListArgs<PostgresqlDatabaseBackupResult, "databaseId">,
  { backups: PostgresqlDatabaseBackupResult[] }
> = list.get;
/** Like {@link getPostgresqlDatabaseBackups}, with outputs as arguments and as the result. */
export const getPostgresqlDatabaseBackupsOutput: GetOutputFunction<
  ListArgs<PostgresqlDatabaseBackupResult, "databaseId">,
  { backups: PostgresqlDatabaseBackupResult[] }
> = list.getOutput;

/**
 * One backup of a PostgreSQL database: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const latest = await nodecloud.getPostgresqlDatabaseBackup({ databaseId: 12, mostRecent: true });
 * ```
 */
export const getPostgresqlDatabaseBackup: GetFunction<
  ItemArgs<PostgresqlDatabaseBackupResult, "label", "databaseId">,
  PostgresqlDatabaseBackupResult
> = item.get;
/** Like {@link getPostgresqlDatabaseBackup}, with outputs as arguments and as the result. */
export const getPostgresqlDatabaseBackupOutput: GetOutputFunction<
  ItemArgs<PostgresqlDatabaseBackupResult, "label", "databaseId">,
  PostgresqlDatabaseBackupResult
> = item.getOutput;
