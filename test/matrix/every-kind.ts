import { descriptions } from "../../src/resources";
import { firstInputs, otherInputs, type ResourceKind } from "../helpers/samples";

export type Kind = ResourceKind;

/** Every kind of resource. */
export const KINDS = Object.keys(descriptions) as Kind[];

const updates = { dayOfWeek: 3, duration: 3, frequency: "weekly", hourOfDay: 4 };
const otherUpdates = { dayOfWeek: 4, duration: 1, frequency: "monthly", hourOfDay: 5, weekOfMonth: 2 };
const database = {
  region: "us-east",
  type: "g6-nanode-1",
  clusterSize: 1,
  allowList: ["192.0.2.7"],
  updates,
};
const otherDatabase = {
  region: "us-west",
  type: "g6-standard-1",
  clusterSize: 3,
  encrypted: true,
  sslConnection: true,
  replicationType: "asynch",
  allowList: ["192.0.2.8", "192.0.2.9"],
  updates: otherUpdates,
};
const backup = { label: "before", target: "primary", triggers: { release: "1" } };
const otherBackup = { databaseId: 999, label: "after", target: "secondary", triggers: { release: "2" } };

type Inputs = Readonly<Record<string, unknown>>;
type Samples = Readonly<Partial<Record<Kind, Inputs>>>;

const SAMPLES: Samples = {
  Node: {
    region: "us-east",
    type: "g6-nanode-1",
    label: "web",
    tags: ["b", "a"],
    image: "node/debian12",
    rootPass: "correct horse battery",
    swapSize: 256,
    backupsEnabled: true,
    alerts: { cpu: 81, io: 9000 },
    userData: "#cloud-config",
  },
  NodeBackupSnapshot: { nodeId: "$objects.Node.id", label: "first", triggers: { release: "1" } },
  MysqlDatabase: { ...database, label: "shop", engine: "mysql/8.0.30", patchTrigger: 1 },
  PostgresqlDatabase: { ...database, label: "reports", engine: "postgresql/14.6" },
  MysqlDatabaseBackup: { databaseId: "$objects.MysqlDatabase.id", ...backup },
  PostgresqlDatabaseBackup: { databaseId: "$objects.PostgresqlDatabase.id", ...backup },
  Domain: {
    domain: "example.org",
    type: "master",
    description: "ours",
    soaEmail: "dns@example.org",
    axfrIps: ["192.0.2.9"],
    ttlSec: 300,
    tags: ["z", "y"],
  },
  DomainRecord: { domainId: "$objects.Domain.id", type: "A", name: "www", target: "192.0.2.10", ttlSec: 300 },
  DomainRecordSet: {
    domainId: "$objects.Domain.id",
    subdomain: "hosts",
    records: {
      a: { type: "A", name: "a.hosts", target: "192.0.2.1" },
      b: { type: "A", name: "b.hosts", target: "192.0.2.2" },
    },
  },
  Image: { source: "disk.img", region: "us-east", label: "golden", description: "a disk" },
};

const OTHER_SAMPLES: Samples = {
  Node: {
    region: "us-west",
    type: "g6-standard-1",
    resize: "replace",
    label: "other",
    group: "site",
    tags: ["c"],
    image: "node/alpine3.20",
    rootPass: "another long password",
    authorizedKeys: ["ssh-ed25519 AAAA two"],
    authorizedUsers: ["ada"],
    swapSize: 512,
    stackscriptId: 10,
    stackscriptData: { key: "value" },
    backupId: 12,
    cloneFrom: 12,
    disks: [1],
    configs: [1],
    restoreFromBackup: { backupId: "1/2", overwrite: true },
    backupsEnabled: false,
    backups: { schedule: { day: "Monday", window: "W2" } },
    booted: false,
    bootConfigId: 7,
    turn: { group: "other" },
    drainSec: 5,
    privateIp: true,
    interfaces: [{ purpose: "public" }],
    metadata: { userData: "YQ==" },
    userData: "#other",
    alerts: { cpu: 90, io: 1, networkIn: 2, networkOut: 3, transferQuota: 4 },
    watchdogEnabled: false,
  },
  NodeBackupSnapshot: { nodeId: 999, label: "second", triggers: { release: "2" } },
  MysqlDatabase: {
    ...otherDatabase,
    label: "other-shop",
    engine: "mysql/5.7.39",
    credentialsResetTrigger: 9,
    patchTrigger: 2,
    restoreFromBackupId: 5,
  },
  PostgresqlDatabase: {
    ...otherDatabase,
    label: "other-reports",
    engine: "postgresql/13.2",
    replicationCommitType: "remote_write",
  },
  MysqlDatabaseBackup: otherBackup,
  PostgresqlDatabaseBackup: otherBackup,
  Domain: {
    domain: "example.net",
    type: "slave",
    status: "disabled",
    description: "theirs",
    group: "site",
    soaEmail: "other@example.org",
    masterIps: ["192.0.2.1"],
    axfrIps: ["192.0.2.2"],
    expireSec: 604800,
    refreshSec: 14400,
    retrySec: 3600,
    ttlSec: 3600,
    tags: ["x"],
    cloneFrom: 12,
    importFrom: "ns.example.net",
  },
  DomainRecord: {
    domainId: 999,
    type: "SRV",
    name: "other",
    target: "sip.example.org",
    priority: 1,
    weight: 2,
    port: 3,
    service: "sip",
    protocol: "tcp",
    tag: "issue",
    ttlSec: 3600,
  },
  DomainRecordSet: {
    domainId: 999,
    subdomain: "elsewhere",
    exclusive: true,
    records: { c: { type: "A", name: "c.elsewhere", target: "192.0.2.3" } },
    zoneFile: "$ORIGIN example.org.",
  },
  Image: { diskId: 4, source: "other.img", region: "us-west", label: "silver", description: "another disk" },
};

/** The kinds of which these tests have no samples of their own. */
export const UNSAMPLED = KINDS.filter((kind) => SAMPLES[kind] === undefined);

const forEach = (samples: Samples, made: (kind: Kind) => Inputs) =>
  Object.fromEntries(KINDS.map((kind) => [kind, samples[kind] ?? made(kind)])) as Readonly<
    Record<Kind, Inputs>
  >;

/** Inputs of one resource of each kind. Text in `$` is code of the program, in which `objects` contains the created resources. */
export const FIRST = forEach(SAMPLES, firstInputs);

/** Other values of every input, including inputs that cannot be set together. */
export const OTHER = forEach(OTHER_SAMPLES, otherInputs);

/** Arguments as code of a program. */
export const argsCode = (inputs: Inputs): string =>
  JSON.stringify(inputs).replaceAll(/"\$(objects[^"]*)"/g, "$1");

export interface Program {
  /** The inputs of each kind. If they are undefined, the kind is omitted. */
  readonly inputs?: (kind: Kind) => Readonly<Record<string, unknown>> | undefined;
  /** The options of each kind, as code. */
  readonly options?: (kind: Kind) => string;
  /** Code before the resources. */
  readonly before?: string;
  readonly after?: string;
}

/** A program with a resource of each kind, named after its kind. */
export const everyKind = ({
  inputs = (kind) => FIRST[kind],
  options = () => "{}",
  before = "",
  after = "",
}: Program): string => {
  const order: Kind[] = [
    "Node",
    "NodeBackupSnapshot",
    "MysqlDatabase",
    "PostgresqlDatabase",
    "MysqlDatabaseBackup",
    "PostgresqlDatabaseBackup",
    "Domain",
    "DomainRecord",
    "DomainRecordSet",
    "Image",
    ...UNSAMPLED,
  ];
  const resources = order.flatMap((kind) => {
    const given = inputs(kind);
    return given === undefined
      ? []
      : [`objects.${kind} = new nodecloud.${kind}("${kind}", ${argsCode(given)}, ${options(kind)});`];
  });
  return ["const objects = {};", before, ...resources, after].join("\n");
};
