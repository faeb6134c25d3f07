import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import {
  type Client,
  createClient,
  isNotFound,
  type OperationSpec,
  service,
  type Service,
} from "../../src/api";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { startEmptyZones } from "../helpers/name-server";
import { changedBody, makeExample, paramsAt, placeOf } from "../helpers/samples";
import { failure } from "./scripted-server";

/** The names of all operations: `nodes.create`, `records.list`, … */
type OperationName = {
  [Family in keyof Service]: `${Family}.${Extract<keyof Service[Family], string>}`;
}[keyof Service];

let emulator: TestEmulator;
let client: Client;

beforeEach(async () => {
  emulator = await startTestEmulator();
  client = createClient({ baseUrl: emulator.url, token: emulator.token });
});
afterEach(() => emulator.stop());

const minutes = (count: number) => emulator.clock.advance(count * 60);

async function aNode(fields: Partial<Parameters<Client["nodes"]["create"]>[0]> = {}) {
  const { id } = await client.nodes.create({
    region: "us-east",
    type: "g6-nanode-1",
    label: "web",
    image: "node/debian12",
    root_pass: "pass-word-1",
    backups_enabled: true,
    ...fields,
  });
  minutes(20);
  return id;
}

async function aSnapshot(nodeId: number) {
  const { id } = await client.nodeBackups.create({ nodeId }, { label: "before" });
  minutes(10);
  return id;
}

const database = { label: "shop", region: "us-east", type: "g6-standard-1" };

async function aMysql() {
  const { id } = await client.mysql.create({ ...database, engine: "mysql/8.0.30" });
  minutes(25);
  return id;
}

async function aPostgresql() {
  const { id } = await client.postgresql.create({ ...database, label: "shop-pg", engine: "postgresql/14.6" });
  minutes(25);
  return id;
}

async function aMysqlBackup(instanceId: number) {
  await client.mysql.createBackup({ instanceId }, { label: "nightly", target: "primary" });
  minutes(5);
  const backups = await collect(client.mysql.listBackups.all({ instanceId }));
  return backups.find(({ label }) => label === "nightly")?.id ?? 0;
}

async function aDomain(domain = "example.org") {
  return (await client.domains.create({ domain, type: "master", soa_email: "admin@example.org" })).id;
}

async function aRecord(domainId: number) {
  return (await client.records.create({ domainId }, { type: "A", name: "www", target: "192.0.2.1" })).id;
}

async function anImage() {
  const data = gzipSync("raw disk image");
  const { image, upload_to } = await client.images.upload({ label: "mine", region: "us-east" });
  await client.uploadImage(upload_to, Readable.from([data]), { contentLength: data.length });
  minutes(5);
  return image.id;
}

async function diskOf(nodeId: number) {
  const { body } = await emulator.call<{ data: { id: number }[] }>("GET", `/node/instances/${nodeId}/disks`);
  return body.data[0]?.id ?? 0;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const tests: Partial<Record<OperationName, () => Promise<void>>> = {
  "nodes.list": async () => {
    const id = await aNode();
    expect((await client.nodes.list()).data.map((node) => node.id)).toEqual([id]);
    expect(await client.nodes.list({ page: 1, page_size: 25 })).toMatchObject({ page: 1, results: 1 });
  },
  "nodes.create": async () => {
    const node = await client.nodes.create({ region: "us-east", type: "g6-nanode-1", label: "empty" });
    expect(node).toMatchObject({ label: "empty", region: "us-east", type: "g6-nanode-1" });
  },
  "nodes.get": async () => {
    const nodeId = await aNode();
    expect(await client.nodes.get({ nodeId })).toMatchObject({ id: nodeId, status: "running" });
  },
  "nodes.update": async () => {
    const nodeId = await aNode();
    await client.nodes.update({ nodeId }, { label: "renamed", tags: ["a"] });
    expect(await client.nodes.get({ nodeId })).toMatchObject({ label: "renamed", tags: ["a"] });
  },
  "nodes.delete": async () => {
    const nodeId = await aNode();
    expect(await client.nodes.delete({ nodeId })).toEqual({});
    minutes(1);
    expect(isNotFound(await failure(client.nodes.get({ nodeId })))).toBe(true);
  },
  "nodes.boot": async () => {
    const nodeId = await aNode({ booted: false });
    expect(await client.nodes.boot({ nodeId })).toEqual({});
    minutes(1);
    expect((await client.nodes.get({ nodeId })).status).toBe("running");
  },
  "nodes.clone": async () => {
    const nodeId = await aNode();
    const clone = await client.nodes.clone(
      { nodeId },
      { label: "copy", region: "us-east", type: "g6-nanode-1" },
    );
    expect(clone.id).not.toBe(nodeId);
    expect(clone.label).toBe("copy");
  },
  "nodes.resize": async () => {
    const nodeId = await aNode();
    expect(await client.nodes.resize({ nodeId }, { type: "g6-standard-2" })).toEqual({});
    minutes(10);
    expect((await client.nodes.get({ nodeId })).type).toBe("g6-standard-2");
  },
  "nodeBackups.list": async () => {
    const nodeId = await aNode();
    const id = await aSnapshot(nodeId);
    expect((await client.nodeBackups.list({ nodeId })).snapshot.current).toMatchObject({
      id,
      label: "before",
    });
  },
  "nodeBackups.create": async () => {
    const nodeId = await aNode();
    const backup = await client.nodeBackups.create({ nodeId }, { label: "before" });
    expect(backup).toMatchObject({ label: "before", type: "snapshot" });
  },
  "nodeBackups.enable": async () => {
    const nodeId = await aNode({ backups_enabled: false });
    expect(await client.nodeBackups.enable({ nodeId })).toEqual({});
    expect((await client.nodes.get({ nodeId })).backups?.enabled).toBe(true);
  },
  "nodeBackups.cancel": async () => {
    const nodeId = await aNode();
    expect(await client.nodeBackups.cancel({ nodeId })).toEqual({});
    expect((await client.nodes.get({ nodeId })).backups?.enabled).toBe(false);
  },
  "nodeBackups.get": async () => {
    const nodeId = await aNode();
    const backupId = await aSnapshot(nodeId);
    expect(await client.nodeBackups.get({ nodeId, backupId })).toMatchObject({
      id: backupId,
      status: "successful",
    });
  },
  "nodeBackups.restore": async () => {
    const nodeId = await aNode();
    const backupId = await aSnapshot(nodeId);
    const restored = client.nodeBackups.restore({ nodeId, backupId }, { node_id: nodeId, overwrite: true });
    expect(await restored).toEqual({});
    expect((await client.nodes.get({ nodeId })).status).toBe("restoring");
  },
  "engines.list": async () => {
    expect((await collect(client.engines.list.all())).map(({ id }) => id)).toContain("mysql/8.0.30");
    expect((await client.engines.list()).page).toBe(1);
  },
  "engines.get": async () => {
    expect(await client.engines.get({ engineId: "mysql/8.0.30" })).toMatchObject({ engine: "mysql" });
  },
  "databases.list": async () => {
    const ids = [await aMysql(), await aPostgresql()];
    expect((await client.databases.list()).data.map(({ id }) => id).sort()).toEqual(ids.sort());
  },
  "mysql.list": async () => {
    const id = await aMysql();
    await aPostgresql();
    expect((await client.mysql.list()).data.map((item) => item.id)).toEqual([id]);
  },
  "mysql.create": async () => {
    const created = await client.mysql.create({
      ...database,
      engine: "mysql/8.0.30",
      allow_list: ["192.0.2.0/24"],
    });
    expect(created).toMatchObject({ label: "shop", status: "provisioning", allow_list: ["192.0.2.0/24"] });
  },
  "mysql.get": async () => {
    const instanceId = await aMysql();
    expect(await client.mysql.get({ instanceId })).toMatchObject({ id: instanceId, status: "active" });
  },
  "mysql.update": async () => {
    const instanceId = await aMysql();
    await client.mysql.update({ instanceId }, { label: "store" });
    minutes(1);
    expect((await client.mysql.get({ instanceId })).label).toBe("store");
  },
  "mysql.delete": async () => {
    const instanceId = await aMysql();
    expect(await client.mysql.delete({ instanceId })).toEqual({});
    minutes(1);
    expect(isNotFound(await failure(client.mysql.get({ instanceId })))).toBe(true);
  },
  "mysql.listBackups": async () => {
    const instanceId = await aMysql();
    const id = await aMysqlBackup(instanceId);
    const { data } = await client.mysql.listBackups({ instanceId }, { page: 1 });
    expect(data).toContainEqual(expect.objectContaining({ id, label: "nightly", type: "snapshot" }));
  },
  "mysql.createBackup": async () => {
    const instanceId = await aMysql();
    expect(await client.mysql.createBackup({ instanceId }, { label: "nightly" })).toEqual({});
    expect((await client.mysql.get({ instanceId })).status).toBe("backing_up");
  },
  "mysql.getBackup": async () => {
    const instanceId = await aMysql();
    const backupId = await aMysqlBackup(instanceId);
    expect(await client.mysql.getBackup({ instanceId, backupId })).toMatchObject({
      id: backupId,
      label: "nightly",
    });
  },
  "mysql.deleteBackup": async () => {
    const instanceId = await aMysql();
    const backupId = await aMysqlBackup(instanceId);
    expect(await client.mysql.deleteBackup({ instanceId, backupId })).toEqual({});
    expect(isNotFound(await failure(client.mysql.getBackup({ instanceId, backupId })))).toBe(true);
  },
  "mysql.restoreBackup": async () => {
    const instanceId = await aMysql();
    const backupId = await aMysqlBackup(instanceId);
    expect(await client.mysql.restoreBackup({ instanceId, backupId })).toEqual({});
    expect((await client.mysql.get({ instanceId })).status).toBe("restoring");
  },
  "mysql.getCredentials": async () => {
    const instanceId = await aMysql();
    const { username, password } = await client.mysql.getCredentials({ instanceId });
    expect([typeof username, password.length > 0]).toEqual(["string", true]);
  },
  "mysql.resetCredentials": async () => {
    const instanceId = await aMysql();
    const { password } = await client.mysql.getCredentials({ instanceId });
    expect(await client.mysql.resetCredentials({ instanceId })).toEqual({});
    minutes(1);
    expect((await client.mysql.getCredentials({ instanceId })).password).not.toBe(password);
  },
  "mysql.patch": async () => {
    const instanceId = await aMysql();
    expect(await client.mysql.patch({ instanceId })).toEqual({});
    expect((await client.mysql.get({ instanceId })).status).toBe("updating");
  },
  "mysql.getSslCertificate": async () => {
    const instanceId = await aMysql();
    expect((await client.mysql.getSslCertificate({ instanceId })).ca_certificate).not.toBe("");
  },
  "postgresql.list": async () => {
    const id = await aPostgresql();
    expect((await client.postgresql.list()).data.map((item) => item.id)).toEqual([id]);
  },
  "postgresql.create": async () => {
    const wanted = {
      ...database,
      engine: "postgresql/14.6",
      replication_commit_type: "remote_write",
    } as const;
    expect(await client.postgresql.create(wanted)).toMatchObject({ replication_commit_type: "remote_write" });
  },
  "postgresql.get": async () => {
    const instanceId = await aPostgresql();
    expect(await client.postgresql.get({ instanceId })).toMatchObject({
      id: instanceId,
      engine: "postgresql",
    });
  },
  "postgresql.update": async () => {
    const instanceId = await aPostgresql();
    await client.postgresql.update({ instanceId }, { allow_list: ["192.0.2.7/32"] });
    minutes(1);
    expect((await client.postgresql.get({ instanceId })).allow_list).toEqual(["192.0.2.7/32"]);
  },
  "postgresql.delete": async () => {
    const instanceId = await aPostgresql();
    expect(await client.postgresql.delete({ instanceId })).toEqual({});
    minutes(1);
    expect(isNotFound(await failure(client.postgresql.get({ instanceId })))).toBe(true);
  },
  "postgresql.listBackups": async () => {
    const instanceId = await aPostgresql();
    expect(
      (await client.postgresql.listBackups({ instanceId })).data.every(({ type }) => type === "auto"),
    ).toBe(true);
  },
  "postgresql.createBackup": async () => {
    const instanceId = await aPostgresql();
    expect(await client.postgresql.createBackup({ instanceId }, { label: "nightly" })).toEqual({});
    minutes(5);
    const labels = (await collect(client.postgresql.listBackups.all({ instanceId }))).map(
      ({ label }) => label,
    );
    expect(labels).toContain("nightly");
  },
  "regions.list": async () => {
    const ids = (await collect(client.regions.list.all())).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["us-east", "eu-west"]));
    expect((await client.regions.list()).results).toBe(ids.length);
  },
  "regions.listAvailability": async () => {
    const regions = (await collect(client.regions.listAvailability.all())).map(({ region }) => region);
    expect(regions).toContain("us-east");
  },
  "regions.get": async () => {
    expect(await client.regions.get({ regionId: "us-east" })).toMatchObject({ id: "us-east", status: "ok" });
  },
  "regions.getAvailability": async () => {
    expect((await client.regions.getAvailability({ regionId: "us-east" })).region).toBe("us-east");
  },
  "domains.list": async () => {
    const id = await aDomain();
    expect((await client.domains.list()).data.map((item) => item.id)).toEqual([id]);
  },
  "domains.create": async () => {
    const wanted = {
      domain: "example.org",
      type: "master" as const,
      soa_email: "admin@example.org",
      tags: ["a"],
    };
    expect(await client.domains.create(wanted)).toMatchObject(wanted);
  },
  "domains.import": async () => {
    const nameServer = await startEmptyZones();
    const wanted = { domain: "example.net", remote_nameserver: nameServer.address };
    try {
      expect((await client.domains.import(wanted)).domain).toBe("example.net");
    } finally {
      await nameServer.stop();
    }
  },
  "domains.get": async () => {
    const domainId = await aDomain();
    expect(await client.domains.get({ domainId })).toMatchObject({ id: domainId, domain: "example.org" });
  },
  "domains.update": async () => {
    const domainId = await aDomain();
    await client.domains.update({ domainId }, { description: "Shop", status: "disabled" });
    expect(await client.domains.get({ domainId })).toMatchObject({ description: "Shop", status: "disabled" });
    await client.domains.update({ domainId }, { description: null });
    expect((await client.domains.get({ domainId })).description ?? null).toBeNull();
  },
  "domains.delete": async () => {
    const domainId = await aDomain();
    expect(await client.domains.delete({ domainId })).toEqual({});
    expect(isNotFound(await failure(client.domains.get({ domainId })))).toBe(true);
  },
  "domains.clone": async () => {
    const domainId = await aDomain();
    await aRecord(domainId);
    const clone = await client.domains.clone({ domainId }, { domain: "example.com" });
    expect(clone.domain).toBe("example.com");
    expect((await client.records.list({ domainId: clone.id })).results).toBe(1);
  },
  "domains.getZoneFile": async () => {
    const domainId = await aDomain();
    await aRecord(domainId);
    minutes(60);
    expect((await client.domains.getZoneFile({ domainId })).zone_file.join("\n")).toContain("192.0.2.1");
  },
  "records.list": async () => {
    const domainId = await aDomain();
    const id = await aRecord(domainId);
    expect((await client.records.list({ domainId })).data.map((item) => item.id)).toEqual([id]);
    expect((await collect(client.records.list.all({ domainId }))).map((item) => item.id)).toEqual([id]);
  },
  "records.create": async () => {
    const domainId = await aDomain();
    const wanted = { type: "MX", target: "mail.example.org", priority: 10 } as const;
    expect(await client.records.create({ domainId }, wanted)).toMatchObject(wanted);
  },
  "records.get": async () => {
    const domainId = await aDomain();
    const recordId = await aRecord(domainId);
    expect(await client.records.get({ domainId, recordId })).toMatchObject({
      id: recordId,
      target: "192.0.2.1",
    });
  },
  "records.update": async () => {
    const domainId = await aDomain();
    const recordId = await aRecord(domainId);
    await client.records.update({ domainId, recordId }, { target: "192.0.2.2" });
    expect((await client.records.get({ domainId, recordId })).target).toBe("192.0.2.2");
  },
  "records.delete": async () => {
    const domainId = await aDomain();
    const recordId = await aRecord(domainId);
    expect(await client.records.delete({ domainId, recordId })).toEqual({});
    expect((await client.records.list({ domainId })).results).toBe(0);
  },
  "images.list": async () => {
    const ids = (await collect(client.images.list.all())).map(({ id }) => id);
    expect(ids).toContain("node/debian12");
    expect((await client.images.list()).results).toBe(ids.length);
  },
  "images.create": async () => {
    const nodeId = await aNode();
    const image = await client.images.create({ disk_id: await diskOf(nodeId), label: "captured" });
    expect(image).toMatchObject({ label: "captured", status: "creating" });
  },
  "images.upload": async () => {
    const imageId = await anImage();
    expect(await client.images.get({ imageId })).toMatchObject({ label: "mine", status: "available" });
  },
  "images.get": async () => {
    expect(await client.images.get({ imageId: "node/debian12" })).toMatchObject({ is_public: true });
  },
  "images.update": async () => {
    const imageId = await anImage();
    await client.images.update({ imageId }, { label: "renamed", description: "Disk" });
    expect(await client.images.get({ imageId })).toMatchObject({ label: "renamed", description: "Disk" });
  },
  "images.delete": async () => {
    const imageId = await anImage();
    expect(await client.images.delete({ imageId })).toEqual({});
    expect(isNotFound(await failure(client.images.get({ imageId })))).toBe(true);
  },
};

const operations = Object.entries(service).flatMap(([family, specs]) =>
  Object.entries(specs).map(([name, spec]): [string, OperationSpec] => [`${family}.${name}`, spec]),
);

type AnyMethod = (...args: unknown[]) => Promise<Record<string, unknown>>;

/** Tests by their names the operations that most families have, on the example of the emulator. */
function testOf(operation: string, spec: OperationSpec): (() => Promise<void>) | undefined {
  const [family = "", name = ""] = operation.split(".");
  const place = placeOf(spec);
  if (place === undefined) return undefined;
  const { body } = place.view.example;
  const call = (own: string, ...args: unknown[]) =>
    (client as unknown as Record<string, Record<string, AnyMethod>>)[family]?.[own]?.(...args);
  const made = async () => {
    const path = await makeExample(emulator, place);
    const specs = Object.entries<OperationSpec>(service[family as keyof Service]);
    const paramsOf = (own: string) => paramsAt(specs.find(([key]) => key === own)?.[1] ?? spec, path);
    return { id: Number(path.split("/").at(-1)), params: paramsOf(name), getParams: paramsOf("get") };
  };
  const given = (params: object) => (Object.keys(params).length === 0 ? [] : [params]);
  const known: Record<string, () => Promise<void>> = {
    list: async () => {
      const { id, params } = await made();
      expect(await call("list", ...given(params))).toMatchObject({ data: [{ id }] });
    },
    create: async () => {
      const { params } = await made();
      expect(await call("create", ...given(params), body)).toMatchObject(body);
    },
    get: async () => {
      const { id, params } = await made();
      expect(await call("get", params)).toMatchObject({ id, ...body });
    },
    update: async () => {
      const { params, getParams } = await made();
      const changed = changedBody(spec, place);
      await call("update", params, changed);
      expect(await call("get", getParams)).toMatchObject({ ...body, ...changed });
    },
    delete: async () => {
      const { params, getParams } = await made();
      expect(await call("delete", params)).toEqual({});
      expect(isNotFound(await failure(call("get", getParams) ?? Promise.resolve()))).toBe(true);
    },
  };
  return known[name];
}

test("every operation of the service has a test here", () => {
  const untested = operations.filter(
    ([name, spec]) => tests[name as OperationName] === undefined && testOf(name, spec) === undefined,
  );
  expect(untested.map(([name]) => name)).toEqual([]);
  const names = operations.map(([name]) => name);
  expect(Object.keys(tests).filter((name) => !names.includes(name))).toEqual([]);
});

describe("over real HTTP", () => {
  test.each(operations)("%s sends its request and returns its answer", async (name, spec) => {
    const { method, path } = spec;
    await (tests[name as OperationName] ?? testOf(name, spec))?.();
    // Checks that the test above calls this operation.
    const { body } = await emulator.control<{ last: { method: string; path: string; status: number }[] }>(
      "GET",
      "/requests",
    );
    const pattern = new RegExp(
      `^/v4${path.replaceAll(/\{(image|engine)Id\}/g, ".+").replaceAll(/\{\w+\}/g, "[^/]+")}$`,
    );
    const sent = body.last.filter((request) => request.method === method && pattern.test(request.path));
    expect(sent.map(({ status }) => status)).toContain(200);
  });
});
