import { z } from "zod";
import { crud } from "./crud";
import { op, type Schema, typed } from "./operation";
import { asAnswer, dateTime, empty, lenient, openEnum } from "./schema";
import { type Empty } from "./types/common";
import {
  type AnyDatabase,
  type Database,
  type DatabaseBackup,
  type DatabaseBackupCreate,
  type DatabaseCredentials,
  type DatabaseUpdate,
  type MysqlDatabaseCreate,
  type PostgresqlDatabaseCreate,
  type SslCertificate,
} from "./types/databases";

export type { Database, DatabaseBackup } from "./types/databases";

/** The statuses of a managed database in the reference. */
export const DATABASE_STATUSES = [
  "provisioning",
  "active",
  "suspending",
  "suspended",
  "resuming",
  "restoring",
  "failed",
  "degraded",
  "updating",
  "backing_up",
] as const;

/** How many backups of the type `snapshot` a database can have. */
export const MAX_SNAPSHOTS = 3;

/**
 * The weekly or monthly maintenance window of a database. The bounds of its fields are not documented.
 * @internal
 */
export const databaseMaintenance = z.object({
  /** The day of the week. The API reference does not show its bounds. */
  day_of_week: z.int().optional(),
  /** The length of the window. The API reference does not show its unit. */
  duration: z.int().optional(),
  /** How often maintenance takes place: `weekly` or `monthly`. The service may add other values. */
  frequency: z.string().optional(),
  /** The hour of the day. */
  hour_of_day: z.int().optional(),
  /** The week of the month. */
  week_of_month: z.int().nullable().optional(),
});

/** The fields that the creations for both engines have. */
const creation = z.object({
  /** Name, unique in the account. */
  label: z.string().min(3).max(32),
  /** Region id, such as `us-east`. */
  region: z.string(),
  /** Type id of its nodes, such as `g6-standard-1`. */
  type: z.string(),
  /** `<engine>/<version>`, such as `mysql/8.0.30`. */
  engine: z.string(),
  /** 1, or 3 for high availability. @default 1 */
  cluster_size: z
    .union([z.literal(1).meta({ title: "OneNode" }), z.literal(3).meta({ title: "ThreeNodes" })])
    .optional(),
  /** Whether the database is encrypted. */
  encrypted: z.boolean().optional(),
  /** Whether SSL is required to connect. */
  ssl_connection: z.boolean().optional(),
  /** Addresses and ranges that can connect. */
  allow_list: z.array(z.string()).optional(),
});

/** The fields that an answer repeats, whatever the engine. */
const repeated = creation.pick({ label: true, region: true, type: true, encrypted: true, allow_list: true });

const common = {
  id: z.int(),
  ...asAnswer(repeated.shape),
  /** `mysql` or `postgresql`. */
  engine: z.string(),
  /** Version of the engine. */
  version: z.string(),
  /** Status of the database. */
  status: openEnum(DATABASE_STATUSES),
  /** 1, or 3 for high availability. */
  cluster_size: z.int().nullish(),
  /** Host names. Present once the database is provisioned. */
  hosts: lenient(
    z.looseObject({
      /** The primary host name. */
      primary: lenient(z.string()),
      /** The secondary host name. */
      secondary: lenient(z.string()),
    }),
  ),
  /** The maintenance window. */
  updates: z.looseObject(databaseMaintenance.shape).nullish(),
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created: lenient(dateTime),
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated: lenient(dateTime),
};

/**
 * A managed database in the list of all engines: without its port, its replication and whether SSL is required.
 * @internal
 */
export const anyDatabase = z.looseObject({
  ...common,
  /** The path of the database's operations. */
  instance_uri: lenient(z.string()),
});

/**
 * A managed database of one engine.
 * @internal
 */
export const database = z.looseObject({
  ...common,
  /** Port to connect to. */
  port: lenient(z.int()),
  ...asAnswer(creation.pick({ ssl_connection: true }).shape),
  /** The type of the replication between the nodes. */
  replication_type: openEnum(["none", "asynch", "semi_synch", "async"]).nullish(),
  /** The commit type of the replication. Only for PostgreSQL databases. */
  replication_commit_type: openEnum(["on", "local", "remote_write", "remote_apply", "off"]).nullish(),
});

/**
 * A backup of a database.
 * @internal
 */
export const databaseBackup = z.looseObject({
  id: z.int(),
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created: lenient(dateTime),
  /** Name of the backup. */
  label: z.string().nullish(),
  /** `snapshot` for a backup that was asked for, or `auto` for a daily one. */
  type: openEnum(["snapshot", "auto"]),
});

/**
 * The root user of a MySQL database.
 * @internal
 */
export const databaseCredentials = z.looseObject({
  /** Name of the root user. */
  username: z.string(),
  /** Password of the root user. */
  password: z.string(),
});

/**
 * The CA certificate for connections to a MySQL database.
 * @internal
 */
export const sslCertificate = z.looseObject({
  /** The CA certificate for SSL connections, in base64. */
  ca_certificate: z.string(),
});

/**
 * Body of a database update.
 * @internal
 */
export const databaseUpdate = z.object({
  ...creation.pick({ allow_list: true, label: true }).partial({ label: true }).shape,
  /** The maintenance window. */
  updates: databaseMaintenance.optional(),
});

/**
 * Body of a database backup.
 * @internal
 */
export const databaseBackupCreate = z.object({
  /** ASCII letters and numbers. */
  label: z
    .string()
    .min(1)
    .max(30)
    .regex(/^[A-Za-z0-9]*$/, "must consist of ASCII letters and numbers"),
  /** The node of the database to back up. */
  target: z.enum(["primary", "secondary"]).optional(),
});

/**
 * Body of the creation of a MySQL database.
 * @internal
 */
export const mysqlDatabaseCreate = z.object({
  ...creation.shape,
  /** The type of the replication between the nodes. */
  replication_type: z.enum(["none", "asynch", "semi_synch"]).optional(),
});

/**
 * Body of the creation of a PostgreSQL database.
 * @internal
 */
export const postgresqlDatabaseCreate = z.object({
  ...creation.shape,
  /** The type of the replication between the nodes. */
  replication_type: z.enum(["none", "asynch"]).optional(),
  /** The commit type of the replication. */
  replication_commit_type: z.enum(["on", "local", "remote_write", "remote_apply", "off"]).optional(),
});

/** Operations on managed databases of all engines. */
export const databases = {
  /** Lists the account's databases of all engines, page by page. */
  list: op({
    method: "GET",
    path: "/databases/instances",
    summary: "Lists the account's databases of all engines.",
    paged: true,
    reply: typed<AnyDatabase>(anyDatabase),
    scopes: ["databases:read_only"],
  }),
};

/** Operations that both engines have. */
function databaseFamily<const Kind extends "mysql" | "postgresql", Create>(
  kind: Kind,
  create: Schema<Create>,
) {
  const path = `/databases/${kind}/instances` as const;
  const name = { mysql: "MySQL", postgresql: "PostgreSQL" }[kind];
  const plain = crud({
    path,
    id: "instanceId",
    nouns: [`a ${name} database`, `the account's ${name} databases`],
    scopes: "databases",
    reply: typed<Database>(database),
    create,
    update: typed<DatabaseUpdate>(databaseUpdate),
  });
  return {
    /** Lists the account's databases of this engine, page by page. */
    list: plain.list,
    /** Creates a database. Provisioning takes about 15 to 30 minutes. */
    create: op({ ...plain.create, grant: "add_databases" }),
    /** Views one database. */
    get: plain.get,
    /** Changes a database's label, allow list or maintenance window. Requires status `active`. */
    update: op({ ...plain.update, status: { only: ["active"] } }),
    /** Permanently deletes a database and its data. Unrestricted users only. Requires status `active`, `failed` or `degraded`. */
    delete: op({
      ...plain.delete,
      unrestrictedOnly: true,
      status: { only: ["active", "failed", "degraded"] },
    }),
    /** Lists a database's backups, page by page. Refused while the database is provisioning. */
    listBackups: op({
      method: "GET",
      path: `${path}/{instanceId}/backups`,
      summary: `Lists the backups of a ${name} database.`,
      paged: true,
      reply: typed<DatabaseBackup>(databaseBackup),
      scopes: ["databases:read_write"],
      status: { not: ["provisioning"] },
    }),
    /** Takes a snapshot. A database has at most 3. Requires status `active`. */
    createBackup: op({
      method: "POST",
      path: `${path}/{instanceId}/backups`,
      summary: `Takes a snapshot of a ${name} database.`,
      body: typed<DatabaseBackupCreate>(databaseBackupCreate),
      reply: typed<Empty>(empty),
      scopes: ["databases:read_write"],
      status: { only: ["active"] },
    }),
  };
}

/** Operations on managed MySQL databases. */
export const mysql = {
  ...databaseFamily("mysql", typed<MysqlDatabaseCreate>(mysqlDatabaseCreate)),
  /** Views one backup. Refused while the database is provisioning. */
  getBackup: op({
    method: "GET",
    path: "/databases/mysql/instances/{instanceId}/backups/{backupId}",
    summary: "Views a backup of a MySQL database.",
    reply: typed<DatabaseBackup>(databaseBackup),
    scopes: ["databases:read_write"],
    status: { not: ["provisioning"] },
  }),
  /** Deletes a backup. Refused while the database is provisioning. */
  deleteBackup: op({
    method: "DELETE",
    path: "/databases/mysql/instances/{instanceId}/backups/{backupId}",
    summary: "Deletes a backup of a MySQL database.",
    reply: typed<Empty>(empty),
    scopes: ["databases:read_write"],
    status: { not: ["provisioning"] },
  }),
  /** Replaces all data of the database with a backup. After a credentials reset it makes the cluster fail. */
  restoreBackup: op({
    method: "POST",
    path: "/databases/mysql/instances/{instanceId}/backups/{backupId}/restore",
    summary: "Restores a backup to its MySQL database, which replaces all its data.",
    reply: typed<Empty>(empty),
    scopes: ["databases:read_write"],
    status: { only: ["active", "degraded", "failed"] },
  }),
  /** Views the root user's name and password. Requires status `active`. */
  getCredentials: op({
    method: "GET",
    path: "/databases/mysql/instances/{instanceId}/credentials",
    summary: "Views the root credentials of a MySQL database.",
    reply: typed<DatabaseCredentials>(databaseCredentials),
    scopes: ["databases:read_only"],
    status: { only: ["active"] },
  }),
  /** Generates a new root password. This takes several seconds. Unrestricted users only. */
  resetCredentials: op({
    method: "POST",
    path: "/databases/mysql/instances/{instanceId}/credentials/reset",
    summary: "Resets the root password of a MySQL database.",
    reply: typed<Empty>(empty),
    scopes: ["databases:read_write"],
    unrestrictedOnly: true,
  }),
  /** Applies security patches to the operating system now. Requires status `active`. */
  patch: op({
    method: "POST",
    path: "/databases/mysql/instances/{instanceId}/patch",
    summary: "Applies patches to the operating system of a MySQL database.",
    reply: typed<Empty>(empty),
    scopes: ["databases:read_write"],
    status: { only: ["active"] },
  }),
  /** Views the CA certificate. Requires status `active`. */
  getSslCertificate: op({
    method: "GET",
    path: "/databases/mysql/instances/{instanceId}/ssl",
    summary: "Views the SSL CA certificate of a MySQL database.",
    reply: typed<SslCertificate>(sslCertificate),
    scopes: ["databases:read_only"],
    status: { only: ["active"] },
  }),
};

/** Operations on managed PostgreSQL databases. */
export const postgresql = databaseFamily(
  "postgresql",
  typed<PostgresqlDatabaseCreate>(postgresqlDatabaseCreate),
);
