// Written by `npm run generate` from the description of MysqlDatabaseBackup.
import { defineItem, defineList } from "./define";
import { type DatabaseBackupResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

/** A backup of a MySQL database, as {@link getMysqlDatabaseBackup} returns it. */
export type MysqlDatabaseBackupResult = DatabaseBackupResult;

const list = defineList<
  ListArgs<MysqlDatabaseBackupResult, "databaseId">,
  { backups: MysqlDatabaseBackupResult[] }
>({
  name: "getMysqlDatabaseBackups",
  reads: "mysql.listBackups",
  collection: "backups",
  nouns: ["backup", "backups"],
  parent: { property: "databaseId", noun: "MySQL database" },
  result: "DatabaseBackup",
  by: ["label"],
});
const item = defineItem<
  ItemArgs<MysqlDatabaseBackupResult, "label", "databaseId">,
  MysqlDatabaseBackupResult
>({ name: "getMysqlDatabaseBackup", reads: "mysql.getBackup", list: list.declaration });

/**
 * The backups of a MySQL database. Refused while the database is provisioning.
 *
 * ```ts
 * const { backups } = await nodecloud.getMysqlDatabaseBackups({ databaseId: 12, filter: { type: "snapshot" } });
 * ```
 */
export const getMysqlDatabaseBackups = list.get;
/** Like {@link getMysqlDatabaseBackups}, with outputs as arguments and as the result. */
export const getMysqlDatabaseBackupsOutput = list.getOutput;

/**
 * One backup of a MySQL database: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const latest = await nodecloud.getMysqlDatabaseBackup({ databaseId: 12, mostRecent: true });
 * ```
 */
export const getMysqlDatabaseBackup = item.get;
/** Like {@link getMysqlDatabaseBackup}, with outputs as arguments and as the result. */
export const getMysqlDatabaseBackupOutput = item.getOutput;
