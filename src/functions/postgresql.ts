import { type DatabaseBackupResult, type EngineDatabaseResult } from "./database-results";
import { defineItem, defineList } from "./define";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** A PostgreSQL database as {@link getPostgresqlDatabase} gives it. */
export type PostgresqlDatabaseResult = EngineDatabaseResult;

/** A backup of a PostgreSQL database as {@link getPostgresqlDatabaseBackup} gives it. */
export type PostgresqlDatabaseBackupResult = DatabaseBackupResult;

const databases = defineList({
  name: "getPostgresqlDatabases",
  reads: "postgresql.list",
  collection: "databases",
  nouns: ["PostgreSQL database", "PostgreSQL databases"],
  by: ["label"],
});
const database = defineItem("getPostgresqlDatabase", { list: databases, reads: "postgresql.get" });

const backups = defineList({
  name: "getPostgresqlDatabaseBackups",
  reads: "postgresql.listBackups",
  collection: "backups",
  nouns: ["backup", "backups"],
  parent: { property: "databaseId", noun: "PostgreSQL database" },
  by: ["label"],
});
// The reference has no operation that views one.
const backup = defineItem("getPostgresqlDatabaseBackup", { list: backups });

/**
 * The PostgreSQL databases of the account.
 *
 * ```ts
 * const { databases } = await nodecloud.getPostgresqlDatabases({ filter: { clusterSize: 3 } });
 * ```
 */
export const getPostgresqlDatabases: GetFunction<
  ListArgs<PostgresqlDatabaseResult> | undefined,
  { databases: PostgresqlDatabaseResult[] }
> = databases.get;
/** {@link getPostgresqlDatabases} of outputs, as an output. */
export const getPostgresqlDatabasesOutput: GetOutputFunction<
  ListArgs<PostgresqlDatabaseResult> | undefined,
  { databases: PostgresqlDatabaseResult[] }
> = databases.getOutput;

/**
 * One PostgreSQL database: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const app = await nodecloud.getPostgresqlDatabase({ label: "app" });
 * ```
 */
export const getPostgresqlDatabase: GetFunction<
  ItemArgs<PostgresqlDatabaseResult, "label">,
  PostgresqlDatabaseResult
> = database.get;
/** {@link getPostgresqlDatabase} of outputs, as an output. */
export const getPostgresqlDatabaseOutput: GetOutputFunction<
  ItemArgs<PostgresqlDatabaseResult, "label">,
  PostgresqlDatabaseResult
> = database.getOutput;

/**
 * The backups of a PostgreSQL database. Refused while it is provisioning.
 *
 * ```ts
 * const { backups } = await nodecloud.getPostgresqlDatabaseBackups({ databaseId: 12, sortBy: "created" });
 * ```
 */
export const getPostgresqlDatabaseBackups: GetFunction<
  ListArgs<PostgresqlDatabaseBackupResult, "databaseId">,
  { backups: PostgresqlDatabaseBackupResult[] }
> = backups.get;
/** {@link getPostgresqlDatabaseBackups} of outputs, as an output. */
export const getPostgresqlDatabaseBackupsOutput: GetOutputFunction<
  ListArgs<PostgresqlDatabaseBackupResult, "databaseId">,
  { backups: PostgresqlDatabaseBackupResult[] }
> = backups.getOutput;

/**
 * One backup of a PostgreSQL database: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const latest = await nodecloud.getPostgresqlDatabaseBackup({ databaseId: 12, mostRecent: true });
 * ```
 */
export const getPostgresqlDatabaseBackup: GetFunction<
  ItemArgs<PostgresqlDatabaseBackupResult, "label", "databaseId">,
  PostgresqlDatabaseBackupResult
> = backup.get;
/** {@link getPostgresqlDatabaseBackup} of outputs, as an output. */
export const getPostgresqlDatabaseBackupOutput: GetOutputFunction<
  ItemArgs<PostgresqlDatabaseBackupResult, "label", "databaseId">,
  PostgresqlDatabaseBackupResult
> = backup.getOutput;
