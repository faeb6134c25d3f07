import { defineItem, defineList, defineView } from "./define";
import {
  type DatabaseBackupResult,
  type EngineDatabaseResult,
  type MysqlDatabaseCertificateResult,
  type MysqlDatabaseCredentialsResult,
} from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs, type Secret } from "./types";

/** A MySQL database, as {@link getMysqlDatabase} returns it. */
export type MysqlDatabaseResult = EngineDatabaseResult;

/** A backup of a MySQL database, as {@link getMysqlDatabaseBackup} returns it. */
export type MysqlDatabaseBackupResult = DatabaseBackupResult;

/** Arguments of {@link getMysqlDatabaseCredentials}. */
export interface GetMysqlDatabaseCredentialsArgs {
  /** The id of the database. */
  readonly databaseId: string | number;
}

/** Arguments of {@link getMysqlDatabaseCertificate}. */
export interface GetMysqlDatabaseCertificateArgs {
  /** The id of the database. */
  readonly databaseId: string | number;
}

const parent = { property: "databaseId", noun: "MySQL database" } as const;

const databases = defineList({
  name: "getMysqlDatabases",
  reads: "mysql.list",
  collection: "databases",
  result: "EngineDatabase",
  nouns: ["MySQL database", "MySQL databases"],
  by: ["label"],
});
const database = defineItem("getMysqlDatabase", { list: databases, reads: "mysql.get" });

const backups = defineList({
  name: "getMysqlDatabaseBackups",
  reads: "mysql.listBackups",
  collection: "backups",
  result: "DatabaseBackup",
  nouns: ["backup", "backups"],
  parent,
  by: ["label"],
});
const backup = defineItem("getMysqlDatabaseBackup", { list: backups, reads: "mysql.getBackup" });

const credentials = defineView({
  name: "getMysqlDatabaseCredentials",
  reads: "mysql.getCredentials",
  parent,
  secrets: ["password"],
});
const certificate = defineView({
  name: "getMysqlDatabaseCertificate",
  reads: "mysql.getSslCertificate",
  parent,
});

/**
 * The MySQL databases of the account.
 *
 * ```ts
 * const { databases } = await nodecloud.getMysqlDatabases({ filter: { version: { matches: "^8\\." } } });
 * ```
 */
export const getMysqlDatabases: GetFunction<
  ListArgs<MysqlDatabaseResult> | undefined,
  { databases: MysqlDatabaseResult[] }
> = databases.get;
/** Like {@link getMysqlDatabases}, with outputs as arguments and as the result. */
export const getMysqlDatabasesOutput: GetOutputFunction<
  ListArgs<MysqlDatabaseResult> | undefined,
  { databases: MysqlDatabaseResult[] }
> = databases.getOutput;

/**
 * One MySQL database: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const app = await nodecloud.getMysqlDatabase({ label: "app" });
 * ```
 */
export const getMysqlDatabase: GetFunction<
  ItemArgs<MysqlDatabaseResult, "label">,
  MysqlDatabaseResult
> = database.get;
/** Like {@link getMysqlDatabase}, with outputs as arguments and as the result. */
export const getMysqlDatabaseOutput: GetOutputFunction<
  ItemArgs<MysqlDatabaseResult, "label">,
  MysqlDatabaseResult
> = database.getOutput;

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
> = backups.get;
/** Like {@link getMysqlDatabaseBackups}, with outputs as arguments and as the result. */
export const getMysqlDatabaseBackupsOutput: GetOutputFunction<
  ListArgs<MysqlDatabaseBackupResult, "databaseId">,
  { backups: MysqlDatabaseBackupResult[] }
> = backups.getOutput;

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
> = backup.get;
/** Like {@link getMysqlDatabaseBackup}, with outputs as arguments and as the result. */
export const getMysqlDatabaseBackupOutput: GetOutputFunction<
  ItemArgs<MysqlDatabaseBackupResult, "label", "databaseId">,
  MysqlDatabaseBackupResult
> = backup.getOutput;

/**
 * The root user of a MySQL database, which must be `active`. The password is a separate output, which is a secret.
 *
 * ```ts
 * const { username, password } = await nodecloud.getMysqlDatabaseCredentials({ databaseId: 12 });
 * ```
 */
export const getMysqlDatabaseCredentials: GetFunction<
  GetMysqlDatabaseCredentialsArgs,
  Secret<MysqlDatabaseCredentialsResult, "password">
> = credentials.get;
/** Like {@link getMysqlDatabaseCredentials}, with outputs as arguments and as the result. The whole result is a secret. */
export const getMysqlDatabaseCredentialsOutput: GetOutputFunction<
  GetMysqlDatabaseCredentialsArgs,
  MysqlDatabaseCredentialsResult
> = credentials.getOutput;

/**
 * The CA certificate for connections to a MySQL database, encoded as base64. The database must be `active`.
 *
 * ```ts
 * const { caCertificate } = await nodecloud.getMysqlDatabaseCertificate({ databaseId: 12 });
 * ```
 */
export const getMysqlDatabaseCertificate: GetFunction<
  GetMysqlDatabaseCertificateArgs,
  MysqlDatabaseCertificateResult
> = certificate.get;
/** Like {@link getMysqlDatabaseCertificate}, with outputs as arguments and as the result. */
export const getMysqlDatabaseCertificateOutput: GetOutputFunction<
  GetMysqlDatabaseCertificateArgs,
  MysqlDatabaseCertificateResult
> = certificate.getOutput;
