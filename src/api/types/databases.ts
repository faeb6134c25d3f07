// Written by `npm run generate` from src/api/databases.ts.
import { type Known } from "./common";

/**
 * A managed database in the list of all engines: without its port, its replication and whether SSL is required. Fields
 * that the reference does not name are kept unchanged.
 */
export interface AnyDatabase {
  [field: string]: unknown;
  id: number;
  /** Name, unique in the account. */
  label: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: string;
  /** Whether the database is encrypted. */
  encrypted?: boolean | null | undefined;
  /** Addresses and ranges that can connect. */
  allow_list?: string[] | null | undefined;
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
  cluster_size?: number | null | undefined;
  /** Host names. Present once the database is provisioned. */
  hosts?:
    | {
        [field: string]: unknown;
        /** The primary host name. */
        primary?: string | null | undefined;
        /** The secondary host name. */
        secondary?: string | null | undefined;
      }
    | null
    | undefined;
  /** The maintenance window. */
  updates?: (DatabaseMaintenance & { [field: string]: unknown }) | null | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
  /** The path of the database's operations. */
  instance_uri?: string | null | undefined;
}

/** A managed database of one engine. Fields that the reference does not name are kept unchanged. */
export interface Database {
  [field: string]: unknown;
  id: number;
  /** Name, unique in the account. */
  label: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: string;
  /** Whether the database is encrypted. */
  encrypted?: boolean | null | undefined;
  /** Addresses and ranges that can connect. */
  allow_list?: string[] | null | undefined;
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
  cluster_size?: number | null | undefined;
  /** Host names. Present once the database is provisioned. */
  hosts?:
    | {
        [field: string]: unknown;
        /** The primary host name. */
        primary?: string | null | undefined;
        /** The secondary host name. */
        secondary?: string | null | undefined;
      }
    | null
    | undefined;
  /** The maintenance window. */
  updates?: (DatabaseMaintenance & { [field: string]: unknown }) | null | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
  /** Port to connect to. */
  port?: number | null | undefined;
  /** Whether SSL is required to connect. */
  ssl_connection?: boolean | null | undefined;
  /** The type of the replication between the nodes. */
  replication_type?: Known<"none" | "asynch" | "semi_synch" | "async"> | null | undefined;
  /** The commit type of the replication. Only for PostgreSQL databases. */
  replication_commit_type?:
    Known<"on" | "local" | "remote_write" | "remote_apply" | "off"> | null | undefined;
}

/** A backup of a database. Fields that the reference does not name are kept unchanged. */
export interface DatabaseBackup {
  [field: string]: unknown;
  id: number;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** Name of the backup. */
  label?: string | null | undefined;
  /** `snapshot` for a backup that was asked for, or `auto` for a daily one. */
  type: Known<"snapshot" | "auto">;
}

/** Body of a database backup. */
export interface DatabaseBackupCreate {
  /** ASCII letters and numbers. 1 to 30 characters. */
  label: string;
  /** The node of the database to back up. */
  target?: "primary" | "secondary" | undefined;
}

/** The root user of a MySQL database. Fields that the reference does not name are kept unchanged. */
export interface DatabaseCredentials {
  [field: string]: unknown;
  /** Name of the root user. */
  username: string;
  /** Password of the root user. */
  password: string;
}

/** The weekly or monthly maintenance window of a database. The bounds of its fields are not documented. */
export interface DatabaseMaintenance {
  /** The day of the week. The API reference does not show its bounds. */
  day_of_week?: number | undefined;
  /** The length of the window. The API reference does not show its unit. */
  duration?: number | undefined;
  /** How often maintenance takes place: `weekly` or `monthly`. The service may add other values. */
  frequency?: string | undefined;
  /** The hour of the day. */
  hour_of_day?: number | undefined;
  /** The week of the month. */
  week_of_month?: number | null | undefined;
}

/** Body of a database update. */
export interface DatabaseUpdate {
  /** Addresses and ranges that can connect. */
  allow_list?: string[] | undefined;
  /** Name, unique in the account. 3 to 32 characters. */
  label?: string | undefined;
  /** The maintenance window. */
  updates?: DatabaseMaintenance | undefined;
}

/** Body of the creation of a MySQL database. */
export interface MysqlDatabaseCreate {
  /** Name, unique in the account. 3 to 32 characters. */
  label: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: string;
  /** `<engine>/<version>`, such as `mysql/8.0.30`. */
  engine: string;
  /** 1, or 3 for high availability. @default 1 */
  cluster_size?: 1 | 3 | undefined;
  /** Whether the database is encrypted. */
  encrypted?: boolean | undefined;
  /** Whether SSL is required to connect. */
  ssl_connection?: boolean | undefined;
  /** Addresses and ranges that can connect. */
  allow_list?: string[] | undefined;
  /** The type of the replication between the nodes. */
  replication_type?: "none" | "asynch" | "semi_synch" | undefined;
}

/** Body of the creation of a PostgreSQL database. */
export interface PostgresqlDatabaseCreate {
  /** Name, unique in the account. 3 to 32 characters. */
  label: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: string;
  /** `<engine>/<version>`, such as `mysql/8.0.30`. */
  engine: string;
  /** 1, or 3 for high availability. @default 1 */
  cluster_size?: 1 | 3 | undefined;
  /** Whether the database is encrypted. */
  encrypted?: boolean | undefined;
  /** Whether SSL is required to connect. */
  ssl_connection?: boolean | undefined;
  /** Addresses and ranges that can connect. */
  allow_list?: string[] | undefined;
  /** The type of the replication between the nodes. */
  replication_type?: "none" | "asynch" | undefined;
  /** The commit type of the replication. */
  replication_commit_type?: "on" | "local" | "remote_write" | "remote_apply" | "off" | undefined;
}

/** The CA certificate for connections to a MySQL database. Fields that the reference does not name are kept unchanged. */
export interface SslCertificate {
  [field: string]: unknown;
  /** The CA certificate for SSL connections, in base64. */
  ca_certificate: string;
}
