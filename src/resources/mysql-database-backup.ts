import type * as pulumi from "@pulumi/pulumi";
import { type DatabaseBackup as Reply, mysql } from "../api/databases";
import { defineResource } from "../provider/define";
import {
  type DatabaseBackupArgs,
  databaseBackupFamily,
  DatabaseBackupResource,
} from "./families/database-backup";

/** Inputs of a {@link MysqlDatabaseBackup}. */
export interface MysqlDatabaseBackupArgs extends DatabaseBackupArgs {
  /** Id of the MySQL database. A change takes a backup of the other database. */
  databaseId: pulumi.Input<string | number>;
}

const mysqlDatabaseBackup = defineResource<Reply>({
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

/**
 * A backup of a MySQL database, taken when the resource is created: several minutes. A database keeps at most 3. To restore
 * one, give its id to `restoreFromBackupId` of the `MysqlDatabase`.
 *
 * ```ts
 * new nodecloud.MysqlDatabaseBackup("before-upgrade", { databaseId: db.id, triggers: { release } });
 * ```
 */
export class MysqlDatabaseBackup extends DatabaseBackupResource {
  /** @internal */
  static readonly description = mysqlDatabaseBackup;

  constructor(name: string, args: MysqlDatabaseBackupArgs, opts?: pulumi.CustomResourceOptions) {
    super(mysqlDatabaseBackup, name, args, opts);
  }

  /** Reads a backup that another program or person manages. Its id is `databaseId/backupId`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): MysqlDatabaseBackup {
    return DatabaseBackupResource.existing(MysqlDatabaseBackup, name, id, opts);
  }
}
