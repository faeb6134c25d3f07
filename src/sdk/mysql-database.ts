// Written by `npm run generate` from src/resources/mysql-database.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";
import { type DatabaseReadyWhenArgs, type DatabaseUpdatesArgs } from "./inputs";
import { type DatabaseHosts, type DatabaseReadyWhen, type DatabaseUpdates } from "./types";

/** Inputs of a {@link MysqlDatabase}. */
export interface MysqlDatabaseArgs {
  /**
   * The name of the database, unique in the account. 3 to 32 characters. A change updates the database in place. Removing
   * it restores the automatic name.
   * @default the resource's name and a derived suffix
   * @example "shop"
   */
  label?: pulumi.Input<string>;
  /**
   * The id of the region, such as `us-east`. A change replaces the database.
   * @example "us-east"
   */
  region: pulumi.Input<string>;
  /**
   * The id of the type of the database's nodes, such as `g6-standard-1`. A change replaces the database.
   * @example "g6-standard-1"
   */
  type: pulumi.Input<string>;
  /**
   * The engine and its version as `<engine>/<version>`, such as `mysql/8.0.30`. If the service patches the version, this
   * is not drift. A change replaces the database.
   * @example "mysql/8.0.30"
   */
  engine: pulumi.Input<string>;
  /**
   * The number of nodes: 1, or 3 for high availability. A change replaces the database. Removing it resets it to `1`,
   * which replaces the database.
   * @default 1
   * @example 3
   */
  clusterSize?: pulumi.Input<1 | 3>;
  /**
   * Whether the database is encrypted. A change replaces the database. Removing it resets it to `false`, which replaces
   * the database.
   * @default false
   * @example true
   */
  encrypted?: pulumi.Input<boolean>;
  /**
   * Whether clients must connect with SSL. A change replaces the database. Removing it resets it to `true`, which replaces
   * the database.
   * @default true
   * @example false
   */
  sslConnection?: pulumi.Input<boolean>;
  /**
   * The type of the replication between the nodes. The API reference does not show its default. A change replaces the
   * database. Removing it keeps the current value; the preview warns.
   * @example "none"
   */
  replicationType?: pulumi.Input<"none" | "asynch" | "semi_synch">;
  /**
   * The IP addresses and CIDR ranges that may connect. An empty list blocks all connections, and `0.0.0.0/0` allows every
   * address. Order is ignored. A change updates the database in place. Removing it resets it to `[]`.
   * @default []
   * @example ["192.0.2.0/24"]
   */
  allowList?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What has to answer before a creation, a restore or a patch counts as done. The machine that runs Pulumi asks, so
   * `allowList` must let it connect. See `docs/ready.md`. A change asks again, and sends nothing. Removing it clears it.
   * @example { tcp: true }
   */
  readyWhen?: pulumi.Input<DatabaseReadyWhenArgs>;
  /**
   * The maintenance window, in which the service patches the operating system. A database with `clusterSize: 1` has
   * downtime then. The API reference does not show the limits of its values. A change updates the database in place.
   * @example { dayOfWeek: 6 }
   */
  updates?: pulumi.Input<DatabaseUpdatesArgs>;
  /**
   * The trigger of a reset of the credentials: any value. Only an unrestricted user may reset them. A change resets the
   * credentials: the service generates a new root password. Removing it sends nothing; setting the same value again
   * repeats the operation.
   * @example "2026-01"
   */
  credentialsResetTrigger?: pulumi.Input<string | number | boolean>;
  /**
   * The trigger of a patch: any value. A change patches the operating system of the database. Removing it sends nothing;
   * setting the same value again repeats the operation.
   * @example "2026-01"
   */
  patchTrigger?: pulumi.Input<string | number | boolean>;
  /**
   * The id of a backup of this database: a number, or `databaseId/backupId`. A backup cannot be restored to a new or
   * another database. After a reset of the credentials, a restore makes the database fail permanently. A change replaces
   * all data with the data of the backup. Removing it sends nothing; setting the same value again repeats the operation.
   * @example "123"
   */
  restoreFromBackupId?: pulumi.Input<string | number>;
}

/**
 * A managed MySQL database. Provisioning takes about 15 to 30 minutes. The service backs the database up daily and keeps
 * these backups for 7 days. A database with one node has downtime during maintenance.
 *
 * ```ts
 * const db = new nodecloud.MysqlDatabase("app", {
 *   region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", allowList: ["192.0.2.0/24"],
 * });
 * export const password = db.rootPassword;
 * ```
 */
export class MysqlDatabase extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.MysqlDatabase);

  /** @internal */
  static get description() {
    return descriptions.MysqlDatabase;
  }

  /** Whether an object is a database of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is MysqlDatabase {
    return isOfType(outlines.MysqlDatabase, object);
  }

  /** The name of the database. */
  declare readonly label: pulumi.Output<string>;
  /** The id of the region, such as `us-east`. */
  declare readonly region: pulumi.Output<string>;
  /** The id of the type of the database's nodes, such as `g6-standard-1`. */
  declare readonly type: pulumi.Output<string>;
  /**
   * The engine and its version as `<engine>/<version>`, such as `mysql/8.0.30`. If the service patches the version, this
   * is not drift.
   */
  declare readonly engine: pulumi.Output<string>;
  /** The number of nodes. */
  declare readonly clusterSize: pulumi.Output<number>;
  /** Whether the database is encrypted. */
  declare readonly encrypted: pulumi.Output<boolean>;
  /** Whether clients must connect with SSL. */
  declare readonly sslConnection: pulumi.Output<boolean>;
  /** The type of the replication between the nodes. The service may add other values. */
  declare readonly replicationType: pulumi.Output<"none" | "asynch" | "semi_synch" | (string & {})>;
  /**
   * The IP addresses and CIDR ranges that may connect. An empty list blocks all connections, and `0.0.0.0/0` allows every
   * address. Order is ignored.
   */
  declare readonly allowList: pulumi.Output<string[]>;
  /**
   * What has to answer before a creation, a restore or a patch counts as done. The machine that runs Pulumi asks, so
   * `allowList` must let it connect. See `docs/ready.md`.
   */
  declare readonly readyWhen: pulumi.Output<DatabaseReadyWhen | undefined>;
  /** The maintenance window. */
  declare readonly updates: pulumi.Output<DatabaseUpdates>;
  /** The trigger of a reset of the credentials: any value. Only an unrestricted user may reset them. */
  declare readonly credentialsResetTrigger: pulumi.Output<string | number | boolean | undefined>;
  /** The trigger of a patch: any value. */
  declare readonly patchTrigger: pulumi.Output<string | number | boolean | undefined>;
  /**
   * The id of a backup of this database: a number, or `databaseId/backupId`. A backup cannot be restored to a new or
   * another database. After a reset of the credentials, a restore makes the database fail permanently.
   */
  declare readonly restoreFromBackupId: pulumi.Output<string | undefined>;
  /** The status of the database. The service may add other values. */
  declare readonly status: pulumi.Output<
    | "provisioning"
    | "active"
    | "suspending"
    | "suspended"
    | "resuming"
    | "restoring"
    | "failed"
    | "degraded"
    | "updating"
    | "backing_up"
    | (string & {})
  >;
  /** The version of the engine. */
  declare readonly version: pulumi.Output<string>;
  /** The host names of the database. */
  declare readonly hosts: pulumi.Output<DatabaseHosts>;
  /** The port of the database. */
  declare readonly port: pulumi.Output<number>;
  /** When the database was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  /** When the database was last updated: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly updated: pulumi.Output<string>;
  /** The name of the root user. `get` finds it only while the database is active. */
  declare readonly rootUsername: pulumi.Output<string>;
  /** The password of the root user. `get` finds it only while the database is active. Secret. */
  declare readonly rootPassword: pulumi.Output<string>;
  /** The CA certificate for SSL connections, in base64. `get` finds it only while the database is active. */
  declare readonly caCertificate: pulumi.Output<string>;

  /**
   * Declares a database.
   * @param name The name of the resource in the program.
   * @param args The inputs of the database.
   * @param opts The options of the resource.
   */
  constructor(name: string, args: MysqlDatabaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.MysqlDatabase, name, args, opts);
  }

  /**
   * Reads an existing database without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the database. It has the form 123.
   * @param opts The options of the resource.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): MysqlDatabase {
    return NodeCloudResource.existing(MysqlDatabase, name, id, opts);
  }
}
