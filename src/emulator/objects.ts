import { randomBytes as cryptoBytes } from "node:crypto";
import { type Clock } from "./clock";
import { type Entity, Table } from "./store";

/** What a plan gives a node; `disk` and `memory` in MB. */
export type Specs = { disk: number; gpus: number; memory: number; transfer: number; vcpus: number };

export type Disk = { id: number; label: string; status: string; size: number; filesystem: string };

export type Config = { id: number; label: string };

/** A node as the API shows it. */
export type NodeFields = {
  id: number;
  label: string;
  group: string;
  region: string;
  type: string;
  image: string | null;
  status: string;
  hypervisor: string;
  created: string;
  updated: string;
  host_uuid: string;
  has_user_data: boolean;
  ipv4: string[];
  ipv6: string | null;
  specs: Specs;
  alerts: { cpu: number; io: number; network_in: number; network_out: number; transfer_quota: number };
  backups: {
    available: boolean;
    enabled: boolean;
    last_successful: string | null;
    schedule: { day: string | null; window: string | null };
  };
  tags: string[];
  watchdog_enabled: boolean;
};

export type NodeHidden = {
  disks: Disk[];
  configs: Config[];
  last_booted_config: number | null;
  /** When each clone of this node that is under way ends. */
  clones_end: number[];
  /** Up to which moment the daily backups have been taken. */
  auto_backups_until: number;
  /** When the watchdog issued its latest boot jobs. */
  watchdog_boots: number[];
  /** Whether one of its interfaces is on a VLAN: it cannot be cloned to another region then. */
  vlan_attached: boolean;
};

/** A backup of a node as the API shows it. */
export type NodeBackupFields = {
  id: number;
  available: boolean;
  configs: string[];
  created: string;
  finished: string | null;
  updated: string;
  disks: { filesystem: string; label: string; size: number }[];
  label: string | null;
  status: string;
  type: "auto" | "snapshot";
};

/** A database as the API shows it; `replication_commit_type` for PostgreSQL only. */
export type DatabaseFields = {
  id: number;
  label: string;
  engine: string;
  version: string;
  region: string;
  type: string;
  status: string;
  cluster_size: number;
  encrypted: boolean;
  ssl_connection: boolean;
  allow_list: string[];
  hosts: { primary: string | null; secondary: string | null };
  port: number;
  updates: {
    day_of_week: number;
    duration: number;
    frequency: string;
    hour_of_day: number;
    week_of_month: number | null;
  };
  created: string;
  updated: string;
  replication_type: string;
  replication_commit_type?: string;
};

export type DatabaseHidden = {
  root_password: string;
  /** A restore after a credentials reset fails the cluster. */
  credentials_were_reset: boolean;
  /** Up to which moment the daily backups have been taken. */
  auto_backups_until: number;
};

export type DatabaseBackupFields = { id: number; created: string; label: string; type: "snapshot" | "auto" };

export type DatabaseBackupHidden = {
  /** The moment it is complete: from then on it is listed. */
  listed_from: number;
};

export type DomainFields = {
  id: number;
  domain: string;
  type: "master" | "slave";
  status: "active" | "disabled";
  description: string | null;
  group: string | null;
  soa_email: string | null;
  master_ips: string[];
  axfr_ips: string[];
  expire_sec: number;
  refresh_sec: number;
  retry_sec: number;
  ttl_sec: number;
  tags: string[];
};

export type RecordFields = {
  id: number;
  type: string;
  name: string;
  target: string;
  priority: number;
  weight: number;
  port: number;
  service: string | null;
  protocol: string | null;
  tag: string | null;
  ttl_sec: number;
  created: string;
  updated: string;
};

export type ImageFields = {
  id: string;
  label: string;
  description: string | null;
  capabilities: string[];
  created: string;
  updated: string;
  created_by: string;
  deprecated: boolean;
  eol: string | null;
  expiry: string | null;
  is_public: boolean;
  size: number;
  status: string;
  type: "manual" | "automatic";
  vendor: string | null;
};

export type ImageHidden = {
  /** The last segment of the URL its data is sent to; null for an image that is captured from a disk. */
  upload_key: string | null;
  /** What has been uploaded: its compressed size and SHA-256. */
  upload_bytes: number | null;
  upload_sha256: string | null;
};

export type NodeEntity = Entity<NodeFields, NodeHidden>;
export type NodeBackupEntity = Entity<NodeBackupFields>;
export type DatabaseEntity = Entity<DatabaseFields, DatabaseHidden>;
export type DomainEntity = Entity<DomainFields>;
export type ImageEntity = Entity<ImageFields, ImageHidden>;

/** Where unguessable names and passwords come from. */
export type RandomBytes = (size: number) => Buffer;

export interface Tables {
  readonly nodes: Table<NodeFields, NodeHidden>;
  readonly nodeBackups: Table<NodeBackupFields>;
  readonly databases: Table<DatabaseFields, DatabaseHidden>;
  readonly databaseBackups: Table<DatabaseBackupFields, DatabaseBackupHidden>;
  readonly domains: Table<DomainFields>;
  readonly records: Table<RecordFields>;
  readonly images: Table<ImageFields, ImageHidden>;
}

/** Told of everything that changes in a store, while it changes. */
export interface StoreEvents {
  /** An object is new, has changed or is gone. */
  changed(table: keyof Tables, id: number): void;
  /** An id was given away. */
  counted(): void;
  cleared(): void;
}

export interface Store extends Tables {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** The next id: they count up from one over all kinds of objects. */
  nextId(): number;
  /** The id that was given away last. */
  lastId(): number;
  /** Goes on counting after this id. */
  countFrom(lastId: number): void;
  /** Forgets every object and begins the ids anew. */
  clear(): void;
}

/** An empty account. */
export function createStore(
  clock: Clock,
  randomBytes: RandomBytes = cryptoBytes,
  events?: StoreEvents,
): Store {
  let lastId = 0;
  /** What a table tells: changes to who wants to know, and the end of an object to those that belong to it. */
  const tells = (table: keyof Tables, children?: { removeOf(parent: number): void }) => ({
    ...(events && { changed: events.changed.bind(events, table) }),
    ...(children && { removed: children.removeOf.bind(children) }),
  });
  const nodeBackups = new Table<NodeBackupFields>(clock, tells("nodeBackups"));
  const databaseBackups = new Table<DatabaseBackupFields, DatabaseBackupHidden>(
    clock,
    tells("databaseBackups"),
  );
  const records = new Table<RecordFields>(clock, tells("records"));
  const store = {
    clock,
    randomBytes,
    nodes: new Table<NodeFields, NodeHidden>(clock, tells("nodes", nodeBackups)),
    nodeBackups,
    databases: new Table<DatabaseFields, DatabaseHidden>(clock, tells("databases", databaseBackups)),
    databaseBackups,
    domains: new Table<DomainFields>(clock, tells("domains", records)),
    records,
    images: new Table<ImageFields, ImageHidden>(clock, tells("images")),
    nextId() {
      events?.counted();
      return ++lastId;
    },
    lastId: () => lastId,
    countFrom(id: number) {
      lastId = id;
    },
    clear() {
      lastId = 0;
      for (const value of Object.values(store)) if (value instanceof Table) value.clear();
      events?.cleared();
    },
  };
  return store;
}
