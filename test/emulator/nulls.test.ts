import { type z } from "zod";
import { type OperationSpec } from "../../src/api/operation";
import { service } from "../../src/api/service";
import { deployedNode, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type Fields, objectsOf, REQUIRED } from "../helpers/objects";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator();
});
afterAll(() => emulator.stop());

const { create, read, write, unique, node, database, domain, record, image } = objectsOf(() => emulator);

/** A family, its create operation, the path, and the required fields besides a name. */
const creations: readonly (readonly [keyof typeof service, string, string, Fields])[] = [
  ["nodes", "create", "/node/instances", deployedNode],
  ["mysql", "create", "/databases/mysql/instances", { region: "us-east", type: "t", engine: "mysql/8.0.30" }],
  [
    "postgresql",
    "create",
    "/databases/postgresql/instances",
    { region: "us-east", type: "t", engine: "postgresql/14.6" },
  ],
  ["domains", "create", "/domains", { type: "master", soa_email: "dns@a.example" }],
  ["records", "create", "records", { type: "A", target: "192.0.2.1" }],
  ["images", "upload", "/images/upload", { label: "mine", region: "us-east" }],
];

describe("null, which clients send for fields that they do not set,", () => {
  /** The body, with null for every other optional field. */
  function withNulls(family: string, operation: string, body: Fields): Fields {
    const operations = (service as unknown as Record<string, Record<string, OperationSpec>>)[family];
    const { shape } = operations?.[operation]?.body as z.ZodObject;
    const optional = Object.entries(shape).filter(
      ([, field]) => (field as z.ZodType).safeParse(undefined).success,
    );
    return { ...Object.fromEntries(optional.map(([name]) => [name, null])), ...body };
  }

  test.each(creations)("is ignored in the creation of %s", async (family, operation, path, body) => {
    const place = path === "records" ? `${await domain()}/records` : path;
    const named = () => ({
      ...body,
      ...(place === "/domains" ? { domain: `${unique("name")}.example` } : {}),
      ...(/databases/.test(place) ? { label: unique("name") } : {}),
    });
    const bare = await read(await create(place, named()));
    const nulls = await read(await create(place, withNulls(family, operation, named())));
    const unlike = /^(id|label|domain|created|updated|host_uuid|ipv4|ipv6|hosts)$/;
    const comparable = (object: Fields) =>
      Object.fromEntries(Object.entries(object).filter(([name]) => !unlike.test(name)));
    expect(comparable(nulls)).toEqual(comparable(bare));
    expect(
      Object.values(withNulls(family, operation, {})).filter((value) => value === null).length,
    ).toBeGreaterThan(0);
  });

  test("is ignored in actions and nested objects", async () => {
    const path = await node();
    const action = async (name: string, body: object) =>
      (await emulator.call("POST", `${path}/${name}`, { body })).status;
    expect(await action("boot", { config_id: null })).toBe(200);
    const clone = {
      node_id: null,
      region: null,
      type: null,
      label: null,
      group: null,
      backups_enabled: null,
    };
    expect(
      await action("clone", { ...clone, private_ip: null, disks: null, configs: null, metadata: null }),
    ).toBe(200);
    const made = await create("/node/instances", {
      ...deployedNode,
      interfaces: [{ purpose: "public", label: null, ipam_address: null }],
    });
    expect(await read(made)).toMatchObject({ status: "running" });
  });

  test.each(creations)(
    "is refused for the fields that the creation of %s requires",
    async (_, __, path, body) => {
      const place = path === "records" ? `${await domain()}/records` : path;
      const field = Object.keys(body).find((name) => ["type", "region"].includes(name)) ?? "";
      const answer = await emulator.call("POST", place, { body: { ...body, [field]: null } });
      expect(answer).toMatchObject({ status: 400 });
      expect(JSON.stringify(answer.body["errors"])).toContain(`"field":"${field}"`);
    },
  );

  test.each<[string, () => Promise<string>, Fields]>([
    ["the tags of a node", () => node({ tags: ["a"] }), { tags: [] }],
    ["the group of a node", () => node({ group: "g" }), { group: "" }],
    [
      "the allow list of a database",
      () => database("mysql", { allow_list: ["192.0.2.1"] }),
      { allow_list: [] },
    ],
    [
      "the addresses and tags of a domain",
      () => domain({ axfr_ips: ["192.0.2.1"], master_ips: ["192.0.2.1"], tags: ["a"] }),
      { axfr_ips: [], master_ips: [], tags: [] },
    ],
    ["the status of a domain", () => domain({ status: "disabled" }), { status: "active" }],
    [
      "the texts of a domain",
      () => domain({ description: "d", group: "g" }),
      { description: null, group: null },
    ],
    [
      "the parts of a record's name",
      () => record("SRV", { ...REQUIRED["SRV"], service: "_s", protocol: "_p" }),
      { service: null, protocol: null },
    ],
    ["the description of an image", () => image({ description: "d" }), { description: null }],
  ])("resets %s in an update", async (_, make, reset) => {
    const path = await make();
    const nulls = Object.fromEntries(Object.keys(reset).map((name) => [name, null]));
    expect(await write(path, nulls)).toMatchObject({ status: 200, body: reset });
  });

  test.each<[string, () => Promise<string>, string[]]>([
    ["a node", () => node(), ["label", "watchdog_enabled", "alerts", "backups"]],
    ["a database", () => database("postgresql"), ["label", "updates"]],
    [
      "a domain",
      () => domain(),
      ["domain", "type", "soa_email", "expire_sec", "refresh_sec", "retry_sec", "ttl_sec"],
    ],
    ["a record", () => record("A"), ["name", "target", "priority", "weight", "port", "ttl_sec"]],
    ["an image", () => image(), ["label"]],
  ])(
    "is refused in an update of %s for fields without a null value or a default in the reference",
    async (_, make, fields) => {
      const path = await make();
      const answer = await write(path, Object.fromEntries(fields.map((name) => [name, null])));
      expect(answer.status).toBe(400);
      const errors = answer.body["errors"] as { field: string }[];
      expect(errors.map(({ field }) => field).sort()).toEqual([...fields].sort());
    },
  );
});
