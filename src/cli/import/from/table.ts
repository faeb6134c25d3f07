/** How a value of a state becomes a value of this package. */
export type Conversion = "text" | "list" | "image" | "engine" | "weekday" | "interfaces" | "replication";

/** The input for an attribute. */
export interface InputRow {
  readonly input: string;
  readonly as?: Conversion;
  /** Whether no answer of the API shows it, so that its value is taken from the state. A secret is read from the configuration instead. */
  readonly unshown?: true;
}

/** The counterpart of a resource type, by its attributes. A block of one item is a path: `alerts.cpu`. */
export interface Counterpart {
  /** The type token of the bridged Pulumi provider. */
  readonly bridged: string;
  /** The class of this package. */
  readonly type: string;
  /** The attribute with the id of the parent. */
  readonly parent?: string;
  readonly inputs: Readonly<Record<string, InputRow>>;
  /** The attributes that other resources refer to, each with the output that has its value, or has it in its list. */
  readonly referredTo: Readonly<Record<string, string>>;
  /** Attributes with values that the service sets: this package has outputs for some of them. */
  readonly computed: readonly string[];
  /** Attributes without a counterpart, and why. */
  readonly without: Readonly<Record<string, string>>;
  /** The same of attributes that the service sets if another one is given. */
  readonly withoutUnless?: { readonly given: string; readonly attributes: Readonly<Record<string, string>> };
}

const input = (name: string, as?: Conversion): InputRow => ({
  input: name,
  ...(as === undefined ? {} : { as }),
});
const unshown = (name: string, as?: Conversion): InputRow => ({ ...input(name, as), unshown: true });

const NOT_SHOWN = "the API reference does not show it";
const OF_TOOL = "it is a setting of the other provider alone";
const NETWORK = "the API reference does not show the networking operations";
const DISKS = "the API reference does not show the operations of disks and configuration profiles";
const TIMEOUTS = "the option customTimeouts has its place";
const FORKS = "the API reference shows no forks of databases";

const database = (engine: string, version: "" | "V2"): Counterpart => ({
  bridged: `linode:index/database${engine}${version}:Database${engine}${version}`,
  type: engine === "Mysql" ? "MysqlDatabase" : "PostgresqlDatabase",
  inputs: {
    label: input("label"),
    region: input("region"),
    type: input("type"),
    engine_id: input("engine", "engine"),
    allow_list: input("allowList"),
    cluster_size: input("clusterSize"),
    encrypted: input("encrypted"),
    ssl_connection: input("sslConnection"),
    replication_type: input("replicationType", "replication"),
    ...(engine === "Mysql" ? {} : { replication_commit_type: input("replicationCommitType") }),
    "updates.day_of_week": input("updates.dayOfWeek", "weekday"),
    "updates.duration": input("updates.duration"),
    "updates.frequency": input("updates.frequency"),
    "updates.hour_of_day": input("updates.hourOfDay"),
    "updates.week_of_month": input("updates.weekOfMonth"),
  },
  referredTo: { id: "id", host_primary: "hosts.primary" },
  computed: [
    ...["ca_cert", "created", "engine", "host_primary", "host_secondary", "host_standby", "members"],
    ...["oldest_restore_time", "pending_updates", "platform", "port", "root_password", "root_username"],
    ...["status", "updated", "version"],
  ],
  without: {
    "engine_config_*": "the API reference shows no settings of engines",
    fork_source: FORKS,
    fork_restore_time: FORKS,
    private_network: NOT_SHOWN,
    suspended: "the API reference shows no operation to suspend a database",
    timeouts: TIMEOUTS,
  },
});

/** The resource types with a counterpart in this package. */
export const COUNTERPARTS: Readonly<Record<string, Counterpart>> = {
  linode_instance: {
    bridged: "linode:index/instance:Instance",
    type: "Node",
    inputs: {
      label: input("label"),
      region: input("region"),
      type: input("type"),
      group: input("group"),
      tags: input("tags"),
      image: input("image", "image"),
      backups_enabled: input("backupsEnabled"),
      watchdog_enabled: input("watchdogEnabled"),
      "alerts.cpu": input("alerts.cpu"),
      "alerts.io": input("alerts.io"),
      "alerts.network_in": input("alerts.networkIn"),
      "alerts.network_out": input("alerts.networkOut"),
      "alerts.transfer_quota": input("alerts.transferQuota"),
      root_pass: unshown("rootPass"),
      authorized_keys: unshown("authorizedKeys"),
      authorized_users: unshown("authorizedUsers"),
      swap_size: unshown("swapSize"),
      private_ip: unshown("privateIp"),
      stackscript_id: unshown("stackscriptId"),
      stackscript_data: unshown("stackscriptData"),
      backup_id: unshown("backupId", "text"),
      interface: unshown("interfaces", "interfaces"),
      "metadata.user_data": unshown("metadata.userData"),
    },
    referredTo: { id: "id", ip_address: "ipv4", private_ip_address: "ipv4" },
    computed: [
      ...["backups", "capabilities", "has_user_data", "host_uuid", "ip_address", "ipv4", "ipv6"],
      ...["lke_cluster_id", "locks", "private_ip_address", "specs", "status"],
      // These have a value also where the configuration does not set them.
      ...["boot_config_label", "booted", "disk_encryption", "interface_generation"],
      ...["maintenance_policy", "migration_type"],
    ],
    withoutUnless: { given: "image", attributes: { config: DISKS, disk: DISKS } },
    without: {
      firewall_id: NOT_SHOWN,
      linode_interfaces: NOT_SHOWN,
      network_helper: NOT_SHOWN,
      placement_group: NOT_SHOWN,
      placement_group_externally_managed: OF_TOOL,
      resize_disk: OF_TOOL,
      shared_ipv4: NETWORK,
      skip_implicit_reboots: OF_TOOL,
      timeouts: TIMEOUTS,
    },
  },
  linode_domain: {
    bridged: "linode:index/domain:Domain",
    type: "Domain",
    inputs: {
      domain: input("domain"),
      type: input("type"),
      status: input("status"),
      description: input("description"),
      group: input("group"),
      soa_email: input("soaEmail"),
      master_ips: input("masterIps"),
      axfr_ips: input("axfrIps"),
      expire_sec: input("expireSec"),
      refresh_sec: input("refreshSec"),
      retry_sec: input("retrySec"),
      ttl_sec: input("ttlSec"),
      tags: input("tags"),
    },
    referredTo: { id: "id", domain: "domain" },
    computed: [],
    without: {},
  },
  linode_domain_record: {
    bridged: "linode:index/domainRecord:DomainRecord",
    type: "DomainRecord",
    parent: "domain_id",
    inputs: {
      record_type: input("type"),
      name: input("name"),
      target: input("target"),
      priority: input("priority"),
      weight: input("weight"),
      port: input("port"),
      service: input("service"),
      protocol: input("protocol"),
      tag: input("tag"),
      ttl_sec: input("ttlSec"),
      domain_id: input("domainId", "text"),
    },
    referredTo: { id: "id" },
    computed: [],
    without: {},
  },
  linode_image: {
    bridged: "linode:index/image:Image",
    type: "Image",
    inputs: {
      label: input("label"),
      description: input("description"),
      region: unshown("region"),
      disk_id: unshown("diskId"),
    },
    referredTo: { id: "id" },
    computed: [
      ...["capabilities", "created", "created_by", "deprecated", "expiry", "image_sharing", "is_public"],
      ...["is_shared", "replications", "size", "status", "total_size", "type", "vendor"],
      // The disk says which node it belongs to.
      "linode_id",
    ],
    without: {
      cloud_init: "the API reference shows it as an output alone",
      file_hash: "a program that sets source compares the content of the file",
      file_path: "the file is not read: set source and region if the program should upload the image again",
      replica_regions: NOT_SHOWN,
      tags: "the API reference shows no tags of images",
      timeouts: TIMEOUTS,
      wait_for_replications: OF_TOOL,
    },
  },
  linode_database_mysql: database("Mysql", ""),
  linode_database_mysql_v2: database("Mysql", "V2"),
  linode_database_postgresql: database("Postgresql", ""),
  linode_database_postgresql_v2: database("Postgresql", "V2"),
};

/** Why further resource types of that provider have no counterpart. Those that no row names are not in the API reference. */
export const WITHOUT_COUNTERPART: Readonly<Record<string, string>> = {
  linode_database_access_controls: "the input allowList of the database has its addresses",
  linode_instance_config: DISKS,
  linode_instance_disk: DISKS,
  linode_instance_ip: NETWORK,
  linode_instance_shared_ips: NETWORK,
  linode_networking_ip: NETWORK,
  linode_networking_ip_assignment: NETWORK,
  linode_rdns: NETWORK,
};

/** The reason for the other types of that provider, and for those of other providers. */
export const NO_FAMILY = "the API reference does not show such objects";
export const OTHER_PROVIDER = "it belongs to another provider: nodecloud has no resource for it";

/** The prefixes of the provider's types, in Terraform and in Pulumi. */
export const PREFIXES = ["linode_", "linode:"] as const;
