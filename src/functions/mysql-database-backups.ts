// Written by `npm run generate` from the description of MysqlDatabaseBackup.
import { define } from "./define";
import { type DatabaseBackupResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** A backup of a MySQL database, as {@link getMysqlDatabaseBackup} returns it. */
export type MysqlDatabaseBackupResult = DatabaseBackupResult;

const list = define({
  kind: "list",
  name: "getMysqlDatabaseBackups",
  reads: "mysql.listBackups",
  collection: "backups",
  nouns: ["backup", "backups"],
  parent: { property: "databaseId", noun: "MySQL database" },
  result: "DatabaseBackup",
  by: ["label"],
});
const item = define({
  kind: "item",
  name: "getMysqlDatabaseBackup",
  reads: "mysql.getBackup",
  list: list.declaration,
});

/**
 * The backups of a MySQL database. Refused while the database is provisioning.
 *
 * ```ts
 * const { backups } = await nodecloud.getMysqlDatabaseBackups({ databaseId: 12, filter: { type: "snapshot" } });
 * ```
 */
export const getMysqlDatabaseBackups: GetFunction<
  ListArgs<MysqlDatabaseBackupResult, "databaseId">,
  { backups: MysqlDatabaseBackupResult[] }
> = list.get;
/** Like {@link getMysqlDatabaseBackups}, with outputs as arguments and as the result. */
export const getMysqlDatabaseBackupsOutput: GetOutputFunction<
  ListArgs<MysqlDatabaseBackupResult, "databaseId">,
  { backups: MysqlDatabaseBackupResult[] }
> = list.getOutput;

/**
 * One backup of a MySQL database: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const latest = await nodecloud.getMysqlDatabaseBackup({ databaseId: 12, mostRecent: true });
 * ```
 */
export const getMysqlDatabaseBackup: GetFunction<
  ItemArgs<MysqlDatabaseBackupResult, "label", "databaseId">,
  MysqlDatabaseBackupResult
> = item.get;
/** Like {@link getMysqlDatabaseBackup}, with outputs as arguments and as the result. */
export const getMysqlDatabaseBackupOutput: GetOutputFunction<
  ItemArgs<MysqlDatabaseBackupResult, "label", "databaseId">,
  MysqlDatabaseBackupResult
> = item.getOutput;
