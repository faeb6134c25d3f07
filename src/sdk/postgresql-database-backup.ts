import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { type DatabaseBackupArgs, DatabaseBackupResource } from "./families/database-backup";
import { typeOf } from "../provider/program/registration";
import { isOfType } from "../provider/program/resource";
import { outlines } from "./outlines";

/** Inputs of a {@link PostgresqlDatabaseBackup}. */
export interface PostgresqlDatabaseBackupArgs extends DatabaseBackupArgs {
  /** Id of the PostgreSQL database. A change takes a backup of the other database. */
  databaseId: pulumi.Input<string | number>;
}

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
  static readonly __pulumiType: string = typeOf(outlines.PostgresqlDatabaseBackup);

  /** @internal */
  static get description() {
    return descriptions.PostgresqlDatabaseBackup;
  }

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is PostgresqlDatabaseBackup {
    return isOfType(outlines.PostgresqlDatabaseBackup, object);
  }

  constructor(name: string, args: PostgresqlDatabaseBackupArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.PostgresqlDatabaseBackup, name, args, opts);
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
