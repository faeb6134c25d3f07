import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { type DatabaseArgs, DatabaseResource } from "./families/database";
import { typeOf } from "../provider/program/registration";
import { isOfType } from "../provider/program/resource";
import { outlines } from "./outlines";

/** Inputs of a {@link MysqlDatabase}. */
export interface MysqlDatabaseArgs extends DatabaseArgs {
  /** A change replaces the database. */
  replicationType?: pulumi.Input<"none" | "asynch" | "semi_synch">;
  /** Any value: when it changes, a new root password is generated. Unrestricted users only. */
  credentialsResetTrigger?: pulumi.Input<string | number | boolean>;
  /** Any value: when it changes, the operating system is patched. */
  patchTrigger?: pulumi.Input<string | number | boolean>;
  /**
   * A backup of this database, by its number or as `databaseId/backupId`: when it changes, all data is replaced by the backup's. After
   * a reset of the credentials a restore fails the cluster.
   */
  restoreFromBackupId?: pulumi.Input<string | number>;
}

/**
 * A managed MySQL database. Its provisioning takes 15 to 30 minutes. The service backs it up daily and keeps these backups for 7 days. A
 * database of one node has downtime while it is maintained.
 *
 * ```ts
 * const db = new nodecloud.MysqlDatabase("app", {
 *   region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", allowList: ["192.0.2.0/24"],
 * });
 * export const password = db.rootPassword;
 * ```
 */
export class MysqlDatabase extends DatabaseResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.MysqlDatabase);

  /** @internal */
  static get description() {
    return descriptions.MysqlDatabase;
  }

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is MysqlDatabase {
    return isOfType(outlines.MysqlDatabase, object);
  }

  declare readonly rootUsername: pulumi.Output<string>;
  /** Secret. */
  declare readonly rootPassword: pulumi.Output<string>;
  /** The CA certificate to connect with, in base64. */
  declare readonly caCertificate: pulumi.Output<string>;

  constructor(name: string, args: MysqlDatabaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.MysqlDatabase, name, args, opts);
  }

  /** Reads a database that another program or person manages. Its id is a number. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): MysqlDatabase {
    return DatabaseResource.existing(MysqlDatabase, name, id, opts);
  }
}
