import { type TestEmulator, startTestEmulator } from "../helpers/emulator";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };

function create(body: object = example) {
  return emulator.call<{ id: number }>("POST", "/domains", { body });
}

function addRecord(domain: number, body: object) {
  return emulator.call<{ id: number; ttl_sec: number }>("POST", `/domains/${domain}/records`, { body });
}

test("the answer has every field of a domain, with empty values for omitted ones", async () => {
  const { body } = await create();
  expect(body).toEqual({
    id: body.id,
    ...example,
    status: "active",
    description: null,
    group: null,
    master_ips: [],
    axfr_ips: [],
    expire_sec: 0,
    refresh_sec: 0,
    retry_sec: 0,
    ttl_sec: 0,
    tags: [],
  });
});

test("a domain is unique on the platform", async () => {
  await create();
  const { body: other } = await create({ ...example, domain: "example.net" });
  const taken = { status: 400, body: { errors: [{ field: "domain" }] } };
  expect(await create({ ...example, domain: "EXAMPLE.org" })).toMatchObject(taken);
  const renamed = await emulator.call("PUT", `/domains/${other.id}`, { body: { domain: "example.org" } });
  expect(renamed).toMatchObject(taken);
});

test("a master requires an e-mail address, and a slave the masters' addresses", async () => {
  expect((await create({ domain: "a.org", type: "master" })).body).toMatchObject({
    errors: [{ field: "soa_email" }],
  });
  expect((await create({ domain: "a.org", type: "slave" })).body).toMatchObject({
    errors: [{ field: "master_ips" }],
  });
  expect((await create({ domain: "a.org", type: "slave", master_ips: ["192.0.2.1"] })).status).toBe(200);
});

test("an update keeps omitted fields and clears null fields", async () => {
  const { body } = await create({ ...example, description: "old", tags: ["web"] });
  const updated = await emulator.call("PUT", `/domains/${body.id}`, { body: { description: null } });
  expect(updated.body).toMatchObject({ description: null, tags: ["web"], soa_email: "dns@example.org" });
});

test("the deletion of a domain deletes its records", async () => {
  const { body } = await create();
  const record = await addRecord(body.id, { type: "A", name: "www", target: "192.0.2.1" });
  expect((await emulator.call("DELETE", `/domains/${body.id}`)).body).toEqual({});
  expect((await emulator.call("GET", `/domains/${body.id}`)).status).toBe(404);
  expect((await emulator.control("GET", `/objects/records/${record.body.id}`)).status).toBe(404);
});

test("a clone has its own name, and copies of the records with new ids", async () => {
  const { body } = await create({ ...example, tags: ["web"] });
  const record = await addRecord(body.id, { type: "A", name: "www", target: "192.0.2.1" });
  const clone = await emulator.call<{ id: number }>("POST", `/domains/${body.id}/clone`, {
    body: { domain: "example.net" },
  });
  expect(clone.body).toMatchObject({ domain: "example.net", tags: ["web"] });
  const { body: page } = await emulator.call<{ data: { id: number; name: string }[] }>(
    "GET",
    `/domains/${clone.body.id}/records`,
  );
  expect(page.data).toEqual([expect.objectContaining({ name: "www" })]);
  expect(page.data[0]?.id).not.toBe(record.body.id);
});

test("the zone file has the SOA, the nameservers and each record, and is empty for a disabled domain", async () => {
  const { body } = await create({ ...example, ttl_sec: 300 });
  await addRecord(body.id, { type: "MX", target: "mail.example.org", priority: 10 });
  await addRecord(body.id, { type: "TXT", name: "note", target: 'say "hi"', ttl_sec: 3600 });
  await addRecord(body.id, {
    type: "SRV",
    service: "sip",
    protocol: "tcp",
    priority: 1,
    weight: 2,
    port: 5060,
    target: "sip.example.org.",
  });
  const zone = () => emulator.call<{ zone_file: string[] }>("GET", `/domains/${body.id}/zone-file`);
  expect((await zone()).body.zone_file).toEqual([
    `; example.org [${body.id}]`,
    "$ORIGIN example.org.",
    "$TTL 300",
    `@ IN SOA ns1.nodecloud.example. dns.example.org. ${body.id} 14400 14400 1209600 300`,
    "@ IN NS ns1.nodecloud.example.",
    "@ IN NS ns2.nodecloud.example.",
    "@ IN MX 10 mail.example.org.",
    'note 3600 IN TXT "say \\"hi\\""',
    "_sip._tcp IN SRV 1 2 5060 sip.example.org.",
  ]);
  await emulator.call("PUT", `/domains/${body.id}`, { body: { status: "disabled" } });
  expect((await zone()).body.zone_file).toEqual([]);
});

describe("records", () => {
  let domain: number;
  beforeEach(async () => {
    domain = (await create()).body.id;
  });

  test.each([
    [0, 300],
    [1, 300],
    [300, 300],
    [2000, 3600],
    [1900, 300],
    [86_401, 86_400],
    [9_999_999, 2_419_200],
  ])("a ttl_sec of %d is stored as %d", async (sent, kept) => {
    const { body } = await addRecord(domain, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: sent });
    expect(body.ttl_sec).toBe(kept);
  });

  test.each([
    [{ type: "SRV" }, ["priority", "weight", "port"]],
    [{ type: "CAA", target: "ca.example" }, ["tag"]],
    [{ type: "A", priority: 1, weight: 1, port: 1, tag: "issue" }, ["priority", "weight", "port", "tag"]],
    [{ type: "MX", target: "m.example.org", weight: 1 }, ["weight"]],
    [{ type: "A", target: "192.0.2.1." }, ["target"]],
  ])("the record %j is refused because %j is missing or invalid for its type", async (body, fields) => {
    const answer = await addRecord(domain, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ errors: fields.map((field) => ({ field, reason: expect.any(String) })) });
  });

  test("an update ignores the type, and is checked against the record's own type", async () => {
    const { body } = await addRecord(domain, { type: "A", name: "www", target: "192.0.2.1" });
    const path = `/domains/${domain}/records/${body.id}`;
    const updated = await emulator.call("PUT", path, {
      body: { type: "TXT", target: "192.0.2.2", ttl_sec: 400 },
    });
    expect(updated.body).toMatchObject({ type: "A", target: "192.0.2.2", ttl_sec: 300, name: "www" });
    expect((await emulator.call("PUT", path, { body: { port: 1 } })).status).toBe(400);
  });

  test("a record is found only under its own domain", async () => {
    const { body: other } = await create({ ...example, domain: "example.net" });
    const { body } = await addRecord(domain, { type: "A", name: "www", target: "192.0.2.1" });
    expect((await emulator.call("GET", `/domains/${other.id}/records/${body.id}`)).status).toBe(404);
    expect((await emulator.call("DELETE", `/domains/${domain}/records/${body.id}`)).body).toEqual({});
    expect((await emulator.call("GET", `/domains/${domain}/records/${body.id}`)).status).toBe(404);
  });
});
