import { postgresql, postgresqlDatabaseCreate } from "../api/databases";
import { openEnum } from "../api/schema";
import { defineResource, output } from "../provider/describe/define-resource";
import { replace } from "../provider/describe/fields";
import { ABSENT, databaseFamily, databaseFields, databaseOutputs } from "./families/database";

/** Operations that the API shows for MySQL only. */
const onlyMysql = (operation: string) =>
  `is only for MySQL: the API has no operation to ${operation} a PostgreSQL database`;

export const postgresqlDatabase = defineResource({
  ...databaseFamily("postgresql"),
  type: "PostgresqlDatabase",
  doc: "A managed PostgreSQL database. Provisioning takes about 15 to 30 minutes. The service backs the database up daily and keeps these backups for 7 days. A database with one node has downtime during maintenance. The API has no operations for its credentials, certificate, patches and restores.",
  example: `
new nodecloud.PostgresqlDatabase("app", {
  region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6", allowList: ["192.0.2.0/24"],
});`,
  lookup: {
    noun: "PostgreSQL database",
    by: ["label"],
    result: "EngineDatabase",
    list: {
      example: `const { databases } = await nodecloud.getPostgresqlDatabases({ filter: { clusterSize: 3 } });`,
    },
    item: { example: `const app = await nodecloud.getPostgresqlDatabase({ label: "app" });` },
  },
  fields: {
    ...databaseFields(postgresqlDatabaseCreate, "postgresql/14.6"),
    replicationCommitType: replace(postgresqlDatabaseCreate.shape.replication_commit_type, {
      doc: "The commit type of the replication.",
      default: "local",
    }),
  },
  outputs: {
    ...databaseOutputs(postgresqlDatabaseCreate),
    replicationCommitType: output(
      openEnum(postgresqlDatabaseCreate.shape.replication_commit_type.unwrap().options),
      "The commit type of the replication. The service may add other values.",
    ),
  },
  unsupported: {
    ...ABSENT,
    credentialsResetTrigger: onlyMysql("reset the credentials of"),
    rootPassword: onlyMysql("view or set the credentials of"),
    caCertificate: onlyMysql("view the certificate of"),
    patchTrigger: onlyMysql("patch"),
    restoreFromBackupId: onlyMysql("restore a backup of"),
  },
  create: ({ client, body }) => client.postgresql.create(body(postgresql.create)),
});
