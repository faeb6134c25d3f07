/** The measured programs, as a user would write them. */

/** @typedef {"single" | "naive" | "set" | "mixed" | "plugin-single" | "plugin-set" | "plugin-mixed"} SubjectName */
/**
 * @typedef {object} Subject
 * @property {string} title
 * @property {"record" | "resource"} unit of its size.
 * @property {number} withCheckpoints the largest size at which the engine saves its state at each step. Larger ones take too long.
 * @property {number[]} sizes of a full run.
 * @property {(size: number, setting: { isChanged?: boolean; domainId: number }) => string} program `isChanged` changes one of the
 * records, or a node where there are several kinds.
 */

export const latencyMs = 20;
export const concurrency = 16;
export const mostRecords = 12_000;

const imports = `const nodecloud = require("pulumi-nodecloud");
`;

/** The domain with all the records. */
export const domain = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
const zone = `const zone = new nodecloud.Domain("zone", ${JSON.stringify(domain)});
`;

/** @param {number} size @param {boolean} isChanged */
const records = (size, isChanged) => `
const records = Array.from({ length: ${size} }, (_, index) => ({
  type: "A", name: "host-" + index, target: "198.51." + (index >> 8) + "." + (index & 255), ttlSec: 3600,
}));
${isChanged ? `records[${Math.floor(size / 2)}].target = "203.0.113.1";` : ""}
`;

/** The number of each kind in 200 resources. The rest are nodes. */
const shares = {
  domains: 3,
  records: 120,
  mysql: 2,
  postgresql: 2,
  mysqlBackups: 1,
  postgresqlBackups: 1,
  images: 4,
  snapshots: 2,
};

/** @param {number} size @param {boolean} isChanged */
function mixed(size, isChanged) {
  const entries = Object.entries(shares).map(([kind, share]) => [
    kind,
    Math.max(1, Math.floor((share * size) / 200)),
  ]);
  const counts = /** @type {typeof shares} */ (Object.fromEntries(entries));
  const nodes = size - Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${imports}
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const region = "us-east";
const nodes = times(${nodes}, (index) => new nodecloud.Node("node-" + index, {
  region, type: "g6-nanode-1", image: "node/debian12", label: "node-" + index,
  tags: [${isChanged} && index === 0 ? "changed" : "bench"], backupsEnabled: index < ${counts.snapshots},
}));
times(${counts.snapshots}, (index) => new nodecloud.NodeBackupSnapshot("snapshot-" + index, { nodeId: nodes[index].id, label: "first" }));
const database = { region, type: "g6-standard-1", allowList: ["192.0.2.0/24"] };
const mysql = times(${counts.mysql}, (index) => new nodecloud.MysqlDatabase("mysql-" + index, {
  ...database, engine: "mysql/8.0.30", label: "mysql-" + index,
}));
const postgresql = times(${counts.postgresql}, (index) => new nodecloud.PostgresqlDatabase("postgresql-" + index, {
  ...database, engine: "postgresql/14.6", label: "postgresql-" + index,
}));
times(${counts.mysqlBackups}, (index) => new nodecloud.MysqlDatabaseBackup("mysql-backup-" + index, {
  databaseId: mysql[index].id, label: "first",
}));
times(${counts.postgresqlBackups}, (index) => new nodecloud.PostgresqlDatabaseBackup("postgresql-backup-" + index, {
  databaseId: postgresql[index].id, label: "first",
}));
times(${counts.images}, (index) => new nodecloud.Image("image-" + index, { source: "disk.img", region, label: "image-" + index }));
const zones = times(${counts.domains}, (index) => new nodecloud.Domain("zone-" + index, {
  domain: "example-" + index + ".org", type: "master", soaEmail: "dns@example.org",
}));
times(${counts.records}, (index) => new nodecloud.DomainRecord("record-" + index, {
  domainId: zones[index % zones.length].id, type: "A", name: "host-" + index, target: "198.51.100." + index, ttlSec: 3600,
}));
`;
}

const sizes = [100, 1000, 5000, mostRecords];

/**
 * A program whose resources the full plugin serves.
 * @param {string} text a program with dynamic resources.
 */
const served = (text) => text.replace('require("pulumi-nodecloud")', 'require("pulumi-nodecloud/plugin")');

/** @param {Subject} dynamic @returns {Subject} the same, served by the full plugin. */
const inPlugin = (dynamic) => ({
  ...dynamic,
  title: `${dynamic.title}, full plugin`,
  program: (size, setting) => served(dynamic.program(size, setting)),
});

/** The subjects that are measured with dynamic resources and with the full plugin. */
export const bothWays = /** @type {const} */ (["single", "set", "mixed"]);

/** @type {Record<"single" | "naive" | "set" | "mixed", Subject>} */
const dynamicSubjects = {
  single: {
    title: "`DomainRecord`, one by one",
    unit: "record",
    withCheckpoints: 1000,
    sizes,
    program: (size, { isChanged = false }) => `${imports}${zone}${records(size, isChanged)}
records.forEach((record, index) => new nodecloud.DomainRecord("record-" + index, { domainId: zone.id, ...record }));
`,
  },
  naive: {
    title: "naive dynamic provider",
    unit: "record",
    withCheckpoints: 250,
    sizes: [250, ...sizes].sort((one, other) => one - other),
    program: (size, { isChanged = false, domainId }) => `const { NaiveRecord } = require("./naive-record");
${records(size, isChanged)}
records.forEach((record, index) => new NaiveRecord("record-" + index, { domainId: ${domainId}, ...record }));
`,
  },
  set: {
    title: "one `DomainRecordSet`",
    unit: "record",
    withCheckpoints: Infinity,
    sizes,
    program: (size, { isChanged = false }) => `${imports}${zone}${records(size, isChanged)}
${size > 0 ? 'new nodecloud.DomainRecordSet("records", { domainId: zone.id, records });' : ""}
`,
  },
  mixed: {
    title: "mixed resources",
    unit: "resource",
    withCheckpoints: Infinity,
    sizes: [200],
    program: (size, { isChanged = false }) => (size === 0 ? "" : mixed(size, isChanged)),
  },
};

/** @type {Record<SubjectName, Subject>} */
export const subjects = {
  ...dynamicSubjects,
  "plugin-single": inPlugin(dynamicSubjects.single),
  "plugin-set": inPlugin(dynamicSubjects.set),
  "plugin-mixed": inPlugin(dynamicSubjects.mixed),
};

/** @param {string} name @returns {name is SubjectName} */
export const isSubject = (name) => name in subjects;

/** @param {number} domainId */
const oneRecord = (domainId) => `${imports}
new nodecloud.DomainRecord("one", { domainId: ${domainId}, type: "A", name: "www", target: "192.0.2.1" });
`;

/**
 * The programs whose previews are compared: the cost of the provider itself, and of a full domain in one resource.
 * @satisfies {Record<string, (domainId: number) => string>}
 */
export const startPrograms = {
  empty: () => "",
  sdk: () => `require("@pulumi/pulumi");
`,
  trivial: () => `const pulumi = require("@pulumi/pulumi");
const provider = { create: async (inputs) => ({ id: "one", outs: inputs }) };
class Trivial extends pulumi.dynamic.Resource {
  constructor(name, args) { super(provider, name, args); }
}
new Trivial("one", { target: "192.0.2.1" });
`,
  ours: oneRecord,
  set: (/** @type {number} */ domainId) => subjects.set.program(mostRecords, { domainId }),
  plugin: (/** @type {number} */ domainId) => served(oneRecord(domainId).replace("www", "plugin")),
};

/**
 * Programs with the same number of resources: components, which have no provider, and records that the full plugin serves.
 * @param {number} size
 */
export const floorPrograms = (size) => ({
  components: `const pulumi = require("@pulumi/pulumi");
${records(size, false)}
records.forEach((record, index) => new pulumi.ComponentResource("bench:index:Record", "record-" + index, record));
`,
  records: subjects["plugin-single"].program(size, { domainId: 0 }),
});
