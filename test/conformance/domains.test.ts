import { type TestEmulator, startTestEmulator } from "../helpers/emulator";

let emulator: TestEmulator;
let domain: string;

const create = (body: object) => emulator.call<{ id: number }>("POST", "/domains", { body });
const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
const refusal = (...fields: string[]) => ({
  status: 400,
  body: { errors: fields.map((field) => ({ field, reason: expect.any(String) })) },
});

beforeEach(async () => {
  emulator = await startTestEmulator();
  domain = `/domains/${(await create(example)).body.id}`;
});
afterEach(() => emulator.stop());

const add = (body: object) => emulator.call<{ id: number }>("POST", `${domain}/records`, { body });

test("status is active by default, and the client can set it through create and update", async () => {
  expect((await emulator.call("GET", domain)).body).toMatchObject({ status: "active" });
  const update = { body: { status: "disabled" } };
  expect((await emulator.call("PUT", domain, update)).body).toMatchObject({ status: "disabled" });
  const disabled = { ...example, domain: "off.example", status: "disabled" };
  expect((await create(disabled)).body).toMatchObject({ status: "disabled" });
});

test("status controls whether the domain is rendered", async () => {
  const zone = async () =>
    (await emulator.call<{ zone_file: string[] }>("GET", `${domain}/zone-file`)).body.zone_file;
  expect((await zone()).length).toBeGreaterThan(0);
  await emulator.call("PUT", domain, { body: { status: "disabled" } });
  expect(await zone()).toEqual([]);
});

test.each(["example.org", "EXAMPLE.ORG", "example.org."])(
  "a domain is unique across the platform: create, clone and update refuse %s",
  async (name) => {
    const other = (await create({ ...example, domain: "other.example" })).body.id;
    expect(await create({ ...example, domain: name })).toMatchObject(refusal("domain"));
    const body = { domain: name };
    expect(await emulator.call("POST", `/domains/${other}/clone`, { body })).toMatchObject(refusal("domain"));
    expect(await emulator.call("PUT", `/domains/${other}`, { body })).toMatchObject(refusal("domain"));
    expect((await emulator.call("PUT", domain, { body })).status).toBe(200);
  },
);

test("each field of create can be updated", async () => {
  const body = {
    ...{ domain: "renamed.example", type: "slave", soa_email: "other@example.org", description: "text" },
    ...{ refresh_sec: 1, retry_sec: 2, expire_sec: 3, ttl_sec: 4, status: "disabled", group: "one" },
    ...{ master_ips: ["192.0.2.1"], axfr_ips: ["192.0.2.2"], tags: ["web"] },
  };
  expect((await emulator.call("PUT", domain, { body })).body).toMatchObject(body);
  expect((await emulator.call("GET", domain)).body).toMatchObject(body);
  const created = { ...body, domain: "created.example" };
  expect((await create(created)).body).toMatchObject(created);
});

describe("a record's", () => {
  test.each(["NS", "MX", "CNAME", "TXT", "PTR"])(
    "target of type %s accepts a trailing period",
    async (type) => {
      expect((await add({ type, name: type, target: "mail.example.org." })).body).toMatchObject({
        target: "mail.example.org.",
      });
    },
  );

  test("target of type SRV accepts a trailing period", async () => {
    const srv = { type: "SRV", priority: 1, weight: 1, port: 1, target: "sip.example.org." };
    expect((await add(srv)).status).toBe(200);
  });

  test.each([
    ["A", "192.0.2.1", {}],
    ["AAAA", "2001:db8::1", {}],
    ["CAA", "ca.example", { tag: "issue" }],
  ])("target of type %s accepts no trailing period, at creation or update", async (type, target, more) => {
    expect(await add({ type, target: `${target}.`, ...more })).toMatchObject(refusal("target"));
    const { status, body } = await add({ type, target, ...more });
    expect(status).toBe(200);
    const update = { body: { target: `${target}.` } };
    expect(await emulator.call("PUT", `${domain}/records/${body.id}`, update)).toMatchObject(
      refusal("target"),
    );
  });

  const VALID: readonly (readonly [string, unknown, readonly string[], readonly string[]])[] = [
    ["priority", 1, ["MX", "SRV"], ["SRV"]],
    ["weight", 1, ["SRV"], ["SRV"]],
    ["port", 1, ["SRV"], ["SRV"]],
    ["tag", "issue", ["CAA"], ["CAA"]],
  ];
  const needed = (type: string) =>
    Object.fromEntries(
      VALID.filter(([, , , types]) => types.includes(type)).map(([field, value]) => [field, value]),
    );
  const TYPES = ["A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR", "CAA"];

  test.each(VALID)("%s (%j) is valid only for %j, at creation and update", async (field, value, valid) => {
    for (const type of TYPES) {
      const expected = valid.includes(type) ? { status: 200 } : refusal(field);
      expect(await add({ type, ...needed(type), [field]: value })).toMatchObject(expected);
      const { body } = await add({ type, ...needed(type) });
      const update = { body: { [field]: value } };
      expect(await emulator.call("PUT", `${domain}/records/${body.id}`, update)).toMatchObject(expected);
    }
  });

  test.each(VALID)("%s (%j, valid for %j) is required only for %j", async (field, _, __, required) => {
    for (const type of TYPES) {
      expect(await add({ type, ...needed(type), [field]: undefined })).toMatchObject(
        required.includes(type) ? refusal(field) : { status: 200 },
      );
    }
  });

  test("service and protocol exist for an SRV record, and are null otherwise", async () => {
    const srv = { type: "SRV", priority: 1, weight: 1, port: 1 };
    expect((await add(srv)).body).toMatchObject({ service: null, protocol: null });
    const named = await add({ ...srv, service: "sip", protocol: "tcp" });
    expect(named.body).toMatchObject({ service: "sip", protocol: "tcp" });
    const path = `${domain}/records/${named.body.id}`;
    const cleared = await emulator.call("PUT", path, { body: { service: null, protocol: null } });
    expect(cleared.body).toMatchObject({ service: null, protocol: null });
  });

  test.each([300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200])(
    "ttl_sec %d is valid, and adjacent values are rounded to it, at creation and update",
    async (ttl_sec) => {
      for (const sent of [ttl_sec - 1, ttl_sec, ttl_sec + 1]) {
        const { body } = await add({ type: "TXT", ttl_sec: sent });
        expect(body).toMatchObject({ ttl_sec });
        const path = `${domain}/records/${body.id}`;
        await emulator.call("PUT", path, { body: { ttl_sec: 300 } });
        expect((await emulator.call("PUT", path, { body: { ttl_sec: sent } })).body).toMatchObject({
          ttl_sec,
        });
      }
    },
  );

  test("update accepts every field except type, and moves updated", async () => {
    const { body } = await add({ type: "MX", name: "a", target: "a.example.org" });
    const path = `${domain}/records/${body.id}`;
    emulator.clock.advance(60);
    const update = { name: "b", target: "b.example.org", priority: 5, ttl_sec: 300 };
    const updated = await emulator.call("PUT", path, { body: { ...update, type: "TXT" } });
    expect(updated.body).toEqual({ ...body, ...update, updated: emulator.clock.date() });
  });
});
