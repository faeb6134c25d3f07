import { type Database as Reply, postgresql, postgresqlCreate } from "../api/databases";
import { defineResource } from "../provider/describe/define-resource";
import { replace } from "../provider/describe/fields";
import { databaseFamily } from "./families/database";

const family = databaseFamily({
  type: "PostgresqlDatabase",
  kind: "postgresql",
  operations: postgresql,
  family: (client) => client.postgresql,
  body: postgresqlCreate,
  create: ({ client, body }) => client.postgresql.create(body(postgresql.create)),
  fields: {
    replicationCommitType: replace(postgresqlCreate.shape.replication_commit_type, { default: "local" }),
  },
});

/** Operations that the API shows for MySQL only. */
const onlyMysql = (operation: string) =>
  `is only for MySQL: the API shows no operation to ${operation} a PostgreSQL database`;

export const postgresqlDatabase = defineResource<Reply>({
  ...family,
  absent: {
    ...family.absent,
    credentialsResetTrigger: onlyMysql("reset the credentials of"),
    rootPassword: onlyMysql("view or set the credentials of"),
    caCertificate: onlyMysql("view the certificate of"),
    patchTrigger: onlyMysql("patch"),
    restoreFromBackupId: onlyMysql("restore a backup of"),
  },
});
