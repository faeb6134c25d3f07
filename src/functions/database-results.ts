import { type Database, type DatabaseBackup } from "../api/types/databases";

/** Host names of a database. */
export interface DatabaseHostsResult {
  /** Name of the primary host. */
  primary?: string | undefined;
  /** Name of the secondary host, of a database with three nodes. */
  secondary?: string | undefined;
}

/** The maintenance window of a database. */
export interface DatabaseUpdatesResult {
  /** Number of the weekday. Its bounds are not documented. */
  dayOfWeek?: number | undefined;
  /** Length of the window. Its unit is not documented. */
  duration?: number | undefined;
  /** `weekly` and `monthly` are known. */
  frequency?: string | undefined;
  /** Hour of the day at which the window begins. */
  hourOfDay?: number | undefined;
  /** Week of the month, of a monthly window. */
  weekOfMonth?: number | undefined;
}

/** The fields of a database in the results of all functions. */
export interface DatabaseFields {
  /** The id of its resource. */
  id: string;
  /** Name in the account. */
  label: string;
  /** `mysql` or `postgresql`. */
  engine: string;
  /** Version of the engine. */
  version: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: string;
  /** Status of the database. */
  status: Database["status"];
  /** 1, or 3 for high availability. */
  clusterSize?: number | undefined;
  /** Whether its disks are encrypted. */
  encrypted?: boolean | undefined;
  /** Addresses and ranges that can connect. */
  allowList?: string[] | undefined;
  /** Host names. Present once the database is provisioned. */
  hosts?: DatabaseHostsResult | undefined;
  /** The maintenance window. */
  updates?: DatabaseUpdatesResult | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
}

/** A database of one engine, as the functions of its engine return it. */
export interface EngineDatabaseResult extends DatabaseFields {
  /** Port to connect to. */
  port?: number | undefined;
  /** Whether SSL is required to connect. */
  sslConnection?: boolean | undefined;
  /** How the data is replicated to the other nodes. */
  replicationType?: Exclude<Database["replication_type"], null>;
  /** Only for PostgreSQL databases. */
  replicationCommitType?: Exclude<Database["replication_commit_type"], null>;
}

/** A backup of a database, as the functions of its engine return it. */
export interface DatabaseBackupResult {
  /** The id of its resource: `databaseId/backupId`. */
  id: string;
  /** Id of the database. */
  databaseId: string;
  /** Name of the backup. */
  label?: string | undefined;
  /** `snapshot` for a backup that was asked for, or `auto` for a daily one. */
  type: DatabaseBackup["type"];
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
}
