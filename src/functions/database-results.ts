import { type Database, type DatabaseBackup } from "../api/types/databases";

/** What every function that gives a database gives of it. */
export interface DatabaseFields {
  /** The id that its resource has. */
  id: string;
  label: string;
  /** `mysql` or `postgresql`. */
  engine: string;
  version: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: string;
  status: Database["status"];
  /** 1, or 3 for high availability. */
  clusterSize?: number | undefined;
  encrypted?: boolean | undefined;
  /** Addresses and ranges that may connect. */
  allowList?: string[] | undefined;
  /** Host names, there once it is provisioned. */
  hosts?: { primary?: string | undefined; secondary?: string | undefined } | undefined;
  /** The maintenance window. */
  updates?:
    | {
        dayOfWeek?: number | undefined;
        duration?: number | undefined;
        /** `weekly` and `monthly` are known. */
        frequency?: string | undefined;
        hourOfDay?: number | undefined;
        weekOfMonth?: number | undefined;
      }
    | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
}

/** A database of one engine, as the functions of its engine give it. */
export interface EngineDatabaseResult extends DatabaseFields {
  port?: number | undefined;
  /** Whether SSL is required to connect. */
  sslConnection?: boolean | undefined;
  replicationType?: Exclude<Database["replication_type"], null>;
  /** Of PostgreSQL databases. */
  replicationCommitType?: Exclude<Database["replication_commit_type"], null>;
}

/** A backup of a database, as the functions of its engine give it. */
export interface DatabaseBackupResult {
  /** The id that its resource has: `databaseId/backupId`. */
  id: string;
  databaseId: string;
  label?: string | undefined;
  type: DatabaseBackup["type"];
  /** `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
}
