// Written by `npm run generate` from src/functions and src/api.
import { type Known } from "../../api/types/common";

/** A backup of a database. */
export interface DatabaseBackupResult {
  /** The id of its resource: `databaseId/backupId`. */
  id: string;
  /** Id of the database. */
  databaseId: string;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Name of the backup. */
  label?: string | undefined;
  /** `snapshot` for a backup that was asked for, or `auto` for a daily one. */
  type: Known<"snapshot" | "auto">;
}

/** Host names. Present once the database is provisioned. */
export interface DatabaseHostsResult {
  /** The primary host name. */
  primary?: string | undefined;
  /** The secondary host name. */
  secondary?: string | undefined;
}

/** A managed database in the list of all engines: without its port, its replication and whether SSL is required. */
export interface DatabaseResult {
  /** The id of its resource. */
  id: string;
  /** Name, unique in the account. */
  label: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: string;
  /** Whether the database is encrypted. */
  encrypted?: boolean | undefined;
  /** Addresses and ranges that can connect. */
  allowList?: string[] | undefined;
  /** `mysql` or `postgresql`. */
  engine: string;
  /** Version of the engine. */
  version: string;
  /** Status of the database. */
  status: Known<
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
  >;
  /** 1, or 3 for high availability. */
  clusterSize?: number | undefined;
  /** Host names. Present once the database is provisioned. */
  hosts?: DatabaseHostsResult | undefined;
  /** The maintenance window. */
  updates?: DatabaseUpdatesResult | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
  /** The path of the database's operations. */
  instanceUri?: string | undefined;
}

/** The maintenance window. */
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

/** A managed database of one engine. */
export interface EngineDatabaseResult {
  /** The id of its resource. */
  id: string;
  /** Name, unique in the account. */
  label: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: string;
  /** Whether the database is encrypted. */
  encrypted?: boolean | undefined;
  /** Addresses and ranges that can connect. */
  allowList?: string[] | undefined;
  /** `mysql` or `postgresql`. */
  engine: string;
  /** Version of the engine. */
  version: string;
  /** Status of the database. */
  status: Known<
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
  >;
  /** 1, or 3 for high availability. */
  clusterSize?: number | undefined;
  /** Host names. Present once the database is provisioned. */
  hosts?: DatabaseHostsResult | undefined;
  /** The maintenance window. */
  updates?: DatabaseUpdatesResult | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
  /** Port to connect to. */
  port?: number | undefined;
  /** Whether SSL is required to connect. */
  sslConnection?: boolean | undefined;
  /** The type of the replication between the nodes. */
  replicationType?: Known<"none" | "asynch" | "semi_synch" | "async"> | undefined;
  /** The commit type of the replication. Only for PostgreSQL databases. */
  replicationCommitType?: Known<"on" | "local" | "remote_write" | "remote_apply" | "off"> | undefined;
}

/** The CA certificate for connections to a MySQL database. */
export interface MysqlDatabaseCertificateResult {
  /** The CA certificate for SSL connections, in base64. */
  caCertificate: string;
}

/** The root user of a MySQL database. */
export interface MysqlDatabaseCredentialsResult {
  /** Name of the root user. */
  username: string;
  /** Password of the root user. */
  password: string;
}
