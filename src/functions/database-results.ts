import { type Database, type DatabaseBackup } from "../api/types/databases";

/** Host names of a database. */
export interface DatabaseHostsResult {
  /** The primary host name. */
  primary?: string | undefined;
  /** The secondary host name. */
  secondary?: string | undefined;
}

/** The maintenance window of a database. */
export interface DatabaseUpdatesResult {
  /** The day of the week. The API reference does not show its bounds. */
  dayOfWeek?: number | undefined;
  /** The length of the window. The API reference does not show its unit. */
  duration?: number | undefined;
  /** How often maintenance takes place: `weekly` or `monthly`. The service may add other values. */
  frequency?: string | undefined;
  /** The hour of the day. */
  hourOfDay?: number | undefined;
  /** The week of the month. */
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
  /** Whether the database is encrypted. */
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
  /** The type of the replication between the nodes. */
  replicationType?: Exclude<Database["replication_type"], null>;
  /** The commit type of the replication. Only for PostgreSQL databases. */
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
