import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { service } from "../../src/api/service";
import { type OperationSpec } from "../../src/api/operation";
import * as functions from "../../src/functions";
import { declarations, type ListDeclaration } from "../../src/functions/declarations";
import { fieldsOf, specOf } from "../../src/functions/api-reads";
import { type Description, parseId } from "../../src/provider/describe/define-resource";
import { type Properties, snakePath, valueAt } from "../../src/provider/base/values";
import * as resources from "../../src/sdk";
import { deployedNode, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { configure, standInForEngine, valueOf } from "../helpers/program-run";
import { makeExample, placeOf } from "../helpers/samples";

type Ids = Readonly<Record<"node" | "domain" | "mysql" | "postgresql", number>>;

let emulator: TestEmulator;
let ids: Ids;

beforeAll(async () => {
  standInForEngine();
  emulator = await startTestEmulator();
  configure(emulator);
  const make = async (path: string, body: object) =>
    (await emulator.call<{ id: number }>("POST", path, { body })).body.id;
  const database = { region: "us-east", type: "g6-standard-1", allow_list: ["192.0.2.0/24"] };
  const node = await make("/node/instances", {
    ...deployedNode,
    label: "web",
    tags: ["web", "env:prod"],
    backups_enabled: true,
  });
  await make("/node/instances", { ...deployedNode, label: "db1" });
  const domain = await make("/domains", {
    domain: "a.example",
    type: "master",
    soa_email: "dns@a.example",
    axfr_ips: ["192.0.2.9"],
    tags: ["public"],
  });
  await make("/domains", { domain: "b.example", type: "slave", master_ips: ["192.0.2.1"] });
  await make(`/domains/${domain}/records`, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 });
  await make(`/domains/${domain}/records`, { type: "MX", target: "mx.a.example", priority: 10 });
  const mysql = await make("/databases/mysql/instances", {
    ...database,
    label: "shop",
    engine: "mysql/8.0.30",
  });
  await make("/databases/mysql/instances", { ...database, label: "blog", engine: "mysql/5.7.39" });
  const postgresql = await make("/databases/postgresql/instances", {
    ...database,
    label: "wiki",
    engine: "postgresql/14.6",
  });
  await make("/databases/postgresql/instances", { ...database, label: "crm", engine: "postgresql/13.2" });
  await make("/images/upload", { label: "golden", region: "us-east" });
  emulator.clock.advance(3600);
  await make(`/node/instances/${node}/backups`, { label: "before" });
  await make(`/databases/mysql/instances/${mysql}/backups`, { label: "mine" });
  await make(`/databases/postgresql/instances/${postgresql}/backups`, { label: "ours" });
  emulator.clock.advance(26 * 3600);
  await makeUnsampled();
  ids = { node, domain, mysql, postgresql };
});

afterAll(() => emulator.stop());

type Call = (args?: object) => Promise<Properties>;
const call = functions as unknown as Readonly<Record<string, Call>>;

interface ListCase {
  readonly collection: string;
  readonly args?: (ids: Ids) => Properties;
  /** The path of the same items in the API. */
  readonly path: string;
  /** The function for one item, and what selects the first item besides its id. */
  readonly one?: string;
  readonly by?: (item: Properties) => Properties;
  /** The resource that accepts the id. */
  readonly resource?: keyof typeof resources;
}

const label = (item: Properties) => ({ label: item["label"] });

const samples: Readonly<Record<string, ListCase>> = {
  getNodes: { collection: "nodes", path: "/node/instances", one: "getNode", by: label, resource: "Node" },
  getNodeBackups: {
    collection: "backups",
    args: ({ node }) => ({ nodeId: node }),
    path: "/node/instances/{node}/backups",
    one: "getNodeBackup",
    by: ({ id }) => ({ filter: { id } }),
    resource: "NodeBackupSnapshot",
  },
  getDatabases: { collection: "databases", path: "/databases/instances" },
  getMysqlDatabases: {
    collection: "databases",
    path: "/databases/mysql/instances",
    one: "getMysqlDatabase",
    by: label,
    resource: "MysqlDatabase",
  },
  getMysqlDatabaseBackups: {
    collection: "backups",
    args: ({ mysql }) => ({ databaseId: mysql }),
    path: "/databases/mysql/instances/{mysql}/backups",
    one: "getMysqlDatabaseBackup",
    by: label,
  },
  getPostgresqlDatabases: {
    collection: "databases",
    path: "/databases/postgresql/instances",
    one: "getPostgresqlDatabase",
    by: label,
    resource: "PostgresqlDatabase",
  },
  getPostgresqlDatabaseBackups: {
    collection: "backups",
    args: ({ postgresql }) => ({ databaseId: String(postgresql) }),
    path: "/databases/postgresql/instances/{postgresql}/backups",
    one: "getPostgresqlDatabaseBackup",
    by: label,
  },
  getDatabaseEngines: {
    collection: "engines",
    path: "/databases/engines",
    one: "getDatabaseEngine",
    by: ({ engine, version }) => ({ engine, version }),
  },
  getRegions: { collection: "regions", path: "/regions", one: "getRegion", by: label },
  getRegionAvailabilities: { collection: "availabilities", path: "/regions/availability" },
  getDomains: {
    collection: "domains",
    path: "/domains",
    one: "getDomain",
    by: ({ domain }) => ({ domain }),
    resource: "Domain",
  },
  getDomainRecords: {
    collection: "records",
    args: ({ domain }) => ({ domainId: String(domain) }),
    path: "/domains/{domain}/records",
    one: "getDomainRecord",
    by: ({ type, name }) => ({ type, name }),
    resource: "DomainRecord",
  },
  getImages: { collection: "images", path: "/images", one: "getImage", by: label, resource: "Image" },
};

/** A list without a case of its own. Its objects are made by the example of the emulator. */
function caseOf(list: ListDeclaration): [string, ListCase] {
  const one = [...declarations.values()].find((item) => item.kind === "item" && item.list.name === list.name);
  const [by = "id"] = list.by;
  const place = placeOf(specOf(list.reads));
  return [
    list.name,
    {
      collection: list.collection,
      path: place?.path ?? "",
      ...(one === undefined ? {} : { one: one.name, by: (item) => ({ [by]: item[by] }) }),
    },
  ];
}

const unsampled = [...declarations.values()].filter(
  (one): one is ListDeclaration => one.kind === "list" && samples[one.name] === undefined,
);
const lists: typeof samples = { ...samples, ...Object.fromEntries(unsampled.map(caseOf)) };

/** Makes two objects for each list without a case, with different names. */
async function makeUnsampled(): Promise<void> {
  for (const { reads, by } of unsampled) {
    const place = placeOf(specOf(reads));
    if (place === undefined) throw new Error(`The emulator has no example for ${reads}.`);
    for (const name of ["one", "two"]) await makeExample(emulator, place, { [snakePath(by[0] ?? "")]: name });
  }
}

interface ViewCase {
  readonly args: (ids: Ids) => Properties;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

const views: Readonly<Record<string, ViewCase>> = {
  getMysqlDatabaseCertificate: {
    args: ({ mysql }) => ({ databaseId: mysql }),
    path: "/databases/mysql/instances/{mysql}/ssl",
    fields: { caCertificate: "ca_certificate" },
  },
  getRegionAvailability: {
    args: () => ({ regionId: "us-east" }),
    path: "/regions/us-east/availability",
    fields: { region: "region", plan: "plan", available: "available" },
  },
  getDomainZoneFile: {
    args: ({ domain }) => ({ domainId: domain }),
    path: "/domains/{domain}/zone-file",
    fields: { zoneFile: "zone_file" },
  },
};

const at = (path: string) => path.replace(/\{(\w+)\}/, (_, name: keyof Ids) => String(ids[name]));

async function answered(path: string): Promise<Properties[]> {
  const { body } = await emulator.call<{
    data?: Properties[];
    automatic?: Properties[];
    snapshot?: Properties;
  }>("GET", `${at(path)}${path.endsWith("s") || path.endsWith("availability") ? "?page_size=500" : ""}`);
  const { data, automatic = [], snapshot = {} } = body;
  // The view of such a backup has the type `auto`, and so has the function's list.
  const alike = automatic.map((backup) => ({ ...backup, type: "auto" }));
  const snapshots = [snapshot["current"], snapshot["in_progress"]] as (Properties | null)[];
  return data ?? [...alike, ...snapshots.filter((backup) => backup !== null)];
}

test("every function has a case here", () => {
  const cases = [
    ...Object.entries(lists).flatMap(([name, { one }]) => (one === undefined ? [name] : [name, one])),
    ...Object.keys(views),
    "getMysqlDatabaseCredentials",
  ];
  expect(cases.sort()).toEqual([...declarations.keys()].sort());
});

test("a backup is found by its label, although automatic ones have none", async () => {
  const found = await call["getNodeBackup"]?.({ nodeId: ids.node, label: "before" });
  expect(found).toMatchObject({ label: "before", type: "snapshot" });
});

test("each function has an output form", () => {
  const names = [...declarations.keys()].flatMap((name) => [name, `${name}Output`]);
  expect(Object.keys(functions).sort()).toEqual(names.sort());
});

describe.each(Object.entries(lists))(
  "%s",
  (name, { collection, args = () => ({}), path, one, by, resource }) => {
    const list = async (more: Properties = {}) =>
      ((await call[name]?.({ ...args(ids), ...more })) as Readonly<Record<string, Properties[]>>)[
        collection
      ] ?? [];

    test("returns every item in the order of the API, with string ids and names in camel case", async () => {
      const items = await list();
      const raw = await answered(path);
      expect(items.length).toBeGreaterThan(1);
      expect(items).toHaveLength(raw.length);
      items.forEach((item, index) => {
        const original = raw[index] ?? {};
        for (const [key, value] of Object.entries(original)) {
          const camel = key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
          if (value === null) expect(item).not.toHaveProperty([camel]);
          else if (key === "id") expect(String(item["id"]).endsWith(String(value))).toBe(true);
          else if (typeof value !== "object") expect(item[camel]).toEqual(value);
          else expect(item).toHaveProperty([camel]);
        }
        expect(Object.keys(item).filter((key) => key.includes("_"))).toEqual([]);
      });
    });

    test("gives each item the id of its parent", async () => {
      const [parent] = Object.entries(args(ids));
      for (const item of parent === undefined ? [] : await list()) {
        expect(item).toMatchObject({ [parent?.[0] ?? ""]: String(parent?.[1]) });
        expect(item["id"]).toMatch(new RegExp(`^${String(parent?.[1])}/\\d+$`));
      }
    });

    test("filters by a field, and sorts", async () => {
      const items = await list();
      const field =
        Object.keys(items[0] ?? {}).find((key) =>
          ["label", "domain", "plan", "type", "version"].includes(key),
        ) ?? "";
      const wanted = items.at(-1)?.[field];
      const kept = await list({ filter: { [field]: wanted } });
      expect(kept).toEqual(items.filter((item) => item[field] === wanted));
      const texts = (await list({ sortBy: field, order: "desc" })).map((item) => String(item[field] ?? ""));
      expect(texts).toEqual([...texts].sort().reverse());
    });

    test("filters by a value in a list field", async () => {
      const items = await list();
      const lists = [...fieldsOf(declarations.get(name) as ListDeclaration)].filter(
        ([, { isList }]) => isList,
      );
      for (const [field] of lists) {
        const entriesOf = (item: Properties) => (valueAt(item, field) ?? []) as unknown[];
        const [entry] = items.flatMap(entriesOf);
        const having = items.filter((item) => entriesOf(item).includes(entry));
        expect(having).not.toEqual([]);
        for (const wanted of [entry, [entry, "no such value"], { contains: entry }, { all: [entry] }])
          expect(await list({ filter: { [field]: wanted } })).toEqual(having);
        expect(await list({ filter: { [field]: { all: [entry, "no such value"] } } })).toEqual([]);
      }
    });

    if (one !== undefined) {
      test(`and ${one} return the same item, by its id and by its name`, async () => {
        const items = await list();
        for (const item of items.slice(0, 3)) {
          expect(await call[one]?.({ id: item["id"] })).toEqual(item);
          expect(await call[one]?.({ ...args(ids), ...by?.(item) })).toEqual(item);
        }
      });
    }

    if (one !== undefined && Object.keys(args({ node: 1, domain: 1, mysql: 1, postgresql: 1 })).length > 0) {
      test(`and ${one} accept the child's own id together with its parent's`, async () => {
        const [item = {}] = await list();
        const id = Number(String(item["id"]).split("/").at(-1));
        expect(await call[one]?.({ ...args(ids), id })).toEqual(item);
        expect(await call[one]?.({ ...args(ids), id: item["id"] })).toEqual(item);
      });
    }

    if (resource !== undefined) {
      test(`returns ids that ${resource} accepts`, async () => {
        const description = resources[resource].description as unknown as Description;
        for (const item of await list()) {
          expect(parseId(description, String(item["id"]))).toBeDefined();
        }
      });
    }
  },
);

test.each(Object.entries(views))(
  "%s returns the answer in camel case",
  async (name, { args, path, fields }) => {
    const { body } = await emulator.call("GET", at(path));
    const result = await call[name]?.(args(ids));
    expect(result).toEqual(
      Object.fromEntries(Object.entries(fields).map(([field, wire]) => [field, body[wire]])),
    );
  },
);

test("the promise form returns the credentials' password as a secret output, and the output form is secret as a whole", async () => {
  const { body } = await emulator.call("GET", at("/databases/mysql/instances/{mysql}/credentials"));
  const given = await functions.getMysqlDatabaseCredentials({ databaseId: ids.mysql });
  expect(given.username).toBe(body["username"]);
  expect(await valueOf(given.password)).toBe(body["password"]);
  expect(await pulumi.isSecret(given.password)).toBe(true);
  expect(
    JSON.stringify(Object.entries(given).map(String)) + inspect(given, { depth: 9, showHidden: true }),
  ).not.toContain(String(body["password"]));
  const output = functions.getMysqlDatabaseCredentialsOutput({ databaseId: ids.mysql });
  expect(await valueOf(output)).toEqual(body);
  expect(await pulumi.isSecret(output)).toBe(true);
});

test("the functions above call every read operation of the API", async () => {
  await emulator.newCounts();
  for (const [name, { args = () => ({}), collection, one }] of Object.entries(lists)) {
    const result = (await call[name]?.(args(ids))) as Readonly<Record<string, Properties[]>>;
    if (one !== undefined) await call[one]?.({ id: result[collection]?.[0]?.["id"] });
  }
  for (const [name, { args }] of Object.entries(views)) await call[name]?.(args(ids));
  await functions.getMysqlDatabaseCredentials({ databaseId: ids.mysql });
  const asked = Object.keys(await emulator.newCounts()).map((route) => route.replace(/:\w+/g, ":id"));
  const reads = Object.values<Readonly<Record<string, OperationSpec>>>(service)
    .flatMap((family) => Object.values(family))
    .filter(({ method }) => method === "GET")
    .map(({ path }) => `GET /v4${path.replace(/\{\w+\}/g, ":id")}`);
  expect(reads.length).toBeGreaterThan(20);
  expect(reads.filter((route) => !asked.includes(route))).toEqual([]);
});
