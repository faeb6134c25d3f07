import { once } from "node:events";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { connect } from "node:net";
import {
  type DecodedPacket,
  type OptAnswer,
  type Packet,
  RECURSION_DESIRED,
  decode,
  encode,
  streamDecode,
  streamEncode,
} from "dns-packet";
import { type TestEmulator, startTestEmulator } from "../helpers/emulator";

let emulator: TestEmulator;
let resolver: Resolver;
let port: number;
beforeEach(async () => {
  emulator = await startTestEmulator({ dns: 0 });
  resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([emulator.dns ?? ""]);
  port = Number(emulator.dns?.split(":")[1]);
});
afterEach(() => emulator.stop());

async function createDomain(domain = "example.org", rest: object = {}): Promise<string> {
  const body = { domain, type: "master", soa_email: "dns.admin@example.org", ...rest };
  return `/domains/${(await emulator.call<{ id: number }>("POST", "/domains", { body })).body.id}`;
}

async function addRecords(domain: string, ...records: readonly object[]): Promise<void> {
  for (const body of records) {
    const { status } = await emulator.call("POST", `${domain}/records`, { body });
    expect(status).toBe(200);
  }
}

const a = (name: string, target = "192.0.2.1") => ({ type: "A", name, target });

/** Sends a message by UDP and decodes the answer. */
async function send(message: Buffer): Promise<DecodedPacket & { rcode: string }> {
  const socket = createSocket("udp4");
  socket.send(message, port, "127.0.0.1");
  const [answer] = await once(socket, "message");
  socket.close();
  return decode(answer as Buffer) as DecodedPacket & { rcode: string };
}

const ask = (name: string, type: string, rest: Partial<Packet> = {}) =>
  send(
    encode({
      ...{ type: "query", id: 7, flags: RECURSION_DESIRED, ...rest },
      questions: [{ name, type: type as "A", class: "IN" }],
    }),
  );

test("answers questions for every type of records, as resolvers ask them", async () => {
  const domain = await createDomain();
  await addRecords(
    domain,
    a("@", "192.0.2.7"),
    a("www", "192.0.2.1"),
    a("www", "192.0.2.2"),
    { type: "AAAA", name: "www", target: "2001:db8::1" },
    { type: "AAAA", name: "mapped", target: "::ffff:192.0.2.1" },
    { type: "AAAA", name: "full", target: "2001:db8:1:2:3:4:5:6" },
    { type: "CNAME", name: "alias", target: "www.example.org." },
    { type: "MX", name: "@", target: "mail.example.org", priority: 5 },
    { type: "TXT", name: "@", target: "v=spf1 -all" },
    { type: "TXT", name: "long", target: "x".repeat(300) },
    {
      type: "SRV",
      name: "@",
      service: "sip",
      protocol: "tcp",
      target: "pbx.example.org",
      priority: 1,
      weight: 2,
      port: 5060,
    },
    { type: "CAA", name: "@", target: "ca.example.net", tag: "issue" },
    { type: "NS", name: "part", target: "ns.example.net" },
    { type: "PTR", name: "1", target: "www.example.org" },
  );
  const servers = ["ns1.nodecloud.example", "ns2.nodecloud.example"];
  expect(await resolver.resolve4("example.org")).toEqual(["192.0.2.7"]);
  expect((await resolver.resolve4("WWW.example.org")).sort()).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(await resolver.resolve6("www.example.org")).toEqual(["2001:db8::1"]);
  expect(await resolver.resolve6("mapped.example.org")).toEqual(["::ffff:192.0.2.1"]);
  expect(await resolver.resolve6("full.example.org")).toEqual(["2001:db8:1:2:3:4:5:6"]);
  expect(await resolver.resolveCname("alias.example.org")).toEqual(["www.example.org"]);
  expect((await resolver.resolve4("alias.example.org")).sort()).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(await resolver.resolveMx("example.org")).toMatchObject([
    { exchange: "mail.example.org", priority: 5 },
  ]);
  expect(await resolver.resolveTxt("example.org")).toEqual([["v=spf1 -all"]]);
  expect(await resolver.resolveTxt("long.example.org")).toEqual([["x".repeat(255), "x".repeat(45)]]);
  expect(await resolver.resolveSrv("_sip._tcp.example.org")).toMatchObject([
    { name: "pbx.example.org", port: 5060, priority: 1, weight: 2 },
  ]);
  expect(await resolver.resolveCaa("example.org")).toMatchObject([{ critical: 0, issue: "ca.example.net" }]);
  expect((await resolver.resolveNs("example.org")).sort()).toEqual(servers);
  expect(await resolver.resolveNs("part.example.org")).toEqual(["ns.example.net"]);
  expect(await resolver.resolvePtr("1.example.org")).toEqual(["www.example.org"]);
  expect(await resolver.resolveSoa("example.org")).toMatchObject({
    ...{ nsname: servers[0], hostmaster: String.raw`dns\.admin.example.org` },
    ...{ refresh: 14_400, retry: 14_400, expire: 1_209_600, minttl: 86_400 },
  });
});

test("has the times to live of the zone file", async () => {
  const domain = await createDomain("example.org", { ttl_sec: 3600 });
  await addRecords(domain, a("own"), { ...a("other"), ttl_sec: 300 });
  expect(await resolver.resolve4("own.example.org", { ttl: true })).toMatchObject([
    { address: "192.0.2.1", ttl: 3600 },
  ]);
  expect(await resolver.resolve4("other.example.org", { ttl: true })).toMatchObject([
    { address: "192.0.2.1", ttl: 300 },
  ]);
});

test("tells a name that does not exist from one without the type, both with the SOA", async () => {
  const domain = await createDomain();
  await addRecords(domain, a("deep.www"));
  const soa = [{ type: "SOA", name: "example.org", ttl: 86_400 }];
  for (const [name, rcode] of [
    ["none.example.org", "NXDOMAIN"],
    ["deep.www.example.org", "NOERROR"],
    // It exists, because a longer name does.
    ["www.example.org", "NOERROR"],
  ] as const) {
    expect(await ask(name, "TXT")).toMatchObject({
      rcode,
      flag_aa: true,
      flag_rd: true,
      answers: [],
      authorities: soa,
    });
  }
});

test("a wildcard stands for names that do not exist, at any depth, and not below names that do", async () => {
  const domain = await createDomain();
  await addRecords(domain, a("*", "192.0.2.9"), a("www"), {
    type: "CNAME",
    name: "*.old",
    target: "www.example.org",
  });
  expect(await resolver.resolve4("any.example.org")).toEqual(["192.0.2.9"]);
  expect(await resolver.resolve4("a.b.example.org")).toEqual(["192.0.2.9"]);
  expect(await resolver.resolve4("x.old.example.org")).toEqual(["192.0.2.1"]);
  expect(await ask("a.www.example.org", "A")).toMatchObject({ rcode: "NXDOMAIN" });
  expect(await ask("any.example.org", "TXT")).toMatchObject({ rcode: "NOERROR", answers: [] });
});

test("an alias to another zone is answered alone, and a loop of aliases ends", async () => {
  const domain = await createDomain();
  const alias = (name: string, target: string) => ({ type: "CNAME", name, target });
  await addRecords(
    domain,
    alias("away", "www.example.net"),
    alias("one", "two.example.org"),
    alias("two", "one.example.org"),
  );
  expect((await ask("away.example.org", "A")).answers).toMatchObject([
    { type: "CNAME", data: "www.example.net" },
  ]);
  expect(await ask("one.example.org", "A")).toMatchObject({ rcode: "NOERROR" });
});

test("a name below a delegated part is referred to its nameservers", async () => {
  const domain = await createDomain();
  await addRecords(domain, { type: "NS", name: "part", target: "ns.example.net" });
  expect(await ask("www.part.example.org", "A")).toMatchObject({
    ...{ rcode: "NOERROR", flag_aa: false, answers: [] },
    authorities: [{ type: "NS", name: "part.example.org", data: "ns.example.net" }],
  });
});

test("refuses other names, and domains that have no zone", async () => {
  await createDomain("off.example.org", { status: "disabled" });
  await createDomain("slave.example.org", { type: "slave", master_ips: ["192.0.2.1"] });
  for (const name of ["example.net", "org", "", "off.example.org", "slave.example.org"]) {
    expect(await ask(name, "A")).toMatchObject({ rcode: "REFUSED", answers: [], authorities: [] });
  }
});

test("the longest zone answers, and a changed one answers with its changes", async () => {
  await addRecords(await createDomain(), a("www.sub"));
  expect(await resolver.resolve4("www.sub.example.org")).toEqual(["192.0.2.1"]);
  const inner = await createDomain("sub.example.org");
  expect(await ask("www.sub.example.org", "A")).toMatchObject({ rcode: "NXDOMAIN" });
  await addRecords(inner, a("www", "192.0.2.2"));
  expect(await resolver.resolve4("www.sub.example.org")).toEqual(["192.0.2.2"]);
  await emulator.call("DELETE", inner);
  expect(await resolver.resolve4("www.sub.example.org")).toEqual(["192.0.2.1"]);
});

test("answers from the rendered zone", async () => {
  await emulator.control("POST", "/zones", { delaySeconds: 60 });
  await addRecords(await createDomain(), a("www"));
  expect(await ask("www.example.org", "A")).toMatchObject({ rcode: "REFUSED" });
  await emulator.control("POST", "/clock", { advance: 60 });
  expect(await resolver.resolve4("www.example.org")).toEqual(["192.0.2.1"]);
});

test("an answer too long for UDP is truncated, and complete with EDNS or over TCP", async () => {
  const domain = await createDomain();
  await addRecords(domain, ...Array.from({ length: 60 }, (_, index) => a("many", `192.0.2.${index}`)));
  expect(await ask("many.example.org", "A")).toMatchObject({ flag_tc: true, answers: [] });
  const edns: OptAnswer = {
    ...{ type: "OPT", name: ".", udpPayloadSize: 4096, extendedRcode: 0, ednsVersion: 0 },
    ...{ flags: 0, flag_do: false, options: [] },
  };
  const whole = await ask("many.example.org", "A", { additionals: [edns] });
  expect([whole.flag_tc, whole.answers?.length, whole.additionals?.length]).toEqual([false, 60, 1]);
  // The resolver asks again over TCP.
  await addRecords(domain, ...Array.from({ length: 240 }, (_, index) => a("many", `198.51.100.${index}`)));
  expect(await resolver.resolve4("many.example.org")).toHaveLength(300);
});

test("refuses other operations and broken messages, and ignores answers", async () => {
  const query = encode({ type: "query", id: 7, questions: [{ name: "example.org", type: "A" }] });
  const update = Buffer.from(query);
  update.writeUInt8(5 << 3, 2);
  expect(await send(update)).toMatchObject({ id: 7, rcode: "NOTIMP" });
  expect(await send(query.subarray(0, 20))).toMatchObject({ id: 7, rcode: "FORMERR" });
  const chaos = Buffer.from(query);
  chaos.writeUInt16BE(3, chaos.length - 2);
  expect(await send(chaos)).toMatchObject({ id: 7, rcode: "REFUSED" });
  const socket = createSocket("udp4");
  const response = encode({ type: "response", id: 1, questions: [{ name: "example.org", type: "A" }] });
  for (const message of [response, Buffer.alloc(3), query]) socket.send(message, port, "127.0.0.1");
  const [first] = await once(socket, "message");
  expect(decode(first as Buffer).id).toBe(7);
  socket.close();
});

test("answers several questions of a connection, in parts and together", async () => {
  await addRecords(await createDomain(), a("www"));
  const question = (id: number) =>
    streamEncode({ type: "query", id, questions: [{ name: "www.example.org", type: "A" }] });
  const bytes = Buffer.concat([question(1), question(2)]);
  const socket = connect(port, "127.0.0.1");
  let received = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
  socket.write(bytes.subarray(0, 1));
  await once(socket, "connect");
  socket.write(bytes.subarray(1));
  const length =
    2 * (2 + encode({ type: "response", questions: [{ name: "www.example.org", type: "A" }] }).length + 16);
  while (received.length < length) await once(socket, "data");
  const half = received.length / 2;
  expect([streamDecode(received.subarray(0, half)).id, streamDecode(received.subarray(half)).id]).toEqual([
    1, 2,
  ]);
  socket.destroy();
});

test("transfers a zone, which another emulator can import", async () => {
  const domain = await createDomain();
  await addRecords(domain, ...Array.from({ length: 120 }, (_, index) => a(`n${index}`, `192.0.2.${index}`)));
  const other = await startTestEmulator();
  const body = { domain: "example.org", remote_nameserver: emulator.dns };
  const imported = await other.call("POST", "/domains/import", { body });
  expect(imported).toMatchObject({ status: 200, body: { soa_email: "dns.admin@example.org" } });
  const records = `/domains/${String(imported.body["id"])}/records`;
  expect((await other.call("GET", records)).body["results"]).toBe(120);
  const missing = await other.call("POST", "/domains/import", { body: { ...body, domain: "example.net" } });
  expect(JSON.stringify(missing.body)).toContain("REFUSED");
  await other.stop();
});
