import { type Description } from "../../src/provider/describe/define-resource";
import { descriptions } from "../../src/resources";
import { FIRST, type Kind, KINDS } from "../matrix/every-kind";
import { deployedNode, type TestEmulator } from "../helpers/emulator";
import { makeExample, objectsOf, objectWith, oneChange } from "../helpers/samples";

export { type Kind, KINDS } from "../matrix/every-kind";

type Inputs = Readonly<Record<string, unknown>>;

/** The facts about a kind of resource that the fault tests need. */
export interface Subject {
  /** Its objects in the emulator's control API. */
  readonly objects: string;
  /** The number of objects of one resource. */
  readonly count: number;
  /** Creates the parent object outside Pulumi, and returns the inputs that name it. */
  readonly place?: (emulator: TestEmulator) => Promise<Inputs>;
  readonly first: Inputs;
  /** Inputs that an update changes in place. Kinds without an update omit it. */
  readonly changed?: Inputs;
  /** The changed field of the object in the account, with both values. */
  readonly shown?: readonly [field: string, first: unknown, changed: unknown];
  /** The request that creates it. */
  readonly creation: RegExp;
  /** The API shows no operation to delete it. */
  readonly undeletable?: true;
}

const made = async (emulator: TestEmulator, path: string, body: object): Promise<string> => {
  const answer = await emulator.call<{ id?: number }>("POST", path, { body });
  if (answer.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
  // After an hour no object is busy.
  emulator.clock.advance(3600);
  return String(answer.body.id);
};

const database = { region: "us-east", type: "g6-nanode-1" };

const databaseFor = (kind: "mysql" | "postgresql", engine: string) => async (emulator: TestEmulator) => ({
  databaseId: await made(emulator, `/databases/${kind}/instances`, { ...database, label: "place", engine }),
});

const zone = async (emulator: TestEmulator) => ({
  domainId: await made(emulator, "/domains", {
    domain: "place.example",
    type: "master",
    soa_email: "dns@place.example",
  }),
});

const SAMPLES: Readonly<Partial<Record<Kind, Subject>>> = {
  Node: {
    objects: "nodes",
    count: 1,
    first: { region: "us-east", type: "g6-nanode-1", image: "node/debian12", tags: ["a"] },
    changed: { tags: ["b"] },
    shown: ["tags", ["a"], ["b"]],
    creation: /^POST \/v4\/node\/instances$/,
  },
  NodeBackupSnapshot: {
    objects: "nodeBackups",
    count: 1,
    place: async (emulator) => ({
      nodeId: await made(emulator, "/node/instances", { ...deployedNode, backups_enabled: true }),
    }),
    first: {},
    creation: /^POST \/v4\/node\/instances\/\d+\/backups$/,
    undeletable: true,
  },
  MysqlDatabase: {
    objects: "mysql",
    count: 1,
    first: { ...database, engine: "mysql/8.0.30", allowList: ["192.0.2.7/32"] },
    changed: { allowList: ["192.0.2.8/32"] },
    shown: ["allow_list", ["192.0.2.7/32"], ["192.0.2.8/32"]],
    creation: /^POST \/v4\/databases\/mysql\/instances$/,
  },
  PostgresqlDatabase: {
    objects: "postgresql",
    count: 1,
    first: { ...database, engine: "postgresql/14.6", allowList: ["192.0.2.7/32"] },
    changed: { allowList: ["192.0.2.8/32"] },
    shown: ["allow_list", ["192.0.2.7/32"], ["192.0.2.8/32"]],
    creation: /^POST \/v4\/databases\/postgresql\/instances$/,
  },
  MysqlDatabaseBackup: {
    objects: "databaseBackups",
    count: 1,
    place: databaseFor("mysql", "mysql/8.0.30"),
    first: {},
    creation: /^POST \/v4\/databases\/mysql\/instances\/\d+\/backups$/,
  },
  PostgresqlDatabaseBackup: {
    objects: "databaseBackups",
    count: 1,
    place: databaseFor("postgresql", "postgresql/14.6"),
    first: {},
    creation: /^POST \/v4\/databases\/postgresql\/instances\/\d+\/backups$/,
    undeletable: true,
  },
  Domain: {
    objects: "domains",
    count: 1,
    first: { domain: "ours.example", type: "master", soaEmail: "dns@ours.example", description: "first" },
    changed: { description: "second" },
    shown: ["description", "first", "second"],
    creation: /^POST \/v4\/domains$/,
  },
  DomainRecord: {
    objects: "records",
    count: 1,
    place: zone,
    first: { type: "A", name: "www", target: "192.0.2.10" },
    changed: { target: "192.0.2.11" },
    shown: ["target", "192.0.2.10", "192.0.2.11"],
    creation: /^POST \/v4\/domains\/\d+\/records$/,
  },
  DomainRecordSet: {
    objects: "records",
    count: 2,
    place: zone,
    first: {
      records: {
        a: { type: "A", name: "host", target: "192.0.2.1", ttlSec: 300 },
        b: { type: "A", name: "host", target: "192.0.2.2", ttlSec: 300 },
      },
    },
    changed: {
      records: {
        a: { type: "A", name: "host", target: "192.0.2.1", ttlSec: 3600 },
        b: { type: "A", name: "host", target: "192.0.2.2", ttlSec: 3600 },
      },
    },
    shown: ["ttl_sec", 300, 3600],
    creation: /^POST \/v4\/domains\/\d+\/records$/,
  },
  Image: {
    objects: "images",
    count: 1,
    first: { source: "disk.img", region: "us-east", description: "first" },
    changed: { description: "second" },
    shown: ["description", "first", "second"],
    creation: /^POST \/v4\/images\/upload$/,
  },
};

/** What follows of a kind from its description and the example in the emulator. */
function subjectOf(kind: Kind): Subject {
  const { id, autoname, undeletable } = descriptions[kind] as Description;
  const { name, path: objects, parent } = objectsOf(kind);
  const { path, wirePath, isUpdate, first, other } = oneChange(kind);
  const place = async (emulator: TestEmulator) => {
    const made = parent === undefined ? undefined : await makeExample(emulator, parent);
    return { [String(id.parent)]: made?.split("/").at(-1) };
  };
  const own = Object.entries(FIRST[kind]).filter(
    ([input]) => input !== id.parent && (input !== autoname?.path || input === path),
  );
  return {
    objects: name,
    count: 1,
    ...(id.parent === undefined ? {} : { place }),
    first: Object.fromEntries(own),
    ...(isUpdate ? { changed: objectWith(path, other), shown: [wirePath, first, other] } : {}),
    creation: new RegExp(`^POST /v4${objects.replaceAll("{}", "\\d+")}$`),
    ...(undeletable === undefined ? {} : { undeletable: true }),
  };
}

/** Kinds with automatic names use them, because they are harder. */
export const SUBJECTS = Object.fromEntries(
  KINDS.map((kind) => [kind, SAMPLES[kind] ?? subjectOf(kind)]),
) as Readonly<Record<Kind, Subject>>;

/** The source file of images, in the folder of each program. */
export const DISK = { file: "disk.img", content: "a disk image" } as const;

/** A program with one resource, whose name is `it`. */
export const programOf = (kind: Kind, inputs: Inputs, options: Inputs = {}): string =>
  `new nodecloud.${kind}("it", ${JSON.stringify(inputs)}, ${JSON.stringify(options)});`;
