import { createClient } from "../../../src/api";
import { type ServiceAccount, Connections } from "../../../src/cli/account/accounts";
import { keyOf, listAccount, liveObject } from "../../../src/cli/account/list-account";
import { compareResource } from "../../../src/cli/drift/compare";
import { readsFrom } from "../../../src/cli/drift/listed-reads";
import { managedIn, ManagedObjects } from "../../../src/cli/drift/managed";
import { Words } from "../../../src/provider/engine/secret-words";
import { contextIn } from "../../helpers/command-line";
import { AT_ONCE, deployedNode, startTestEmulator, type TestEmulator } from "../../helpers/emulator";

type Values = Readonly<Record<string, unknown>>;

let emulator: TestEmulator;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: AT_ONCE });
});
beforeEach(() => emulator.reset("requests"));
afterAll(() => emulator.stop());

interface Side {
  readonly type: "Domain" | "DomainRecordSet";
  readonly outputs: Values;
  readonly secrets?: string[][];
  /** The paths of `ignoreChanges`. */
  readonly ignored?: string[][];
  /** What the lists show. */
  readonly replies: readonly Values[];
  /** The ids of the listed objects that other resources manage. */
  readonly ofOthers?: readonly string[];
}

/** Compares resource 1 with lists. */
async function compare({ type, outputs, secrets = [], ignored = [], replies, ofOthers = [] }: Side) {
  const resource = (id: string, own: Partial<Side>) => ({
    ...{ urn: `urn:pulumi:prod::infra::${type}::one`, id, inputs: {}, settings: {}, isLeaving: false },
    ...{ type, outputs, secrets, sealed: new Set<string>(), ignored, ...own },
  });
  const others = ofOthers.map((id) => ({ ...resource(`1/${id}`, { outputs: {} }), type: "DomainRecord" }));
  const stack = { name: "prod", project: "infra", directory: "." };
  const state = { resources: [resource("1", {}), ...others], others: 0, pending: [] };
  const environment = { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url };
  const progress = { show: () => undefined, note: () => undefined };
  const connections = new Connections(contextIn({ environment }), progress, new Words());
  const all = managedIn({ stack, state }, connections, new Words());
  const [managed] = all;
  if (managed === undefined) throw new Error("no resource");
  const { item, connection } = managed;
  const objects = replies.map((reply) => {
    const id = String(reply["id"]);
    const ref = item.id.parent === undefined ? { id } : { parent: "1", id };
    return [
      keyOf(item.type, managed.parent === undefined ? id : `1/${id}`),
      liveObject(item, ref, reply),
    ] as const;
  });
  const account: ServiceAccount = {
    ...{ name: "account", endpoint: connection.endpoint, objects: new Map(objects), gaps: [], listings: [] },
    ...{ hidden: [], isWanted: () => true, isListed: () => true, isGone: () => false },
  };
  return compareResource(managed, account, new ManagedObjects(all), readsFrom(account, connection));
}

const stored = { label: "a", ttlSec: 300, tags: ["x"], __set: "ttlSec,tags", __sent: { ttlSec: 310 } };

const changes = async (live: Values, secrets: string[][] = [], ignored: string[][] = []) => {
  const { finding } = await compare({
    type: "Domain",
    outputs: stored,
    secrets,
    ignored,
    replies: [{ id: 1, ...live }],
  });
  return finding?.kind === "deleted" ? [finding.kind] : [...(finding?.properties ?? [])];
};

test("an input that ignoreChanges names as a whole is no drift", async () => {
  const live = { ttlSec: 3600, tags: ["y"] };
  const tags = { path: "tags", expected: ["x"], live: ["y"] };
  expect(await changes(live, [], [["ttlSec"]])).toEqual([tags]);
  expect(await changes(live, [], [["ttlSec"], ["tags", "*"]])).toEqual([tags]);
  expect(await changes(live, [], [["ttlSec"], ["tags"]])).toEqual([]);
});

test("only inputs that the program set can have changed, and rounded values have not", async () => {
  expect(await changes({ label: "b", ttlSec: 300, tags: ["x"] })).toEqual([]);
  expect(await changes({ ttlSec: 310, tags: ["x"] })).toEqual([]);
  expect(await changes({ ttlSec: 3600, tags: ["y"] })).toEqual([
    { path: "ttlSec", expected: 310, live: 3600 },
    { path: "tags", expected: ["x"], live: ["y"] },
  ]);
});

test("the tag by which an object names its stack is drift only if the state has it", async () => {
  const owner = "pulumi:infra/prod";
  expect(await changes({ ttlSec: 310, tags: ["x", owner] })).toEqual([]);
  const { finding } = await compare({
    type: "Domain",
    outputs: { ...stored, tags: ["x", owner] },
    replies: [{ id: 1, ttlSec: 310, tags: ["x", owner] }],
  });
  expect(finding).toBeUndefined();
});

test("a cleared value has no live value, and a value that the service does not show has not changed", async () => {
  expect(await changes({ ttlSec: null })).toEqual([{ path: "ttlSec", expected: 310 }]);
});

test("a secret property is named without its values", async () => {
  expect(await changes({ tags: ["y"] }, [["tags", "0"]])).toEqual([{ path: "tags", secret: true }]);
});

test("a read is answered by the lists, and an object that its list lacks is asked for twice", async () => {
  await changes({ ttlSec: 300 });
  expect(await emulator.newCounts()).toEqual({});
  const outputs = { ...stored, domain: "example.org" };
  expect((await compare({ type: "Domain", outputs, replies: [] })).finding).toMatchObject({
    kind: "deleted",
    type: "Domain",
    id: "1",
    label: "example.org",
  });
  expect(await emulator.newCounts()).toEqual({ "GET /v4/domains/:id": 2 });
});

const lines = "@ A 192.0.2.1\nwww A 192.0.2.2\n";
const sets = { domainId: "1", records: lines, __ids: "10,11", __set: "domainId,records" };
const record = (id: number, name: string, target: string) => ({ id, type: "A", name, target, ttl_sec: 0 });

const replies = [
  record(11, "www", "192.0.2.9"),
  record(12, "new", "192.0.2.3"),
  record(13, "other", "192.0.2.4"),
];

const members = async (more: Values, ignored: string[][] = []) => {
  const outputs = { ...sets, ...more };
  const { finding } = await compare({ type: "DomainRecordSet", outputs, ignored, replies, ofOthers: ["13"] });
  return {
    members: finding?.members,
    added: finding?.added,
  };
};

test("members of a set are changed or deleted, and records of others are no additions", async () => {
  const own = [
    { change: "deleted", expected: "@ A 192.0.2.1" },
    { change: "changed", expected: "www A 192.0.2.2", live: "www A 192.0.2.9" },
  ];
  expect(await members({})).toEqual({ members: own, added: [] });
  expect(await members({ exclusive: true })).toEqual({
    members: [...own, { change: "added", live: "new A 192.0.2.3" }],
    added: ["DomainRecord 1/12"],
  });
});

test("a deleted member is drift, even if ignoreChanges names the members", async () => {
  expect((await members({}, [["records"]])).members).toEqual([
    { change: "deleted", expected: "@ A 192.0.2.1" },
  ]);
});

test("members that may hold secrets are shown without their lines", async () => {
  expect((await members({ __guarded: true })).members).toEqual([
    { change: "deleted" },
    { change: "changed" },
  ]);
});

test("a member that exists and is no longer declared has not changed", async () => {
  const left = { records: "www A 192.0.2.9\n", __ids: "11", __left: [["10", "@ A 192.0.2.1"]] };
  expect((await members(left)).members).toBeUndefined();
});

test("an account has the snapshot of a node whose backup service is off", async () => {
  const { body: node } = await emulator.call("POST", "/node/instances", { body: deployedNode });
  const place = `/node/instances/${node["id"]}/backups`;
  const { body: backup } = await emulator.call("POST", place, { body: { label: "by hand" } });
  const client = createClient({ baseUrl: emulator.url, token: emulator.token });
  const { objects } = await listAccount(client, new Map(), () => undefined);
  expect([...objects.keys()]).toContain(`NodeBackupSnapshot ${node["id"]}/${backup["id"]}`);
});
