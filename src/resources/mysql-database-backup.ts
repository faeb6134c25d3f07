import { MAX_SNAPSHOTS } from "../api/databases";
import { defineResource } from "../provider/describe/define-resource";
import { databaseBackupFamily } from "./families/database-backup";

export const mysqlDatabaseBackup = defineResource({
  ...databaseBackupFamily(
    "mysql",
    "MysqlDatabase",
    "delete one, or give the resource that is being replaced the option deleteBeforeReplace",
  ),
  type: "MysqlDatabaseBackup",
  lostByDeletion: "the backup is lost",
  doc: `A backup of a MySQL database. The provider takes it when it creates the resource, which takes several minutes. A database keeps at most ${MAX_SNAPSHOTS} of these backups. To restore a backup, set \`restoreFromBackupId\` of the MysqlDatabase to its id.`,
  example: `
new nodecloud.MysqlDatabaseBackup("before-upgrade", { databaseId: db.id, triggers: { release: "v2" } });`,
  lookup: {
    by: ["label"],
    result: "DatabaseBackup",
    list: {
      doc: "The backups of a MySQL database. Refused while the database is provisioning.",
      example: `const { backups } = await nodecloud.getMysqlDatabaseBackups({ databaseId: 12, filter: { type: "snapshot" } });`,
    },
    item: {
      example: `const latest = await nodecloud.getMysqlDatabaseBackup({ databaseId: 12, mostRecent: true });`,
    },
  },
  read: (client, { parent: instanceId = "", id: backupId }) =>
    client.mysql.getBackup({ instanceId, backupId }),
  delete: (client, { parent: instanceId = "", id: backupId }) =>
    client.mysql.deleteBackup({ instanceId, backupId }),
});
