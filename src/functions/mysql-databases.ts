// Written by `npm run generate` from the description of MysqlDatabase.
import { defineItem, defineList, defineView } from "./define";
import {
  type EngineDatabaseResult,
  type MysqlDatabaseCertificateResult,
  type MysqlDatabaseCredentialsResult,
} from "./results";
import { type ItemArgs, type ListArgs, type Secret } from "./types";

/** A MySQL database, as {@link getMysqlDatabase} returns it. */
export type MysqlDatabaseResult = EngineDatabaseResult;

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

const list = defineList<ListArgs<MysqlDatabaseResult> | undefined, { databases: MysqlDatabaseResult[] }>({
  name: "getMysqlDatabases",
  reads: "mysql.list",
  collection: "databases",
  nouns: ["MySQL database", "MySQL databases"],
  result: "EngineDatabase",
  by: ["label"],
});
const item = defineItem<ItemArgs<MysqlDatabaseResult, "label">, MysqlDatabaseResult>({
  name: "getMysqlDatabase",
  reads: "mysql.get",
  list: list.declaration,
});
const credentials = defineView<
  GetMysqlDatabaseCredentialsArgs,
  Secret<MysqlDatabaseCredentialsResult, "password">,
  MysqlDatabaseCredentialsResult
>({
  name: "getMysqlDatabaseCredentials",
  reads: "mysql.getCredentials",
  parent: { property: "databaseId", noun: "MySQL database" },
  secrets: ["password"],
});
const certificate = defineView<GetMysqlDatabaseCertificateArgs, MysqlDatabaseCertificateResult>({
  name: "getMysqlDatabaseCertificate",
  reads: "mysql.getSslCertificate",
  parent: { property: "databaseId", noun: "MySQL database" },
});

/**
 * The MySQL databases of the account.
 *
 * ```ts
 * const { databases } = await nodecloud.getMysqlDatabases({ filter: { version: { matches: "^8\\." } } });
 * ```
 */
export const getMysqlDatabases = list.get;
/** Like {@link getMysqlDatabases}, with outputs as arguments and as the result. */
export const getMysqlDatabasesOutput = list.getOutput;

/**
 * One MySQL database: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const app = await nodecloud.getMysqlDatabase({ label: "app" });
 * ```
 */
export const getMysqlDatabase = item.get;
/** Like {@link getMysqlDatabase}, with outputs as arguments and as the result. */
export const getMysqlDatabaseOutput = item.getOutput;

/**
 * The root user of a MySQL database, which must be `active`. The password is a separate output, which is a secret.
 *
 * ```ts
 * const { username, password } = await nodecloud.getMysqlDatabaseCredentials({ databaseId: 12 });
 * ```
 */
export const getMysqlDatabaseCredentials = credentials.get;
/** Like {@link getMysqlDatabaseCredentials}, with outputs as arguments and as the result. The whole result is a secret. */
export const getMysqlDatabaseCredentialsOutput = credentials.getOutput;

/**
 * The CA certificate for connections to a MySQL database, encoded as base64. The database must be `active`.
 *
 * ```ts
 * const { caCertificate } = await nodecloud.getMysqlDatabaseCertificate({ databaseId: 12 });
 * ```
 */
export const getMysqlDatabaseCertificate = certificate.get;
/** Like {@link getMysqlDatabaseCertificate}, with outputs as arguments and as the result. */
export const getMysqlDatabaseCertificateOutput = certificate.getOutput;
