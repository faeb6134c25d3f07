import type * as pulumi from "@pulumi/pulumi";
import { type DatabaseBackup as Reply, postgresql } from "../api/databases";
import { defineResource } from "../provider/define";
import {
  type DatabaseBackupArgs,
  databaseBackupFamily,
  DatabaseBackupResource,
} from "./families/database-backup";

/** Inputs of a {@link PostgresqlDatabaseBackup}. */
export interface PostgresqlDatabaseBackupArgs extends DatabaseBackupArgs {
  /** Id of the PostgreSQL database. A change takes a backup of the other database. */
  databaseId: pulumi.Input<string | number>;
}

const postgresqlDatabaseBackup = defineResource<Reply>({
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

/**
 * A backup of a PostgreSQL database, taken when the resource is created: several minutes. A database keeps at most 3, and the API
 * shows no operation to delete or restore one: a removed resource stays in the account.
 *
 * ```ts
 * new nodecloud.PostgresqlDatabaseBackup("before-upgrade", { databaseId: db.id, triggers: { release } });
 * ```
 */
export class PostgresqlDatabaseBackup extends DatabaseBackupResource {
  /** @internal */
  static readonly description = postgresqlDatabaseBackup;

  constructor(name: string, args: PostgresqlDatabaseBackupArgs, opts?: pulumi.CustomResourceOptions) {
    super(postgresqlDatabaseBackup, name, args, opts);
  }

  /** Reads a backup that another program or person manages. Its id is `databaseId/backupId`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): PostgresqlDatabaseBackup {
    return DatabaseBackupResource.existing(PostgresqlDatabaseBackup, name, id, opts);
  }
}
