import * as fc from "fast-check";
import { type z } from "zod";
import { type OperationSpec } from "../../src/api/operation";
import { RECORD_TYPES } from "../../src/api/records";
import { service } from "../../src/api/service";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type Fields, objectsOf, REQUIRED } from "../helpers/objects";
import { makeExample, placeOf } from "../helpers/samples";
import { cases } from "../helpers/whole";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator({
    accounts: {
      users: [
        { username: "ada", tokens: [{ token: "emulator-token", scopes: "*" }] },
        { username: "eve", restricted: true, tokens: [{ token: "restricted", scopes: "*" }] },
      ],
    },
  });
});
beforeEach(() => emulator.control("POST", "/reset"));
afterAll(() => emulator.stop());

const { create, read, write, node, database, domain, record, image } = objectsOf(() => emulator);

/** An object without the fields that every update changes: the time, and temporarily the status of a database. */
const lasting = (object: Fields): Fields =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) =>
        name !== "updated" && !(name === "status" && (value === "updating" || value === "active")),
    ),
  );

const updates = Object.values<Readonly<Record<string, OperationSpec>>>(service)
  .flatMap((family) => Object.values(family))
  .filter(({ method }) => method === "PUT");
const specOf = (path: string) =>
  updates.find(({ path: pattern }) =>
    new RegExp(`^${pattern.replace("{imageId}", ".+").replace(/\{\w+\}/g, "\\d+")}$`).test(path),
  );

/** The fields of an object that its update accepts. */
function updatable(path: string, object: Fields): Fields {
  const { shape } = specOf(path)?.body as z.ZodObject;
  return Object.fromEntries(Object.entries(object).filter(([name]) => name in shape));
}

/** Writes an object back, first only the fields of its update and then the whole, and expects no change. */
async function expectWritable(path: string, token?: string): Promise<void> {
  const object = await read(path);
  for (const body of [updatable(path, object), object]) {
    const answer = await write(path, body, token);
    expect({ body, status: answer.status, answer: lasting(answer.body) }).toEqual({
      body,
      status: 200,
      answer: lasting(object),
    });
    emulator.clock.advance(60);
    expect(lasting(await read(path))).toEqual(lasting(object));
  }
}

const changed = async (path: string, body: object) => {
  expect(await write(path, body)).toMatchObject({ status: 200 });
  emulator.clock.advance(3600);
  return path;
};
const patched = async (kind: string, path: string, patch: object) => {
  const id = /\d+$/.exec(path)?.[0] ?? "";
  expect(
    (await emulator.control("PATCH", `/objects/${kind}/${kind === "images" ? "private/" : ""}${id}`, patch))
      .status,
  ).toBe(200);
  return path;
};

/** Objects of every kind in many states, by their special feature. */
const objects: readonly (readonly [string, () => Promise<string>])[] = [
  ["a deployed node", () => node()],
  ["an empty node", () => create("/node/instances", { region: "us-east", type: "g6-nanode-1" })],
  [
    "a node with everything",
    () => node({ label: "everything", group: "g", tags: ["a", "b"], private_ip: true }),
  ],
  [
    "a node with backups that have a schedule",
    async () =>
      changed(await node({ backups_enabled: true }), {
        backups: { schedule: { day: "Monday", window: "W2" } },
      }),
  ],
  [
    "a node with alerts",
    async () => changed(await node(), { alerts: { cpu: 90, io: 0 }, watchdog_enabled: false }),
  ],
  ["a node that was never backed up", () => node({ backups_enabled: true })],
  ...["mysql", "postgresql"].flatMap((kind): [string, () => Promise<string>][] => [
    [`a ${kind} database whose weekOfMonth is null`, () => database(kind)],
    [
      `a ${kind} cluster with an allow list`,
      () =>
        database(kind, {
          cluster_size: 3,
          encrypted: true,
          ssl_connection: false,
          allow_list: ["192.0.2.1", "2001:db8::/32"],
        }),
    ],
    [
      `a ${kind} database with a monthly window`,
      async () =>
        changed(await database(kind), {
          updates: { frequency: "monthly", week_of_month: 3, hour_of_day: 4 },
        }),
    ],
    [`a ${kind} database with replication`, () => database(kind, { replication_type: "asynch" })],
  ]),
  ["a master domain", () => domain()],
  [
    "a slave domain, which has no e-mail address",
    () => domain({ type: "slave", soa_email: undefined, master_ips: ["192.0.2.1"] }),
  ],
  [
    "a domain with everything",
    () =>
      domain({
        ...{ description: "d", group: "g", status: "disabled", tags: ["a"], axfr_ips: ["192.0.2.2"] },
        ...{ expire_sec: 1, refresh_sec: 2, retry_sec: 3, ttl_sec: 4 },
      }),
  ],
  [
    "a clone of a domain",
    async () => {
      const source = await domain();
      const { body } = await emulator.call("POST", `${source}/clone`, { body: { domain: "clone.example" } });
      return `/domains/${String(body["id"])}`;
    },
  ],
  ...RECORD_TYPES.flatMap((type): [string, () => Promise<string>][] => [
    [
      `a record of type ${type} of the domain itself, without a time to live`,
      () => record(type, { ...REQUIRED[type] }),
    ],
    [
      `a record of type ${type} with everything`,
      () =>
        record(type, {
          ...REQUIRED[type],
          name: "www",
          target: "192.0.2.1",
          ttl_sec: 300,
          service: "_s",
          protocol: "_p",
        }),
    ],
  ]),
  ["a record of type MX with a priority", () => record("MX", { priority: 255 })],
  ["an image that waits for its data", () => image()],
  ["an image with a description", () => image({ description: "d" })],
  [
    "an image that was captured",
    async () => {
      const path = await node();
      const { body } = await emulator.call<{ data: { id: number }[] }>("GET", `${path}/disks`);
      return create("/images", { disk_id: body.data[0]?.id });
    },
  ],
  ...updates.flatMap((spec): [string, () => Promise<string>][] => {
    const place = placeOf(spec);
    // Other examples are requests of their own, which answer more than an object.
    if (place === undefined || place.view.example.path !== undefined) return [];
    return [[`the example of ${place.name}`, () => makeExample(emulator, place)]];
  }),
];

describe("writing an object back as it was read succeeds and changes nothing:", () => {
  test.each(objects)("%s", async (_, make) => {
    await expectWritable(await make());
  });

  test("these cases include every kind with an update", async () => {
    const paths: string[] = [];
    for (const [, make] of objects) {
      await emulator.control("POST", "/reset");
      paths.push(await make());
    }
    expect(new Set(paths.map((path) => specOf(path)?.path)).size).toBe(updates.length);
  });

  test("the tags of a node, even for a restricted user, who cannot change them", async () => {
    const path = await node({ tags: ["a", "b"] });
    await expectWritable(path, "restricted");
    expect(await write(path, { tags: ["a"] }, "restricted")).toMatchObject({ status: 403 });
  });

  test("a domain that lacks a required field of its type", async () => {
    await expectWritable(await patched("domains", await domain(), { soa_email: null }));
  });
});

/** Other values of the same type. */
function alike(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === "string") return fc.string({ maxLength: 300 });
  if (typeof value === "number") return fc.integer();
  if (typeof value === "boolean") return fc.boolean();
  if (Array.isArray(value)) return fc.array(fc.string(), { maxLength: 3 });
  if (value === null) return fc.option(fc.string({ maxLength: 300 }));
  return fc.record(
    Object.fromEntries(Object.entries(value as Fields).map(([name, inner]) => [name, alike(inner)])),
  );
}

// Imports and the service itself can set values that a request cannot.
test.each<[string, () => Promise<string>, readonly string[]]>([
  ["nodes", () => node(), []],
  ["mysql", () => database("mysql"), ["updates.week_of_month"]],
  ["postgresql", () => database("postgresql"), ["updates.week_of_month"]],
  ["domains", () => domain(), ["type", "status"]],
  ["records", () => record("A"), ["tag"]],
  ["images", () => image(), []],
])("all values of %s can be written back", async (kind, make, fixed) => {
  const path = await make();
  const fields = updatable(path, await read(path));
  for (const name of fixed) {
    const [field = "", inner] = name.split(".");
    if (inner === undefined) Reflect.deleteProperty(fields, field);
    else Reflect.deleteProperty(fields[field] as Fields, inner);
  }
  await fc.assert(
    fc.asyncProperty(alike(fields), async (patch) => {
      await patched(kind, path, patch as object);
      await expectWritable(path);
    }),
    { numRuns: cases(25), seed: 20_261_122 },
  );
});

describe("an object that is written back with one changed field:", () => {
  test.each<[string, () => Promise<string>, object]>([
    ["a priority on a record of type A", () => record("A"), { priority: 10 }],
    ["no name for a record that has one", () => record("A", { name: "www" }), { name: "" }],
    ["a tag on a record of type A", () => record("A"), { tag: "issue" }],
    ["no priority for a record of type SRV", () => record("SRV", REQUIRED["SRV"]), { priority: null }],
    ["no tag for a record of type CAA", () => record("CAA", REQUIRED["CAA"]), { tag: null }],
    ["an empty description of an image", () => image(), { description: "" }],
    ["a label that is too short", () => node(), { label: "ab" }],
    [
      "a slave without masters",
      () => domain({ type: "slave", master_ips: ["192.0.2.1"] }),
      { master_ips: null },
    ],
    ["a master without an e-mail address", () => domain(), { soa_email: null }],
  ])("%s is refused", async (_, make, body) => {
    const path = await make();
    const object = await read(path);
    const whole = { ...object, ...body };
    for (const sent of [body, whole]) {
      expect({ sent, ...(await write(path, sent)) }).toMatchObject({
        status: 400,
        body: { errors: [{ field: Object.keys(body)[0] }] },
      });
    }
    expect(await read(path)).toEqual(object);
  });

  test("a time to live is rounded", async () => {
    const path = await record("A", { ttl_sec: 3600 });
    expect((await write(path, { ttl_sec: 0 })).body["ttl_sec"]).toBe(300);
  });

  test("only that field changes", async () => {
    const path = await record("A", { target: "192.0.2.1" });
    const object = await read(path);
    expect((await write(path, { ...object, target: "192.0.2.2" })).body).toMatchObject({
      ...lasting(object),
      target: "192.0.2.2",
    });
  });
});
