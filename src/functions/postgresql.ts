import { defineItem, defineList } from "./define";
import { type DatabaseBackupResult, type EngineDatabaseResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** A PostgreSQL database, as {@link getPostgresqlDatabase} returns it. */
export type PostgresqlDatabaseResult = EngineDatabaseResult;

/** A backup of a PostgreSQL database, as {@link getPostgresqlDatabaseBackup} returns it. */
export type PostgresqlDatabaseBackupResult = DatabaseBackupResult;

const databases = defineList({
  name: "getPostgresqlDatabases",
  reads: "postgresql.list",
  collection: "databases",
  result: "EngineDatabase",
  nouns: ["PostgreSQL database", "PostgreSQL databases"],
  by: ["label"],
});
const database = defineItem("getPostgresqlDatabase", { list: databases, reads: "postgresql.get" });

const backups = defineList({
  name: "getPostgresqlDatabaseBackups",
  reads: "postgresql.listBackups",
  collection: "backups",
  result: "DatabaseBackup",
  nouns: ["backup", "backups"],
  parent: { property: "databaseId", noun: "PostgreSQL database" },
  by: ["label"],
});
// The reference has no operation for a single backup.
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
/** Like {@link getPostgresqlDatabases}, with outputs as arguments and as the result. */
export const getPostgresqlDatabasesOutput: GetOutputFunction<
  ListArgs<PostgresqlDatabaseResult> | undefined,
  { databases: PostgresqlDatabaseResult[] }
> = databases.getOutput;

/**
 * One PostgreSQL database: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const app = await nodecloud.getPostgresqlDatabase({ label: "app" });
 * ```
 */
export const getPostgresqlDatabase: GetFunction<
  ItemArgs<PostgresqlDatabaseResult, "label">,
  PostgresqlDatabaseResult
> = database.get;
/** Like {@link getPostgresqlDatabase}, with outputs as arguments and as the result. */
export const getPostgresqlDatabaseOutput: GetOutputFunction<
  ItemArgs<PostgresqlDatabaseResult, "label">,
  PostgresqlDatabaseResult
> = database.getOutput;

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
> = backups.get;
/** Like {@link getPostgresqlDatabaseBackups}, with outputs as arguments and as the result. */
export const getPostgresqlDatabaseBackupsOutput: GetOutputFunction<
  ListArgs<PostgresqlDatabaseBackupResult, "databaseId">,
  { backups: PostgresqlDatabaseBackupResult[] }
> = backups.getOutput;

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
> = backup.get;
/** Like {@link getPostgresqlDatabaseBackup}, with outputs as arguments and as the result. */
export const getPostgresqlDatabaseBackupOutput: GetOutputFunction<
  ItemArgs<PostgresqlDatabaseBackupResult, "label", "databaseId">,
  PostgresqlDatabaseBackupResult
> = backup.getOutput;
