// Written by `npm run generate` from src/resources/postgresql-database-backup.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";

/** Inputs of a {@link PostgresqlDatabaseBackup}. */
export interface PostgresqlDatabaseBackupArgs {
  /**
   * The id of the database. A change takes a backup of the other database.
   * @example "123"
   */
  databaseId: pulumi.Input<string | number>;
  /**
   * The label of the backup: only ASCII letters and numbers. 1 to 30 characters. A change takes a new backup. Removing it
   * keeps the name; the preview warns.
   * @default the ASCII letters and numbers of the resource's name, and a derived suffix
   * @example "beforeupgrade"
   */
  label?: pulumi.Input<string>;
  /**
   * The node of the database to back up. The API does not return it, and the API reference does not show what `secondary`
   * does. A change takes a new backup. Removing it resets it to `"primary"`, which replaces the backup.
   * @default "primary"
   * @example "secondary"
   */
  target?: pulumi.Input<"primary" | "secondary">;
  /**
   * Values of any type, such as the version that is deployed next. A change takes a new backup, which replaces this one.
   * Removing it has no effect.
   * @example { release: "v2" }
   */
  triggers?: pulumi.Input<Record<string, unknown>>;
}

/**
 * A backup of a PostgreSQL database. The provider takes it when it creates the resource, which takes several minutes. A
 * database keeps at most 3 of these backups. The API has no operation to delete or restore one: if you remove the
 * resource, the backup stays in the account.
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

  /** Whether an object is a backup of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is PostgresqlDatabaseBackup {
    return isOfType(outlines.PostgresqlDatabaseBackup, object);
  }

  /** The id of the database. */
  declare readonly databaseId: pulumi.Output<string>;
  /** The label of the backup: only ASCII letters and numbers. */
  declare readonly label: pulumi.Output<string>;
  /** The node of the database that was backed up. Undefined for an imported backup. */
  declare readonly target: pulumi.Output<"primary" | "secondary" | (string & {}) | undefined>;
  /** Values of any type, such as the version that is deployed next. */
  declare readonly triggers: pulumi.Output<Record<string, unknown> | undefined>;
  /** The type of the backup: `snapshot`, or `auto` for a daily backup that was read or imported. */
  declare readonly type: pulumi.Output<"snapshot" | "auto" | (string & {})>;
  /** When the backup was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;

  /**
   * Declares a backup.
   * @param name The name of the resource in the program.
   * @param args The inputs of the backup.
   * @param opts The options of the resource.
   */
  constructor(name: string, args: PostgresqlDatabaseBackupArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.PostgresqlDatabaseBackup, name, args, opts);
  }

  /**
   * Reads an existing backup without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the backup. It has the form databaseId/backupId, such as 12/345.
   * @param opts The options of the resource.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): PostgresqlDatabaseBackup {
    return NodeCloudResource.existing(PostgresqlDatabaseBackup, name, id, opts);
  }
}
