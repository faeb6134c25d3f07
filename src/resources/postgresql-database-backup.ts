import { type DatabaseBackup as Reply, postgresql } from "../api/databases";
import { defineResource } from "../provider/describe/define-resource";
import { databaseBackupFamily } from "./families/database-backup";

export const postgresqlDatabaseBackup = defineResource<Reply>({
  ...databaseBackupFamily({
    type: "PostgresqlDatabaseBackup",
    operations: postgresql,
    family: (client) => client.postgresql,
    advice: "the API shows no operation to delete one, so that is to be done by other means",
  }),
  undeletable: "the API shows no operation to delete a backup of a PostgreSQL database",

  // There is no operation to view one.
  read: async (client, { parent: instanceId = "", id: backupId }) => {
    for await (const backup of client.postgresql.listBackups.all({ instanceId })) {
      if (String(backup.id) === backupId) return backup;
    }
    return undefined;
  },
});
