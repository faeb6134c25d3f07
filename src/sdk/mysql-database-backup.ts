import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { type DatabaseBackupArgs, DatabaseBackupResource } from "./families/database-backup";
import { typeOf } from "../provider/program/registration";
import { isOfType } from "../provider/program/resource";
import { outlines } from "./outlines";

/** Inputs of a {@link MysqlDatabaseBackup}. */
export interface MysqlDatabaseBackupArgs extends DatabaseBackupArgs {
  /** Id of the MySQL database. A change takes a backup of the other database. */
  databaseId: pulumi.Input<string | number>;
}

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
  static readonly __pulumiType: string = typeOf(outlines.MysqlDatabaseBackup);

  /** @internal */
  static get description() {
    return descriptions.MysqlDatabaseBackup;
  }

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is MysqlDatabaseBackup {
    return isOfType(outlines.MysqlDatabaseBackup, object);
  }

  constructor(name: string, args: MysqlDatabaseBackupArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.MysqlDatabaseBackup, name, args, opts);
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
