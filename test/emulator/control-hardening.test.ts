import fc from "fast-check";
import { type OperationSpec } from "../../src/api/operation";
import { service } from "../../src/api/service";
import { COLLECTION_NAMES } from "../../src/emulator/control/collections";
import { anyCharacter } from "../helpers/characters";
import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";
import { type RawRequest, sendRaw } from "../helpers/raw-request";
import { cases } from "../helpers/whole";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
const send = (sent: RawRequest) => sendRaw(emulator.url, sent);

/** Creates an object of each kind, and returns their paths in the control API. */
async function createOfEachKind(): Promise<string[]> {
  const create = async (path: string, body?: object) => {
    const answer = await emulator.call<{ id: number; image?: { id: string } }>("POST", path, { body });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.image?.id ?? answer.body.id;
  };
  const node = await create("/node/instances", { ...deployedNode, backups_enabled: true });
  const database = { region: "us-east", type: "g6-nanode-1", label: "shop" };
  const mysql = await create("/databases/mysql/instances", { ...database, engine: "mysql/8.0.30" });
  const pg = { ...database, label: "other", engine: "postgresql/14.6" };
  const postgresql = await create("/databases/postgresql/instances", pg);
  emulator.clock.advance(30 * 60);
  const backup = await create(`/node/instances/${node}/backups`, { label: "first" });
  await create(`/databases/mysql/instances/${mysql}/backups`, { label: "first" });
  const domain = await create("/domains", example);
  const mx = { type: "MX", target: "mail.example.org", priority: 1 };
  const record = await create(`/domains/${domain}/records`, mx);
  const image = await create("/images/upload", { label: "golden", region: "us-east" });
  emulator.clock.advance(60 * 60);
  const { body } = await emulator.control<{ data: { id: number }[] }>("GET", "/objects/databaseBackups");
  return [
    ...[`nodes/${node}`, `nodeBackups/${backup}`, `mysql/${mysql}`, `postgresql/${postgresql}`],
    ...[`databaseBackups/${body.data[0]?.id}`, `domains/${domain}`, `records/${record}`, `images/${image}`],
  ];
}

describe("a patch", () => {
  const refused: [string, object, string][] = [
    ["nodes", { label: 7 }, "label"],
    ["nodes", { backups: null }, "backups"],
    ["nodes", { alerts: { cpu: "high" } }, "alerts.cpu"],
    ["nodes", { disks: [7] }, "disks.0"],
    ["nodes", { auto_backups_until: -1 }, "auto_backups_until"],
    ["nodeBackups", { configs: "all" }, "configs"],
    ["mysql", { allow_list: {} }, "allow_list"],
    ["postgresql", { engine: "oracle" }, "engine"],
    ["databaseBackups", { listed_from: 1e300 }, "listed_from"],
    ["domains", { master_ips: [1] }, "master_ips.0"],
    ["domains", { type: "other" }, "type"],
    ["records", { target: null }, "target"],
    ["records", { id: 4711 }, "id"],
    ["images", { size: 1.5 }, "size"],
    ["images", { id: "private/4711" }, "id"],
  ];
  test.each(refused)("of an object of %s with %j is refused because of %s", async (kind, patch, field) => {
    const path = (await createOfEachKind()).find((object) => object.startsWith(`${kind}/`));
    const before = (await emulator.control("GET", `/objects/${path}`)).body;
    expect(await emulator.control("PATCH", `/objects/${path}`, patch)).toMatchObject({
      status: 400,
      body: { errors: [{ field, reason: expect.any(String) }] },
    });
    expect((await emulator.control("GET", `/objects/${path}`)).body).toEqual(before);
  });

  test("that changes nothing or adds an unknown field is accepted for every kind", async () => {
    for (const path of await createOfEachKind()) {
      const { body: before } = await emulator.control("GET", `/objects/${path}`);
      const patched = await emulator.control("PATCH", `/objects/${path}`, { ...before, extra: { any: [1] } });
      expect({ path, ...patched }).toMatchObject({ path, status: 200 });
      expect(patched.body).toEqual({ ...before, extra: { any: [1] } });
    }
  });

  test("changes only the object", async () => {
    const [path] = await createOfEachKind();
    const body =
      '{"__proto__": {"polluted": 1}, "alerts": {"__proto__": {"polluted": 1}}, "constructor": {"polluted": 1}}';
    await emulator.control("PATCH", `/objects/${path}`, body);
    expect("polluted" in {}).toBe(false);
    expect("polluted" in Object).toBe(false);
  });
});

test.each([
  ["POST", "/clock", "{", 400],
  ["POST", "/clock", "[]", 400],
  ["POST", "/clock", '{"speed": -1}', 400],
  ["POST", "/clock", '{"speed": 1e300}', 400],
  ["POST", "/clock", '{"advance": "1"}', 400],
  ["POST", "/clock", '{"warp": 1}', 400],
  ["POST", "/clock", "(10 MB)", 413],
  ["POST", "/reset?only=", "", 400],
  ["POST", "/faults", "null", 400],
  ["POST", "/faults", '{"path": "/v4/**"}', 400],
  ["POST", "/faults", '{"path": "/v4/**", "times": 0, "effect": "reset"}', 400],
  ["POST", "/faults", '{"path": "/v4/**", "effect": "explode"}', 400],
  ["POST", "/faults", '{"path": "/v4/**", "effect": {"status": 99}}', 400],
  ["POST", "/faults", '{"path": "/v4/**", "effect": {"delayMs": 1e12}}', 400],
  ["POST", "/faults", '{"path": "/v4/**", "effect": {"status": 500, "headers": {"a b": "c"}}}', 400],
  ["GET", "/objects/planets", "", 404],
  ["GET", "/objects/constructor", "", 404],
  ["GET", "/objects/domains/nothing", "", 404],
  ["PATCH", "/objects/domains/1/2", "{}", 404],
  ["DELETE", "/objects/records/-1", "", 404],
  ["POST", "/objects/nodes/4711/power-off", "", 404],
  ["GET", "/nothing", "", 404],
])("%s %s with %s answers %d", async (method, path, body, status) => {
  const sent = body === "(10 MB)" ? `{"advance": 1${" ".repeat(10_000_000)}}` : body;
  const answer = await send({ method, path: `/_emulator${path}`, body: sent });
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ reason: expect.any(String) }] });
  expect((await emulator.call("POST", "/domains", { body: example })).status).toBe(200);
});

test("the clock stays within the valid range of dates, even at the highest speed", async () => {
  expect((await emulator.control("POST", "/clock", { advance: 2e11 })).status).toBe(200);
  emulator.clock.advance(1e12);
  await emulator.control("POST", "/clock", { speed: 1_000_000 });
  expect((await emulator.control("GET", "/clock")).body["now"]).toBe("9999-12-31T00:00:00");
  const { status, body } = await emulator.call("POST", "/node/instances", { body: deployedNode });
  expect({ status, created: body["created"] }).toEqual({ status: 200, created: "9999-12-31T00:00:00" });
});

const specs: OperationSpec[] = Object.values(service).flatMap((family) =>
  Object.values<OperationSpec>(family),
);

const anyText = fc.oneof(
  fc.constantFrom("running", "stopped", "active", "available", "successful", "us-east", "example.org", ""),
  fc.string(),
);
const anyValue = fc.oneof(
  anyText,
  fc.integer(),
  fc.constantFrom(0, -1, 1e15, 1e300, 253_402_214_400_000),
  fc.boolean(),
  fc.constant(null),
  fc.array(anyText, { maxLength: 2 }),
  fc.jsonValue({ maxDepth: 2, stringUnit: anyCharacter }),
);
/** A patch of some of the object's fields, and of unknown fields. */
const patchOf = (fields: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...fields, "unknown", "toJSON", "__proto__"), anyValue, { maxKeys: 4 });
const plan = fc.record(
  {
    method: fc.oneof(fc.constantFrom("*", "GET", "post"), anyText),
    path: fc.oneof(fc.constantFrom("/v4/**", "/v4/domains/*", "/nothing"), anyText),
    times: fc.oneof(fc.integer({ min: -1, max: 3 }), anyValue),
    effect: fc.oneof(
      fc.constantFrom("drop-response", "drop-request", "reset"),
      fc.record({ status: fc.integer({ min: 0, max: 700 }), headers: fc.dictionary(anyText, anyText) }),
      fc.record({ delayMs: fc.constantFrom(0, -1, 1, 1e300) }),
      anyValue,
    ),
  },
  { requiredKeys: [] },
);
const clockChange = fc.record(
  {
    advance: fc.oneof(fc.constantFrom(0, 60, 86_400, 1e9, 1e15, -1, 1e300), anyValue),
    speed: fc.oneof(fc.constantFrom(0, 1, 600, 1e6, 1e7, -1, 1e300), anyValue),
  },
  { requiredKeys: [] },
);
const anyPath = fc.oneof(
  fc.constantFrom("clock", "faults", "reset", "reset?only=faults", "requests", "catalogue", "openapi.json"),
  fc
    .tuple(
      fc.constantFrom(...COLLECTION_NAMES, "planets", "__proto__"),
      fc.oneof(fc.integer().map(String), fc.webPath()),
    )
    .map((parts) => `objects/${parts.join("/")}`),
  fc.webPath(),
);
const asText = (value: fc.Arbitrary<unknown>) => value.map((sent) => JSON.stringify(sent));

const to = (method: string, path: fc.Arbitrary<string>, body: fc.Arbitrary<string>) =>
  fc.record({ method: fc.constant(method), path, body });

/** A request to the control API; `fields` has the fields of the existing objects, by path. */
function controlRequest(fields: ReadonlyMap<string, readonly string[]>) {
  const one = fc.constantFrom(...fields.keys()).map((path) => `objects/${path}`);
  const patches = [...fields].map(([path, names]) =>
    to("PATCH", fc.constant(`objects/${path}`), asText(patchOf(names))),
  );
  return fc
    .oneof(
      { weight: 12, arbitrary: fc.oneof(...patches) },
      { weight: 2, arbitrary: to("POST", fc.constant("clock"), asText(clockChange)) },
      { weight: 2, arbitrary: to("POST", fc.constant("faults"), asText(fc.oneof(plan, fc.array(plan)))) },
      {
        weight: 1,
        arbitrary: to(
          "POST",
          one.map((path) => `${path}/power-off`),
          fc.constant(""),
        ),
      },
      { weight: 1, arbitrary: to("DELETE", one, fc.constant("")) },
      {
        weight: 2,
        arbitrary: fc.record({
          method: fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
          path: fc.oneof(one, anyPath),
          body: fc.oneof(
            fc.constant(""),
            fc.json({ stringUnit: anyCharacter }),
            fc.string({ unit: anyCharacter }),
          ),
        }),
      },
    )
    .map(({ path, ...rest }) => ({ ...rest, path: `/_emulator/${path}` }));
}

/** The path of an operation on the existing objects. */
function pathOf({ path }: OperationSpec, objects: readonly string[]): string {
  const idOf = (kind: string) =>
    objects.find((object) => object.startsWith(`${kind}/`))?.slice(kind.length + 1) ?? "";
  const isDatabase = path.startsWith("/databases/");
  const named: Record<string, string> = {
    nodeId: idOf("nodes"),
    instanceId: idOf(path.includes("/mysql/") ? "mysql" : "postgresql"),
    backupId: idOf(isDatabase ? "databaseBackups" : "nodeBackups"),
    domainId: idOf("domains"),
    recordId: idOf("records"),
    imageId: idOf("images"),
    regionId: "us-east",
    engineId: "mysql/8.0.30",
  };
  return `/v4${path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? "")}`;
}

test("no request to the control API makes it or the API fail, and a reset restores the start", async () => {
  const statuses = new Set<number>();
  const objects = await createOfEachKind();
  const fields = new Map<string, readonly string[]>();
  for (const path of objects) {
    fields.set(path, Object.keys((await emulator.control("GET", `/objects/${path}`)).body));
  }
  /** Sends a request. Only a planned fault may make it fail. */
  const check = async (request: RawRequest) => {
    const { body } = await emulator.control<{ faults: unknown[] }>("GET", "/faults");
    if (body.faults.length > 0 && request.path.startsWith("/v4/")) {
      await send(request).catch(() => undefined);
      return;
    }
    const { status, text } = await send(request);
    statuses.add(status);
    if (status >= 500) throw new Error(`${JSON.stringify(request)} answers ${status}: ${text}`);
  };
  const headers = { authorization: "Bearer emulator-token" };
  const operation = (spec: OperationSpec) => ({
    ...{ method: spec.method, path: pathOf(spec, objects), headers },
    body: spec.body ? '{"label": "changed", "type": "g6-nanode-1", "domain": "example.net"}' : "",
  });
  const reads = specs.filter(({ method }) => method === "GET");
  const writes = fc.array(fc.constantFrom(...specs.filter(({ method }) => method !== "GET")), {
    maxLength: 5,
  });
  const requests = fc.array(controlRequest(fields), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(requests, writes, async (asked, written) => {
      await emulator.control("POST", "/reset");
      expect(await createOfEachKind()).toEqual(objects);
      for (const request of asked) await check(request);
      for (const spec of [...reads, ...written, ...reads]) await check(operation(spec));
      await emulator.control("POST", "/reset");
      expect((await emulator.call("POST", "/domains", { body: example })).body).toMatchObject({ id: 1 });
    }),
    { numRuns: cases(40), seed: 4 },
  );
  for (const status of [200, 400, 404]) expect(statuses).toContain(status);
});
