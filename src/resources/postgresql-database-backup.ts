import { postgresql } from "../api/databases";
import { defineResource } from "../provider/describe/define-resource";
import { databaseBackupFamily } from "./families/database-backup";

export const postgresqlDatabaseBackup = defineResource({
  ...databaseBackupFamily({
    operations: postgresql,
    family: (client) => client.postgresql,
    advice: "the API has no operation to delete one, so delete it outside Pulumi",
  }),
  type: "PostgresqlDatabaseBackup",
  doc: "A backup of a PostgreSQL database, taken when the resource is created, which takes several minutes. A database keeps at most 3 of them. The API has no operation to delete or restore one: it stays in the account when the resource is removed.",
  example: `
new nodecloud.PostgresqlDatabaseBackup("before-upgrade", { databaseId: db.id, triggers: { release: "v2" } });`,
  undeletable: "the API has no operation to delete a backup of a PostgreSQL database",

  // There is no operation to view one.
  read: async (client, { parent: instanceId = "", id: backupId }) => {
    for await (const backup of client.postgresql.listBackups.all({ instanceId })) {
      if (String(backup.id) === backupId) return backup;
    }
    return undefined;
  },
});
