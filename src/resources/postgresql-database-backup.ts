import { MAX_SNAPSHOTS } from "../api/databases";
import { defineResource } from "../provider/describe/define-resource";
import { databaseBackupFamily } from "./families/database-backup";

export const postgresqlDatabaseBackup = defineResource({
  ...databaseBackupFamily(
    "postgresql",
    "PostgresqlDatabase",
    "the API has no operation to delete one, so delete it outside Pulumi",
  ),
  type: "PostgresqlDatabaseBackup",
  doc: `A backup of a PostgreSQL database. The provider takes it when it creates the resource, which takes several minutes. A database keeps at most ${MAX_SNAPSHOTS} of these backups. The API has no operation to delete or restore one: if you remove the resource, the backup stays in the account.`,
  example: `
new nodecloud.PostgresqlDatabaseBackup("before-upgrade", { databaseId: db.id, triggers: { release: "v2" } });`,
  lookup: {
    by: ["label"],
    result: "DatabaseBackup",
    list: {
      doc: "The backups of a PostgreSQL database. Refused while the database is provisioning.",
      example: `const { backups } = await nodecloud.getPostgresqlDatabaseBackups({ databaseId: 12, sortBy: "created" });`,
    },
    item: {
      example: `const latest = await nodecloud.getPostgresqlDatabaseBackup({ databaseId: 12, mostRecent: true });`,
    },
  },
  undeletable: "the API has no operation to delete a backup of a PostgreSQL database",

  // The API has no operation to view one backup.
  read: async (client, { parent: instanceId = "", id: backupId }) => {
    for await (const backup of client.postgresql.listBackups.all({ instanceId })) {
      if (String(backup.id) === backupId) return backup;
    }
    return undefined;
  },
});
