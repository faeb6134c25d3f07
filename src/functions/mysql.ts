import { type DatabaseBackupResult, type EngineDatabaseResult } from "./database-results";
import { defineItem, defineList, defineView } from "./define";
import {
  type GetFunction,
  type GetOutputFunction,
  type ItemArgs,
  type ListArgs,
  type ParentArgs,
  type Secret,
} from "./types";

/** A MySQL database as {@link getMysqlDatabase} gives it. */
export type MysqlDatabaseResult = EngineDatabaseResult;

/** A backup of a MySQL database as {@link getMysqlDatabaseBackup} gives it. */
export type MysqlDatabaseBackupResult = DatabaseBackupResult;

/** The root user of a MySQL database. */
export interface MysqlDatabaseCredentialsResult {
  /** Name of the root user. */
  username: string;
  /** Password of the root user. */
  password: string;
}

/** The CA certificate to connect to a MySQL database with. */
export interface MysqlDatabaseCertificateResult {
  /** In base64. */
  caCertificate: string;
}

const parent = { property: "databaseId", noun: "MySQL database" } as const;

const databases = defineList({
  name: "getMysqlDatabases",
  reads: "mysql.list",
  collection: "databases",
  nouns: ["MySQL database", "MySQL databases"],
  by: ["label"],
});
const database = defineItem("getMysqlDatabase", { list: databases, reads: "mysql.get" });

const backups = defineList({
  name: "getMysqlDatabaseBackups",
  reads: "mysql.listBackups",
  collection: "backups",
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
/** {@link getMysqlDatabases} of outputs, as an output. */
export const getMysqlDatabasesOutput: GetOutputFunction<
  ListArgs<MysqlDatabaseResult> | undefined,
  { databases: MysqlDatabaseResult[] }
> = databases.getOutput;

/**
 * One MySQL database: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const app = await nodecloud.getMysqlDatabase({ label: "app" });
 * ```
 */
export const getMysqlDatabase: GetFunction<
  ItemArgs<MysqlDatabaseResult, "label">,
  MysqlDatabaseResult
> = database.get;
/** {@link getMysqlDatabase} of outputs, as an output. */
export const getMysqlDatabaseOutput: GetOutputFunction<
  ItemArgs<MysqlDatabaseResult, "label">,
  MysqlDatabaseResult
> = database.getOutput;

/**
 * The backups of a MySQL database. Refused while it is provisioning.
 *
 * ```ts
 * const { backups } = await nodecloud.getMysqlDatabaseBackups({ databaseId: 12, filter: { type: "snapshot" } });
 * ```
 */
export const getMysqlDatabaseBackups: GetFunction<
  ListArgs<MysqlDatabaseBackupResult, "databaseId">,
  { backups: MysqlDatabaseBackupResult[] }
> = backups.get;
/** {@link getMysqlDatabaseBackups} of outputs, as an output. */
export const getMysqlDatabaseBackupsOutput: GetOutputFunction<
  ListArgs<MysqlDatabaseBackupResult, "databaseId">,
  { backups: MysqlDatabaseBackupResult[] }
> = backups.getOutput;

/**
 * One backup of a MySQL database: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const latest = await nodecloud.getMysqlDatabaseBackup({ databaseId: 12, mostRecent: true });
 * ```
 */
export const getMysqlDatabaseBackup: GetFunction<
  ItemArgs<MysqlDatabaseBackupResult, "label", "databaseId">,
  MysqlDatabaseBackupResult
> = backup.get;
/** {@link getMysqlDatabaseBackup} of outputs, as an output. */
export const getMysqlDatabaseBackupOutput: GetOutputFunction<
  ItemArgs<MysqlDatabaseBackupResult, "label", "databaseId">,
  MysqlDatabaseBackupResult
> = backup.getOutput;

/**
 * The root user of a MySQL database, which has to be `active`. The password is an output of its own that is a secret.
 *
 * ```ts
 * const { username, password } = await nodecloud.getMysqlDatabaseCredentials({ databaseId: 12 });
 * ```
 */
export const getMysqlDatabaseCredentials: GetFunction<
  ParentArgs<"databaseId">,
  Secret<MysqlDatabaseCredentialsResult, "password">
> = credentials.get;
/** {@link getMysqlDatabaseCredentials} of outputs, as an output that is a secret as a whole. */
export const getMysqlDatabaseCredentialsOutput: GetOutputFunction<
  ParentArgs<"databaseId">,
  MysqlDatabaseCredentialsResult
> = credentials.getOutput;

/**
 * The CA certificate to connect to a MySQL database with, in base64. The database has to be `active`.
 *
 * ```ts
 * const { caCertificate } = await nodecloud.getMysqlDatabaseCertificate({ databaseId: 12 });
 * ```
 */
export const getMysqlDatabaseCertificate: GetFunction<
  ParentArgs<"databaseId">,
  MysqlDatabaseCertificateResult
> = certificate.get;
/** {@link getMysqlDatabaseCertificate} of outputs, as an output. */
export const getMysqlDatabaseCertificateOutput: GetOutputFunction<
  ParentArgs<"databaseId">,
  MysqlDatabaseCertificateResult
> = certificate.getOutput;
