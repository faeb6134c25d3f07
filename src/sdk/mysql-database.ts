// Written by `npm run generate` from src/resources/mysql-database.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";
import { type DatabaseHosts, type DatabaseUpdates, type DatabaseUpdatesArgs } from "./types";

/** Inputs of a {@link MysqlDatabase}. */
export interface MysqlDatabaseArgs {
  /**
   * The name of the database, unique in the account. 3 to 32 characters. A change updates it in place. Removing it
   * restores the automatic name.
   * @default the resource's name and a derived suffix
   */
  label?: pulumi.Input<string>;
  /** The id of the region, such as `us-east`. A change replaces the database. */
  region: pulumi.Input<string>;
  /** The id of the type of the database's nodes, such as `g6-standard-1`. A change replaces the database. */
  type: pulumi.Input<string>;
  /**
   * The engine and its version as `<engine>/<version>`, such as `mysql/8.0.30`. A version that the service patches is no
   * drift. A change replaces the database.
   */
  engine: pulumi.Input<string>;
  /**
   * The number of nodes: 1, or 3 for high availability. A change replaces the database. Removing it restores the default,
   * which replaces the database.
   * @default 1
   */
  clusterSize?: pulumi.Input<1 | 3>;
  /**
   * Whether the database is encrypted. A change replaces the database. Removing it restores the default, which replaces
   * the database.
   * @default false
   */
  encrypted?: pulumi.Input<boolean>;
  /**
   * Whether clients must connect with SSL. A change replaces the database. Removing it restores the default, which
   * replaces the database.
   * @default true
   */
  sslConnection?: pulumi.Input<boolean>;
  /** How the nodes replicate. A change replaces the database. Removing it leaves the value as it is. */
  replicationType?: pulumi.Input<"none" | "asynch" | "semi_synch">;
  /**
   * The IP addresses and CIDR ranges that may connect. Order is ignored. An empty list lets nobody connect, `0.0.0.0/0`
   * everybody. A change updates it in place. Removing it restores the default.
   * @default []
   */
  allowList?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The maintenance window, in which the service patches the operating system. A database with `clusterSize: 1` has
   * downtime then. The API reference does not show the bounds of its values. A change updates it in place.
   */
  updates?: pulumi.Input<DatabaseUpdatesArgs>;
  /**
   * Any value. A change resets the credentials: the service generates a new root password. Unrestricted users only. A
   * change resets the credentials. Removing it sends nothing; the same value then asks again.
   */
  credentialsResetTrigger?: pulumi.Input<string | number | boolean>;
  /**
   * Any value. A change patches the operating system of the database. A change patches the database. Removing it sends
   * nothing; the same value then asks again.
   */
  patchTrigger?: pulumi.Input<string | number | boolean>;
  /**
   * The id of a backup of this database: a number, or `databaseId/backupId`. A change replaces all data with the backup's.
   * After a reset of the credentials, a restore fails the database for good. A change restores the backup. Removing it
   * sends nothing; the same value then asks again.
   */
  restoreFromBackupId?: pulumi.Input<string | number>;
}

/**
 * A managed MySQL database. Its provisioning takes 15 to 30 minutes. The service backs it up daily and keeps these backups
 * for 7 days. A database of one node has downtime during its maintenance.
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

  /** Whether an object is a database of this class. It knows those of other copies of the package, and what policies are shown. */
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
   * The engine and its version as `<engine>/<version>`, such as `mysql/8.0.30`. A version that the service patches is no
   * drift.
   */
  declare readonly engine: pulumi.Output<string>;
  /** The number of nodes. */
  declare readonly clusterSize: pulumi.Output<number>;
  /** Whether the database is encrypted. */
  declare readonly encrypted: pulumi.Output<boolean>;
  /** Whether clients must connect with SSL. */
  declare readonly sslConnection: pulumi.Output<boolean>;
  /** How the nodes replicate. The service may add others. */
  declare readonly replicationType: pulumi.Output<"none" | "asynch" | "semi_synch" | (string & {})>;
  /**
   * The IP addresses and CIDR ranges that may connect. Order is ignored. An empty list lets nobody connect, `0.0.0.0/0`
   * everybody.
   */
  declare readonly allowList: pulumi.Output<string[]>;
  /** The maintenance window. */
  declare readonly updates: pulumi.Output<DatabaseUpdates>;
  /** Any value. A change resets the credentials: the service generates a new root password. Unrestricted users only. */
  declare readonly credentialsResetTrigger: pulumi.Output<string | number | boolean | undefined>;
  /** Any value. A change patches the operating system of the database. */
  declare readonly patchTrigger: pulumi.Output<string | number | boolean | undefined>;
  /**
   * The id of a backup of this database: a number, or `databaseId/backupId`. A change replaces all data with the backup's.
   * After a reset of the credentials, a restore fails the database for good.
   */
  declare readonly restoreFromBackupId: pulumi.Output<string | undefined>;
  /** The status of the database. The service may add others. */
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
  /** The name of the root user. */
  declare readonly rootUsername: pulumi.Output<string>;
  /** The password of the root user. Secret. */
  declare readonly rootPassword: pulumi.Output<string>;
  /** The CA certificate to connect with, in base64. */
  declare readonly caCertificate: pulumi.Output<string>;

  constructor(name: string, args: MysqlDatabaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.MysqlDatabase, name, args, opts);
  }

  /** Reads an existing database without managing it. The form of its id is 123. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): MysqlDatabase {
    return NodeCloudResource.existing(MysqlDatabase, name, id, opts);
  }
}
