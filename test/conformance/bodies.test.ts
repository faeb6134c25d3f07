import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";

let emulator: TestEmulator;
/** The paths of a node, its backup, databases, a domain, its record and an image. */
let paths: Record<string, string>;

beforeAll(async () => {
  emulator = await startTestEmulator();
  const { call, clock } = emulator;
  const create = async (path: string, body: object) =>
    String((await call("POST", path, { body })).body["id"]);
  const node = `/node/instances/${await create("/node/instances", { ...deployedNode, type: "g6-standard-2" })}`;
  const database = { label: "first", region: "us-east", type: "any" };
  const mysql = await create("/databases/mysql/instances", { ...database, engine: "mysql/8.0.30" });
  const postgresql = await create("/databases/postgresql/instances", {
    ...database,
    ...{ label: "second", engine: "postgresql/14.6" },
  });
  clock.advance(25 * 60);
  const backup = await create(`${node}/backups`, { label: "backup" });
  const domain = `/domains/${await create("/domains", { domain: "a.org", type: "master", soa_email: "a@a.org" })}`;
  const record = await create(`${domain}/records`, {
    ...{ type: "SRV", name: "_sip._tcp", priority: 1, weight: 1, port: 1 },
  });
  const upload = await call<{ image: { id: string } }>("POST", "/images/upload", {
    body: { label: "mine", region: "us-east" },
  });
  paths = {
    ...{ node, backup: `${node}/backups/${backup}`, domain, record: `${domain}/records/${record}` },
    mysql: `/databases/mysql/instances/${mysql}`,
    postgresql: `/databases/postgresql/instances/${postgresql}`,
    image: `/images/${upload.body.image.id}`,
  };
});
afterAll(() => emulator.stop());

const send = (method: string, path: string, body: unknown) =>
  emulator.call<{ errors: { field: string; reason: string }[] }>(
    method,
    path.replace(/\{(\w+)\}/, (_, name: string) => paths[name] ?? ""),
    { body },
  );

async function fieldsOf(method: string, path: string, body: unknown) {
  const answer = await send(method, path, body);
  expect(answer).toMatchObject({ status: 400, body: { errors: expect.any(Array) } });
  return answer.body.errors.map(({ field }) => field).sort();
}

const NODE = { region: "us-east", type: "g6-nanode-1" };
const MYSQL = { label: "shop", region: "us-east", type: "any", engine: "mysql/8.0.30" };
const POSTGRESQL = { ...MYSQL, engine: "postgresql/14.6" };
const DOMAIN = { domain: "example.org", type: "master", soa_email: "dns@example.org" };

test.each([
  ["POST", "/node/instances", ["region", "type"]],
  ["POST", "{node}/backups", ["label"]],
  ["POST", "{backup}/restore", ["node_id"]],
  ["POST", "/databases/mysql/instances", ["engine", "label", "region", "type"]],
  ["POST", "/databases/postgresql/instances", ["engine", "label", "region", "type"]],
  ["POST", "{mysql}/backups", ["label"]],
  ["POST", "{postgresql}/backups", ["label"]],
  ["POST", "/domains", ["domain", "type"]],
  ["POST", "/domains/import", ["domain", "remote_nameserver"]],
  ["POST", "{domain}/clone", ["domain"]],
  ["POST", "{domain}/records", ["type"]],
  ["POST", "/images", ["disk_id"]],
  ["POST", "/images/upload", ["label", "region"]],
])("%s %s requires %j, and one answer names all missing ones", async (method, path, fields) => {
  const answer = await send(method, path, {});
  expect(answer.status).toBe(400);
  const errors = [...answer.body.errors].sort((one, other) => one.field.localeCompare(other.field));
  expect(errors).toEqual(fields.map((field) => ({ field, reason: "is required" })));
});

test.each([
  ["PUT", "{node}"],
  ["POST", "{node}/boot"],
  ["PUT", "{mysql}"],
  ["PUT", "{domain}"],
  ["PUT", "{record}"],
  ["PUT", "{image}"],
])("%s %s requires no field", async (method, path) => {
  expect((await send(method, path, {})).status).toBe(200);
  // A database is updating for a while after an update.
  emulator.clock.advance(60);
});

const NODE_FIELDS = { label: 1, group: 1, tags: "x", watchdog_enabled: 1, alerts: "x", backups: "x" };

/** Bodies in which every field has another type than in the reference. */
test.each<[string, string, object]>([
  [
    "POST",
    "/node/instances",
    {
      ...{ region: 1, type: 1, label: 1, group: 1, tags: [1], image: 1, root_pass: 1, authorized_keys: [1] },
      ...{
        authorized_users: [1],
        swap_size: "x",
        stackscript_id: 1.5,
        stackscript_data: "x",
        backup_id: "x",
      },
      ...{ backups_enabled: 1, booted: "true", private_ip: 1, interfaces: {}, metadata: "x" },
    },
  ],
  ["PUT", "{node}", NODE_FIELDS],
  ["POST", "{node}/boot", { config_id: "x" }],
  [
    "POST",
    "{node}/clone",
    {
      ...{ node_id: "x", region: 1, type: 1, label: 1, group: 1, backups_enabled: 1, private_ip: 1 },
      ...{ disks: ["x"], configs: [1.5], metadata: 1 },
    },
  ],
  ["POST", "{node}/backups", { label: 1 }],
  ["POST", "{backup}/restore", { node_id: "x", overwrite: 1 }],
  ...["mysql", "postgresql"].flatMap((kind): [string, string, object][] => [
    [
      "POST",
      `/databases/${kind}/instances`,
      {
        ...{ label: 1, region: 1, type: 1, engine: 1, cluster_size: "1", encrypted: 1, ssl_connection: 1 },
        ...{ allow_list: [1], replication_type: 1 },
        ...(kind === "postgresql" && { replication_commit_type: 1 }),
      },
    ],
    ["PUT", `{${kind}}`, { allow_list: "x", label: 1, updates: 1 }],
    ["POST", `{${kind}}/backups`, { label: 1, target: 1 }],
  ]),
  ...[
    ["POST", "/domains"],
    ["PUT", "{domain}"],
  ].map(([method = "", path = ""]): [string, string, object] => [
    method,
    path,
    {
      ...{
        domain: 1,
        type: 1,
        status: 1,
        description: 1,
        group: 1,
        soa_email: "x",
        master_ips: [1],
        axfr_ips: 1,
      },
      ...{ expire_sec: "x", refresh_sec: 1.5, retry_sec: true, ttl_sec: "x", tags: [1] },
    },
  ]),
  ["POST", "/domains/import", { domain: 1, remote_nameserver: 1 }],
  ["POST", "{domain}/clone", { domain: 1 }],
  ...[
    ["POST", "{domain}/records", { type: 1 }],
    ["PUT", "{record}", {}],
  ].map(([method, path, more]): [string, string, object] => [
    String(method),
    String(path),
    {
      ...{ name: 1, target: 1, priority: "x", weight: 1.5, port: "x", service: 1, protocol: 1, tag: 1 },
      ...{ ttl_sec: "x", ...(more as object) },
    },
  ]),
  ["POST", "/images", { disk_id: "x", label: 1, description: 1 }],
  ["POST", "/images/upload", { label: 1, region: 1, description: 1 }],
  ["PUT", "{image}", { label: 1, description: 1 }],
])("%s %s refuses every field of a wrong type, all in one answer", async (method, path, body) => {
  expect(await fieldsOf(method, path, body)).toEqual(
    // Items of a list are named by their index.
    Object.entries(body)
      .map(([field, value]) => (Array.isArray(value) ? `${field}.0` : field))
      .sort(),
  );
});

test.each<[string, string, object, string, unknown[], unknown[]]>([
  ["POST", "/databases/mysql/instances", MYSQL, "cluster_size", [], [0, 2, 4]],
  ["POST", "/databases/mysql/instances", MYSQL, "replication_type", [], ["async", "full"]],
  ["POST", "/databases/postgresql/instances", POSTGRESQL, "replication_type", [], ["semi_synch", "async"]],
  ["POST", "/databases/postgresql/instances", POSTGRESQL, "replication_commit_type", [], ["sometimes"]],
  ["POST", "{mysql}/backups", { label: "x" }, "target", [], ["third"]],
  ["POST", "/domains", DOMAIN, "type", [], ["primary"]],
  ["PUT", "{domain}", {}, "status", ["disabled", "active"], ["edit_mode"]],
  ["POST", "{domain}/records", {}, "type", ["A", "AAAA", "NS", "MX", "CNAME", "TXT", "PTR"], ["ALIAS", "a"]],
  ["POST", "{domain}/records", { type: "CAA" }, "tag", ["issue", "issuewild", "iodef"], ["contact"]],
])("%s %s with %j: of the values of %s, %j are accepted and %j refused", async (...row) => {
  const [method, path, body, field, accepted, refused] = row;
  for (const value of accepted) {
    expect(await send(method, path, { ...body, [field]: value })).toMatchObject({ status: 200 });
  }
  for (const value of refused) {
    expect(await fieldsOf(method, path, { ...body, [field]: value })).toEqual([field]);
  }
});

describe("a database is created with", () => {
  let serial = 0;
  const create = async (kind: string, body: object) => {
    const engine = kind === "mysql" ? "mysql/8.0.30" : "postgresql/14.6";
    const all = { ...MYSQL, engine, label: `enum${++serial}`, ...body };
    return (await send("POST", `/databases/${kind}/instances`, all)).body;
  };

  test.each([1, 3])("a cluster_size of %d", async (cluster_size) => {
    expect(await create("mysql", { cluster_size })).toMatchObject({ cluster_size });
  });

  test.each([
    ["mysql", "none", "none"],
    ["mysql", "asynch", "async"],
    ["mysql", "semi_synch", "semi_synch"],
    ["postgresql", "none", "none"],
    ["postgresql", "asynch", "async"],
  ])("%s: the replication_type %s, which answers show as %s", async (kind, replication_type, shown) => {
    expect(await create(kind, { replication_type })).toMatchObject({ replication_type: shown });
  });

  test.each(["on", "local", "remote_write", "remote_apply", "off"])(
    "the replication_commit_type %s for PostgreSQL only",
    async (replication_commit_type) => {
      expect(await create("postgresql", { replication_commit_type })).toMatchObject({
        replication_commit_type,
      });
      expect(await create("mysql", { replication_commit_type })).not.toHaveProperty(
        "replication_commit_type",
      );
    },
  );

  test("the defaults: size 1, not encrypted, SSL required, an empty allow list, and for PostgreSQL the commit type local", async () => {
    const defaults = { cluster_size: 1, encrypted: false, ssl_connection: true, allow_list: [] };
    expect(await create("mysql", {})).toMatchObject(defaults);
    expect(await create("postgresql", {})).toMatchObject({ ...defaults, replication_commit_type: "local" });
  });

  test("the requested values", async () => {
    const asked = {
      encrypted: true,
      ssl_connection: false,
      allow_list: ["0.0.0.0/0", "2001:db8::/32", "192.0.2.1"],
    };
    expect(await create("mysql", asked)).toMatchObject(asked);
  });
});

describe("one answer names all invalid fields, both malformed values and unknown ids:", () => {
  test.each<[string, string, object, string[]]>([
    [
      "POST",
      "/node/instances",
      { ...NODE, label: "x", region: "mars", image: "node/none", backup_id: 1, root_pass: "x" },
      ["backup_id", "image", "label", "region", "root_pass"],
    ],
    [
      "POST",
      "{node}/clone",
      { label: "x", region: "mars", disks: [4711], configs: [4711] },
      ["configs", "disks", "label", "region"],
    ],
    [
      "POST",
      "/databases/mysql/instances",
      { ...MYSQL, label: "first", region: "mars", engine: "mysql/1", cluster_size: 2, allow_list: ["x"] },
      ["allow_list", "cluster_size", "engine", "label", "region"],
    ],
    [
      "PUT",
      "{mysql}",
      { label: "second", allow_list: ["10.0.0.0/33"], updates: 1 },
      ["allow_list", "label", "updates"],
    ],
    [
      "POST",
      "/domains",
      { domain: "a.org", type: "slave", status: "x", axfr_ips: ["x"] },
      ["axfr_ips", "domain", "master_ips", "status"],
    ],
    [
      "POST",
      "{domain}/records",
      { type: "SRV", name: "", priority: 256, tag: "issue" },
      ["name", "port", "priority", "tag", "weight"],
    ],
    ["PUT", "{record}", { name: "", tag: "issue" }, ["name", "tag"]],
    ["POST", "/images", { disk_id: 4711, description: "" }, ["description", "disk_id"]],
    ["POST", "/images/upload", { region: "mars", description: "" }, ["description", "label", "region"]],
  ])("%s %s", async (method, path, body, fields) => {
    expect(await fieldsOf(method, path, body)).toEqual(fields);
  });
});
