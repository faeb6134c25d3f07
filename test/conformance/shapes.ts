import { z } from "zod";

/**
 * The shapes of all answers, copied from the tables of the API reference and not from `src/api`, to detect mistakes
 * there. The keys are exactly those of the reference. Fields in `later` are null until they have a value.
 */

const later = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();
const dateTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
const strings = z.array(z.string());

const node = z.strictObject({
  id: z.int(),
  label: z.string().min(3).max(64),
  group: z.string(),
  region: z.string(),
  type: z.string(),
  image: z.string().nullable(),
  status: z.enum([
    "running",
    "offline",
    "booting",
    "rebooting",
    "shutting_down",
    "provisioning",
    "deleting",
    "migrating",
    "rebuilding",
    "cloning",
    "restoring",
    "stopped",
  ]),
  hypervisor: z.literal("kvm"),
  created: dateTime,
  updated: dateTime,
  host_uuid: z.uuid(),
  has_user_data: z.boolean(),
  ipv4: z.array(z.ipv4()).min(1).max(2),
  ipv6: z.cidrv6().endsWith("/128").nullable(),
  specs: z.strictObject({
    disk: z.int(),
    gpus: z.int(),
    memory: z.int(),
    transfer: z.int(),
    vcpus: z.int(),
  }),
  alerts: z.strictObject({
    cpu: z.int(),
    io: z.int(),
    network_in: z.int(),
    network_out: z.int(),
    transfer_quota: z.int(),
  }),
  backups: z.strictObject({
    available: z.boolean(),
    enabled: z.boolean(),
    last_successful: later(dateTime),
    schedule: z.strictObject({ day: later(z.string()), window: later(z.string()) }),
  }),
  tags: strings,
  watchdog_enabled: z.boolean(),
});

const nodeBackupOf = (type: string) =>
  z.strictObject({
    id: z.int(),
    available: z.boolean(),
    configs: strings,
    created: dateTime,
    finished: later(dateTime),
    updated: dateTime,
    disks: z.array(z.strictObject({ filesystem: z.string(), label: z.string(), size: z.int() })),
    label: z.string().nullable(),
    status: z.enum([
      "paused",
      "pending",
      "running",
      "needsPostProcessing",
      "successful",
      "failed",
      "userAborted",
    ]),
    type: z.literal(type),
  });

const snapshot = nodeBackupOf("snapshot");
const nodeBackup = z.union([snapshot, nodeBackupOf("auto")]);

const nodeBackups = z.strictObject({
  automatic: z.array(nodeBackupOf("automatic")),
  snapshot: z.strictObject({ current: later(snapshot), in_progress: later(snapshot) }),
});

const engine = z.strictObject({
  engine: z.string(),
  id: z.string().regex(/^[^/]+\/[^/]+$/),
  version: z.string(),
});

const databaseOfAnyEngine = {
  allow_list: strings,
  cluster_size: z.union([z.literal(1), z.literal(3)]),
  created: dateTime,
  encrypted: z.boolean(),
  engine: z.enum(["mysql", "postgresql"]),
  hosts: z.strictObject({ primary: later(z.string()), secondary: later(z.string()) }),
  id: z.int(),
  label: z.string().min(3).max(32),
  region: z.string(),
  status: z.enum([
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
  ]),
  type: z.string(),
  updated: dateTime,
  updates: z.strictObject({
    day_of_week: z.int(),
    duration: z.int(),
    frequency: z.string(),
    hour_of_day: z.int(),
    week_of_month: z.int().nullable(),
  }),
  version: z.string(),
};

const databaseListItem = z.strictObject({
  ...databaseOfAnyEngine,
  instance_uri: z.string().regex(/^\/v4\/databases\/(mysql|postgresql)\/instances\/\d+$/),
});

const database = { ...databaseOfAnyEngine, port: z.int(), ssl_connection: z.boolean() };

const mysqlDatabase = z.strictObject({
  ...database,
  engine: z.literal("mysql"),
  replication_type: z.enum(["none", "async", "semi_synch"]),
});

const postgresqlDatabase = z.strictObject({
  ...database,
  engine: z.literal("postgresql"),
  replication_type: z.enum(["none", "async"]),
  replication_commit_type: z.enum(["on", "local", "remote_write", "remote_apply", "off"]),
});

const databaseBackup = z.strictObject({
  id: z.int(),
  created: dateTime,
  label: z.string().regex(/^[A-Za-z0-9]{1,30}$/),
  type: z.enum(["snapshot", "auto"]),
});

const credentials = z.strictObject({ username: z.string(), password: z.string() });

const certificate = z.strictObject({ ca_certificate: z.base64() });

const addresses = z.string().regex(/^[^,]+(,[^,]+)*$/);

const region = z.strictObject({
  id: z.string(),
  label: z.string().regex(/^[^,]+, [^,]+, [^,]+$/),
  country: z.string(),
  capabilities: strings,
  resolvers: z.strictObject({ ipv4: addresses, ipv6: addresses }),
  status: z.enum(["ok", "outage"]),
});

const availability = z.strictObject({ region: z.string(), plan: z.string(), available: z.boolean() });

const domain = z.strictObject({
  id: z.int(),
  domain: z.string().min(1).max(253),
  type: z.enum(["master", "slave"]),
  status: z.enum(["disabled", "active"]),
  description: z.string().min(1).max(253).nullable(),
  group: z.string().min(1).max(50).nullable(),
  soa_email: later(z.email()),
  master_ips: strings,
  axfr_ips: strings,
  expire_sec: z.int(),
  refresh_sec: z.int(),
  retry_sec: z.int(),
  ttl_sec: z.int(),
  tags: strings,
});

const validTtls = [300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200];

const record = z.strictObject({
  id: z.int(),
  type: z.enum(["A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR", "CAA"]),
  // A record without a name, priority or time to live has "" and 0.
  name: z.string().max(100),
  target: z.string().max(65_535),
  priority: z.int().min(0).max(255),
  weight: z.int().min(0).max(65_535),
  port: z.int().min(0).max(65_535),
  service: z.string().nullable(),
  protocol: z.string().nullable(),
  tag: z.enum(["issue", "issuewild", "iodef"]).nullable(),
  ttl_sec: z.int().refine((seconds) => seconds === 0 || validTtls.includes(seconds)),
  created: dateTime,
  updated: dateTime,
});

const image = z.strictObject({
  id: z.string().regex(/^(node|private)\/.+$/),
  label: z.string(),
  description: z.string().min(1).max(65_000).nullable(),
  capabilities: strings,
  created: dateTime,
  updated: dateTime,
  created_by: z.string(),
  deprecated: z.boolean(),
  eol: later(dateTime),
  expiry: dateTime.nullable(),
  is_public: z.boolean(),
  size: z.int(),
  status: z.enum(["creating", "pending_upload", "available"]),
  type: z.enum(["manual", "automatic"]),
  vendor: later(z.string()),
});

const upload = z.strictObject({ image, upload_to: z.url() });

const zoneFile = z.strictObject({ zone_file: strings });

const empty = z.strictObject({});

const page = (item: z.ZodType) =>
  z.strictObject({ data: z.array(item), page: z.int(), pages: z.int(), results: z.int() });

const nodes = "/node/instances";
const oneNode = `${nodes}/{nodeId}`;
const backups = `${oneNode}/backups`;
const mysql = "/databases/mysql/instances";
const oneMysql = `${mysql}/{instanceId}`;
const oneMysqlBackup = `${oneMysql}/backups/{backupId}`;
const postgresql = "/databases/postgresql/instances";
const onePostgresql = `${postgresql}/{instanceId}`;
const oneDomain = "/domains/{domainId}";
const records = `${oneDomain}/records`;

/** The answer of each operation: method, path, its name in the reference, and its shape. */
export const ANSWERS: readonly (readonly [string, string, string, z.ZodType])[] = [
  ["GET", nodes, "a page of nodes", page(node)],
  ["POST", nodes, "a node", node],
  ["GET", oneNode, "a node", node],
  ["PUT", oneNode, "a node", node],
  ["DELETE", oneNode, "{}", empty],
  ["POST", `${oneNode}/boot`, "{}", empty],
  ["POST", `${oneNode}/clone`, "a node", node],
  ["GET", backups, "the backups list object", nodeBackups],
  ["POST", backups, "a node backup", snapshot],
  ["POST", `${backups}/enable`, "{}", empty],
  ["POST", `${backups}/cancel`, "{}", empty],
  ["GET", `${backups}/{backupId}`, "a node backup", nodeBackup],
  ["POST", `${backups}/{backupId}/restore`, "{}", empty],
  ["GET", "/databases/engines", "a page of engines", page(engine)],
  ["GET", "/databases/engines/{engineId}", "an engine", engine],
  ["GET", "/databases/instances", "a page of all-engines items", page(databaseListItem)],
  ["GET", mysql, "a page of databases", page(mysqlDatabase)],
  ["POST", mysql, "a database", mysqlDatabase],
  ["GET", oneMysql, "a database", mysqlDatabase],
  ["PUT", oneMysql, "a database", mysqlDatabase],
  ["DELETE", oneMysql, "{}", empty],
  ["GET", `${oneMysql}/backups`, "a page of database backups", page(databaseBackup)],
  ["POST", `${oneMysql}/backups`, "{}", empty],
  ["GET", oneMysqlBackup, "a database backup", databaseBackup],
  ["DELETE", oneMysqlBackup, "{}", empty],
  ["POST", `${oneMysqlBackup}/restore`, "{}", empty],
  ["GET", `${oneMysql}/credentials`, "credentials", credentials],
  ["POST", `${oneMysql}/credentials/reset`, "{}", empty],
  ["POST", `${oneMysql}/patch`, "{}", empty],
  ["GET", `${oneMysql}/ssl`, "an SSL certificate", certificate],
  ["GET", postgresql, "a page of databases", page(postgresqlDatabase)],
  ["POST", postgresql, "a database", postgresqlDatabase],
  ["GET", onePostgresql, "a database", postgresqlDatabase],
  ["PUT", onePostgresql, "a database", postgresqlDatabase],
  ["DELETE", onePostgresql, "{}", empty],
  ["GET", `${onePostgresql}/backups`, "a page of database backups", page(databaseBackup)],
  ["POST", `${onePostgresql}/backups`, "{}", empty],
  ["GET", "/regions", "a page of regions", page(region)],
  ["GET", "/regions/availability", "a page of region availability", page(availability)],
  ["GET", "/regions/{regionId}", "a region", region],
  ["GET", "/regions/{regionId}/availability", "a region availability object", availability],
  ["GET", "/domains", "a page of domains", page(domain)],
  ["POST", "/domains", "a domain", domain],
  ["POST", "/domains/import", "a domain", domain],
  ["GET", oneDomain, "a domain", domain],
  ["PUT", oneDomain, "a domain", domain],
  ["DELETE", oneDomain, "{}", empty],
  ["POST", `${oneDomain}/clone`, "a domain", domain],
  ["GET", records, "a page of domain records", page(record)],
  ["POST", records, "a domain record", record],
  ["GET", `${records}/{recordId}`, "a domain record", record],
  ["PUT", `${records}/{recordId}`, "a domain record", record],
  ["DELETE", `${records}/{recordId}`, "{}", empty],
  ["GET", `${oneDomain}/zone-file`, "the lines of the zone", zoneFile],
  ["GET", "/images", "a page of images", page(image)],
  ["POST", "/images", "an image", image],
  ["POST", "/images/upload", "an image and where to send it", upload],
  ["GET", "/images/{imageId}", "an image", image],
  ["PUT", "/images/{imageId}", "an image", image],
  ["DELETE", "/images/{imageId}", "{}", empty],
];
