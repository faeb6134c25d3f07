import { type DatabaseBackup as Reply, mysql } from "../api/databases";
import { defineResource } from "../provider/describe/define-resource";
import { databaseBackupFamily } from "./families/database-backup";

export const mysqlDatabaseBackup = defineResource<Reply>({
  ...databaseBackupFamily({
    type: "MysqlDatabaseBackup",
    operations: mysql,
    family: (client) => client.mysql,
    advice: "delete one, or give the resource that is being replaced the option deleteBeforeReplace",
  }),
  read: (client, { parent: instanceId = "", id: backupId }) =>
    client.mysql.getBackup({ instanceId, backupId }),
  delete: (client, { parent: instanceId = "", id: backupId }) =>
    client.mysql.deleteBackup({ instanceId, backupId }),
});
