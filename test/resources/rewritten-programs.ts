import * as fc from "fast-check";
import { type z } from "zod";
import * as backups from "../../src/api/backups";
import * as databases from "../../src/api/databases";
import * as domains from "../../src/api/domains";
import * as images from "../../src/api/images";
import * as nodes from "../../src/api/nodes";
import { domainRecord, RECORD_TYPE_FIELDS, RECORD_TYPES } from "../../src/api/records";
import { leavesOf } from "../../src/provider/describe/fields";
import { type Properties } from "../../src/provider/base/values";
import { deployedNode, type TestEmulator } from "../helpers/emulator";
import { descriptionOf, type ResourceType } from "../helpers/lifecycle";
import { ZONE } from "../helpers/rewriting";
import { asksAround, objectOf, valuesAt } from "../provider/arbitraries";

/** Arbitrary valid programs for a resource. */
export interface Programs {
  readonly name: string;
  readonly type: ResourceType;
  /** The name of its objects in the emulator's control API. */
  readonly kind: string;
  /** The schema of the service's answers, which shows what can be null. */
  readonly reply: z.ZodObject;
  /** Creates the objects that the programs need, and returns the inputs that all programs share. */
  readonly prepare?: (emulator: TestEmulator) => Promise<Properties>;
  /** The other inputs that every program sets. */
  readonly always: readonly string[];
  /** The inputs that no program sets. */
  readonly never: readonly string[];
  /** Values of inputs for which not every value of the schema is valid. */
  readonly values: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** The path and value by which the service shows an input, if not unchanged at its own path in snake_case. */
  readonly shown?: Readonly<
    Record<string, { readonly at: string; readonly as?: (value: unknown) => unknown }>
  >;
}

/** Inputs of programs; with `full`, every possible input is set. */
export function inputsOf({ type, always, never, values }: Programs, full = false): fc.Arbitrary<Properties> {
  const leaves = leavesOf(descriptionOf(type).fields);
  return fc
    .tuple(
      ...leaves.map((leaf) => {
        if (never.includes(leaf.path) || asksAround(leaf)) return fc.constant(undefined);
        const value = values[leaf.path] ?? valuesAt(leaf);
        return full || always.includes(leaf.path) ? value : fc.option(value, { nil: undefined });
      }),
    )
    .map((given) => objectOf(leaves, given));
}

const word = fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/);
const hostName = fc.oneof(
  word,
  fc
    .tuple(word, fc.constantFrom(ZONE, ZONE.toUpperCase(), `${ZONE}.`, "example.com"))
    .map(([name, domain]) => `${name}.${domain}`),
);
const addresses = fc.array(
  fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([address, mask]) => `${address}/${mask}`),
  ),
  { minLength: 1, maxLength: 3 },
);
const seconds = fc.oneof(
  fc.constantFrom(0, 1, 299, 300, 301, 3600, 86_399),
  fc.integer({ min: 1, max: 3_000_000 }),
);

const TARGETS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  A: fc.ipV4(),
  AAAA: fc.ipV6(),
  CAA: word.map((name) => `${name}.${ZONE}; policy=EV`),
};

const domain: Programs = {
  name: "Domain",
  type: "Domain",
  kind: "domains",
  reply: domains.domain,
  // With both inputs, a domain can be master or slave.
  always: ["domain", "type", "soaEmail", "masterIps"],
  never: ["cloneFrom", "importFrom"],
  values: {
    domain: fc
      .tuple(word, fc.constantFrom("example.org", "Example.COM", "example.net."))
      .map(([name, suffix]) => `${name}.${suffix}`),
    soaEmail: word.map((name) => `${name}@Example.ORG`),
    masterIps: addresses,
    axfrIps: addresses,
    refreshSec: seconds,
    retrySec: seconds,
    expireSec: seconds,
    ttlSec: seconds,
  },
};

const recordsOf = (type: (typeof RECORD_TYPES)[number]): Programs => {
  const rules = Object.entries(RECORD_TYPE_FIELDS).map(([input, { valid, required }]) => ({
    input,
    isValid: (valid as readonly string[]).includes(type),
    isRequired: (required as readonly string[]).includes(type),
  }));
  return {
    name: `DomainRecord of type ${type}`,
    type: "DomainRecord",
    kind: "records",
    reply: domainRecord,
    prepare: async ({ call }) => {
      const { body } = await call("POST", "/domains", {
        body: { domain: ZONE, type: "master", soa_email: `dns@${ZONE}` },
      });
      return { domainId: String(body["id"]), type };
    },
    always: ["target", ...rules.flatMap(({ input, isRequired }) => (isRequired ? [input] : []))],
    never: [
      "domainId",
      "type",
      ...rules.flatMap(({ input, isValid }) => (isValid ? [] : [input])),
      ...(type === "SRV" ? [] : ["service", "protocol"]),
    ],
    values: {
      name: hostName,
      target: TARGETS[type] ?? hostName,
      service: word.map((name) => `_${name}`),
      protocol: fc.constantFrom("_tcp", "_UDP"),
      ttlSec: seconds,
    },
  };
};

const place = {
  region: fc.constantFrom("us-east", "eu-west"),
  type: fc.constantFrom("g6-standard-1", "g6-standard-2"),
};

const mysqlDatabase: Programs = {
  name: "MysqlDatabase",
  type: "MysqlDatabase",
  kind: "mysql",
  reply: databases.database,
  always: ["label", "region", "type", "engine"],
  // A backup exists only after its database.
  never: ["restoreFromBackupId"],
  values: { ...place, engine: fc.constantFrom("mysql/8.0.30", "mysql/5.7.39"), allowList: addresses },
};

const postgresqlDatabase: Programs = {
  ...mysqlDatabase,
  name: "PostgresqlDatabase",
  type: "PostgresqlDatabase",
  kind: "postgresql",
  reply: databases.database,
  never: [],
  values: {
    ...mysqlDatabase.values,
    engine: fc.constantFrom("postgresql/14.6", "postgresql/13.2"),
  },
};

const node: Programs = {
  name: "Node",
  type: "Node",
  kind: "nodes",
  reply: nodes.node,
  always: ["label", "region", "type", "image"],
  // A node has one source, here an image, and one spelling of user data.
  never: [
    ...["resize", "stackscriptId", "stackscriptData", "backupId", "cloneFrom", "disks", "configs"],
    ...["metadata.userData", "restoreFromBackup.backupId", "restoreFromBackup.overwrite", "bootConfigId"],
  ],
  values: {
    ...place,
    image: fc.constantFrom("node/debian12", "node/ubuntu24.04"),
    swapSize: fc.integer({ min: 0, max: 2048 }),
    authorizedKeys: fc.array(word, { maxLength: 3 }),
    authorizedUsers: fc.array(word, { maxLength: 3 }),
    // The API has no operation to stop a node.
    booted: fc.constant(true),
  },
  shown: {
    backupsEnabled: { at: "backups.enabled" },
    booted: { at: "status", as: (booted) => (booted === true ? "running" : "offline") },
  },
};

const oneNode = async ({ call, control }: TestEmulator) => {
  const { body } = await call("POST", "/node/instances", { body: deployedNode });
  const { body: stored } = await control<{ disks: { id: number }[] }>("GET", `/objects/nodes/${body["id"]}`);
  return { nodeId: String(body["id"]), diskId: stored.disks[0]?.id };
};

const nodeBackupSnapshot: Programs = {
  name: "NodeBackupSnapshot",
  type: "NodeBackupSnapshot",
  kind: "nodeBackups",
  reply: backups.nodeBackup,
  prepare: async (emulator) => ({ nodeId: (await oneNode(emulator)).nodeId }),
  always: ["label"],
  never: ["nodeId"],
  values: {},
};

const image: Programs = {
  name: "Image",
  type: "Image",
  kind: "images",
  reply: images.image,
  prepare: async (emulator) => ({ diskId: (await oneNode(emulator)).diskId }),
  always: ["label"],
  never: ["diskId", "source", "sourceHash", "region"],
  values: {},
};

/** Each resource, and for records each of their types. */
export const allPrograms: readonly Programs[] = [
  domain,
  ...RECORD_TYPES.map(recordsOf),
  mysqlDatabase,
  postgresqlDatabase,
  node,
  nodeBackupSnapshot,
  image,
];
