// Written by `npm run generate` from src/resources/postgresql-database-backup.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";

/** Inputs of a {@link PostgresqlDatabaseBackup}. */
export interface PostgresqlDatabaseBackupArgs {
  /** The id of the database. A change takes a backup of the other database. */
  databaseId: pulumi.Input<string | number>;
  /**
   * The name of the backup: ASCII letters and numbers. 1 to 30 characters. A change takes a new backup. Removing it keeps
   * the name.
   * @default the ASCII letters and numbers of the resource's name, and a derived suffix
   */
  label?: pulumi.Input<string>;
  /**
   * The node of the database to take the backup of. No answer shows it, and the API reference does not say what
   * `secondary` does. A change takes a new backup. Removing it restores the default, which replaces the backup.
   * @default "primary"
   */
  target?: pulumi.Input<"primary" | "secondary">;
  /**
   * Values of any type that trigger a new backup when one of them changes. The new backup takes the place of this one. A
   * change takes a new backup.
   */
  triggers?: pulumi.Input<Record<string, unknown>>;
}

/**
 * A backup of a PostgreSQL database, taken when the resource is created, which takes several minutes. A database keeps at
 * most 3 of them. The API has no operation to delete or restore one: it stays in the account when the resource is removed.
 *
 * ```ts
 * new nodecloud.PostgresqlDatabaseBackup("before-upgrade", { databaseId: db.id, triggers: { release: "v2" } });
 * ```
 */
export class PostgresqlDatabaseBackup extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.PostgresqlDatabaseBackup);

  /** @internal */
  static get description() {
    return descriptions.PostgresqlDatabaseBackup;
  }

  /** Whether an object is a backup of this class. It knows those of other copies of the package, and what policies are shown. */
  static override isInstance(object: unknown): object is PostgresqlDatabaseBackup {
    return isOfType(outlines.PostgresqlDatabaseBackup, object);
  }

  /** The id of the database. */
  declare readonly databaseId: pulumi.Output<string>;
  /** The name of the backup: ASCII letters and numbers. */
  declare readonly label: pulumi.Output<string>;
  /** The node of the database that the backup was taken of. Absent for an adopted backup. */
  declare readonly target: pulumi.Output<"primary" | "secondary" | (string & {}) | undefined>;
  /** Values of any type that trigger a new backup when one of them changes. The new backup takes the place of this one. */
  declare readonly triggers: pulumi.Output<Record<string, unknown> | undefined>;
  /** The type of the backup: `snapshot`, or `auto` for one of the daily backups that was read or adopted. */
  declare readonly type: pulumi.Output<"snapshot" | "auto" | (string & {})>;
  /** When the backup was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;

  constructor(name: string, args: PostgresqlDatabaseBackupArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.PostgresqlDatabaseBackup, name, args, opts);
  }

  /** Reads an existing backup without managing it. The form of its id is databaseId/backupId, such as 12/345. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): PostgresqlDatabaseBackup {
    return NodeCloudResource.existing(PostgresqlDatabaseBackup, name, id, opts);
  }
}
