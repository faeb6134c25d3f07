import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, AUTHORITATIVE_ANSWER, TRUNCATED_RESPONSE } from "dns-packet";
import { transferZone } from "../../src/emulator/zones/axfr";
import { parseName } from "../../src/emulator/zones/dns-names";
import { findTool } from "../helpers/debian-tools";
import { type TestEmulator, startTestEmulator } from "../helpers/emulator";
import {
  type HandmadeRecord,
  type NameServer,
  type Question,
  TYPE,
  a,
  answer,
  handmadeAnswer,
  pointer,
  soa,
  startNameServer,
  wireName,
} from "../helpers/name-server";

const ZONE = "example.org";

let emulator: TestEmulator;
let nameServer: NameServer | undefined;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(async () => {
  await nameServer?.stop();
  nameServer = undefined;
  await emulator.stop();
});

async function serve(onQuestion: (question: Question, socket: Socket) => void): Promise<string> {
  nameServer = await startNameServer(onQuestion);
  return nameServer.address;
}

/** Starts a name server that answers with these records and closes the connection. */
function serveRecords(...messages: Answer[][]): Promise<string> {
  return serve((question, socket) => {
    socket.end(Buffer.concat(messages.map((records) => answer(question, records))));
  });
}

interface Imported {
  id: number;
  errors?: { field: string; reason: string }[];
}

async function importFrom(remote_nameserver: string, domain = ZONE) {
  const { status, body } = await emulator.call<Imported>("POST", "/domains/import", {
    body: { domain, remote_nameserver },
  });
  return { status, body };
}

async function recordsOf(domain: number) {
  const { body } = await emulator.call<{ data: Record<string, unknown>[] }>(
    "GET",
    `/domains/${domain}/records?page_size=500`,
  );
  return body.data;
}

/** Expects that an import fails for this reason and creates nothing. */
async function expectRefused(remote_nameserver: string, reason: RegExp): Promise<void> {
  expect(await importFrom(remote_nameserver)).toEqual({
    status: 400,
    body: { errors: [{ field: "remote_nameserver", reason: expect.stringMatching(reason) }] },
  });
  expect((await emulator.call("GET", "/domains")).body).toMatchObject({ results: 0 });
  expect((await emulator.control("GET", "/objects/records")).body).toEqual({ data: [] });
}

const www = a(`www.${ZONE}`);

describe("an import takes over the whole zone", () => {
  test("with the supported record types, relative names, and no other types", async () => {
    const ttl = 2000;
    const address = await serveRecords([
      soa(ZONE),
      { type: "NS", name: ZONE, ttl, data: "ns1.old.example" },
      { type: "NS", name: ZONE, ttl, data: "NS1.nodecloud.example" },
      { type: "A", name: "WWW.Example.org", ttl, data: "192.0.2.7" },
      { type: "AAAA", name: `www.${ZONE}`, ttl, data: "2001:db8::7" },
      { type: "MX", name: ZONE, ttl, data: { preference: 10, exchange: `mail.${ZONE}` } },
      { type: "CNAME", name: `*.dev.${ZONE}`, ttl, data: `www.${ZONE}` },
      { type: "TXT", name: `note.${ZONE}`, ttl, data: ['say "', 'hi"'] },
      {
        ...{ type: "SRV", name: `_sip._tcp.pbx.${ZONE}`, ttl },
        data: { priority: 1, weight: 2, port: 5060, target: `sip.${ZONE}` },
      },
      { type: "PTR", name: `7.${ZONE}`, ttl, data: `host.${ZONE}` },
      { type: "CAA", name: ZONE, ttl, data: { tag: "issue", value: "ca.example" } },
      { type: "DNSKEY", name: ZONE, ttl, data: { flags: 257, algorithm: 13, key: Buffer.alloc(64) } },
      { type: "TXT", name: `chaos.${ZONE}`, class: "CH", ttl, data: "no" },
      soa(ZONE),
    ]);
    const { status, body } = await importFrom(address);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      domain: ZONE,
      type: "master",
      status: "active",
      soa_email: `dns@${ZONE}`,
      refresh_sec: 7200,
      retry_sec: 900,
      expire_sec: 1_209_600,
      ttl_sec: 3600,
    });
    const shown = (await recordsOf(body.id)).map(
      ({ id: _id, created: _c, updated: _u, ...record }) => record,
    );
    const plain = {
      name: "",
      priority: 0,
      weight: 0,
      port: 0,
      service: null,
      protocol: null,
      tag: null,
      ttl_sec: 3600,
    };
    expect(shown).toEqual([
      { ...plain, type: "NS", target: "ns1.old.example" },
      { ...plain, type: "A", name: "WWW", target: "192.0.2.7" },
      { ...plain, type: "AAAA", name: "www", target: "2001:db8::7" },
      { ...plain, type: "MX", priority: 10, target: `mail.${ZONE}` },
      { ...plain, type: "CNAME", name: "*.dev", target: `www.${ZONE}` },
      { ...plain, type: "TXT", name: "note", target: 'say "hi"' },
      {
        ...plain,
        type: "SRV",
        ...{ name: "pbx", service: "sip", protocol: "tcp" },
        ...{ priority: 1, weight: 2, port: 5060, target: `sip.${ZONE}` },
      },
      { ...plain, type: "PTR", name: "7", target: `host.${ZONE}` },
      { ...plain, type: "CAA", tag: "issue", target: "ca.example" },
    ]);
    expect(nameServer?.questions[0]?.asked).toEqual({ type: "AXFR", name: ZONE, class: "IN" });
  });

  test("that arrives in several messages, in pieces of any size", async () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const address = await serve((question, socket) => {
      const bytes = Buffer.concat([
        answer(question, [soa(ZONE)]),
        ...names.map((name) => answer(question, [a(`${name}.${ZONE}`)])),
        answer(question, [soa(ZONE)]),
      ]);
      void (async () => {
        for (let at = 0; at < bytes.length; at += 997) {
          socket.write(bytes.subarray(at, at + 997));
          await sleep(0);
        }
        // The connection stays open, because the second SOA ends a transfer.
      })();
    });
    const { body } = await importFrom(address);
    expect((await recordsOf(body.id)).map(({ name }) => name)).toEqual(names);
  });

  test("with compressed names in owners and data", async () => {
    const alias = { owner: pointer(12, "www"), type: TYPE.cname, data: pointer(12, "web") };
    const address = await serve((question, socket) =>
      socket.end(handmadeAnswer(question, [soa(ZONE), alias, soa(ZONE)])),
    );
    const { body } = await importFrom(address);
    expect(await recordsOf(body.id)).toMatchObject([
      { type: "CNAME", name: "www", target: "web.example.org" },
    ]);
  });

  test("of up to 12,000 records, and refuses one more", async () => {
    const many = (count: number) =>
      Array.from({ length: count / 100 }, (_, page) =>
        Array.from({ length: 100 }, (_, index) => a(`n${page * 100 + index}.${ZONE}`)),
      );
    let isTooMany = true;
    const address = await serve((question, socket) => {
      const more = isTooMany ? [a(`one-more.${ZONE}`)] : [];
      const messages = [[soa(ZONE)], ...many(12_000), [...more, soa(ZONE)]];
      socket.end(Buffer.concat(messages.map((records) => answer(question, records))));
    });
    await expectRefused(address, /more than the 12000 records/);
    isTooMany = false;
    const { body } = await importFrom(address);
    const { body: page } = await emulator.call("GET", `/domains/${body.id}/records`);
    expect(page).toMatchObject({ results: 12_000 });
  });

  test("with a dot before the @ in its contact", async () => {
    const dotted = soa(ZONE, { contact: `first\\.last.${ZONE}` });
    const { body } = await importFrom(await serveRecords([dotted, dotted]));
    expect(body).toMatchObject({ soa_email: "first.last@example.org" });
    const { body: file } = await emulator.call("GET", `/domains/${body.id}/zone-file`);
    expect(JSON.stringify(file)).toContain("first\\\\.last.example.org.");
  });
});

describe("an import is refused and creates nothing if the nameserver", () => {
  test("is not a host name or address", async () => {
    await expectRefused("not a host", /is not a host name/);
    await expectRefused("127.0.0.1:70000", /is not a host name/);
  });

  test("cannot be resolved", () => expectRefused("ns1.nowhere.invalid", /cannot be resolved/));

  test("cannot be reached", async () => {
    const address = await serveRecords([]);
    await nameServer?.stop();
    await expectRefused(address, /cannot be reached \(ECONNREFUSED\)/);
  });

  test.each([
    [5, "REFUSED"],
    [9, "NOTAUTH"],
    [2, "SERVFAIL"],
  ])("answers with code %d, %s", async (code, name) => {
    const address = await serve((question, socket) =>
      socket.end(answer(question, [], AUTHORITATIVE_ANSWER | code)),
    );
    await expectRefused(address, new RegExp(`refuses the transfer of example.org: ${name}`));
  });

  test("closes the connection before the second SOA", async () => {
    await expectRefused(await serveRecords([soa(ZONE), www]), /complete transfer: the connection was closed/);
  });

  test("resets the connection", async () => {
    const address = await serve((question, socket) => {
      socket.write(answer(question, [soa(ZONE), www]));
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
    await expectRefused(address, /complete transfer: the connection broke \(ECONNRESET\)/);
  });

  test("changes the zone during the transfer", async () => {
    const address = await serveRecords([soa(ZONE), www, soa(ZONE, { serial: 2 })]);
    await expectRefused(address, /the zone changed/);
  });

  test("has a record that the API cannot store", async () => {
    const mx: Answer = { type: "MX", name: ZONE, data: { preference: 256, exchange: "mail.example" } };
    await expectRefused(await serveRecords([soa(ZONE), mx, soa(ZONE)]), /MX example\.org, priority/);
  });

  test("sends a record of another zone", async () => {
    const stray = a("www.example.net");
    await expectRefused(await serveRecords([soa(ZONE), stray, soa(ZONE)]), /another zone: www\.example\.net/);
  });

  /** A valid record, except for the given parts. */
  const handmade = (parts: Partial<HandmadeRecord>): HandmadeRecord => ({
    ...{ owner: wireName(`x.${ZONE}`), type: TYPE.a, data: Buffer.of(192, 0, 2, 1) },
    ...parts,
  });
  const around = (parts: Partial<HandmadeRecord>) => (question: Question) =>
    handmadeAnswer(question, [soa(ZONE), handmade(parts), soa(ZONE)]);
  const broken: [string, RegExp, (question: Question) => Buffer][] = [
    ["does not begin with the SOA", /does not begin/, (question) => answer(question, [www])],
    [
      "answers another question",
      /does not answer the question/,
      ({ id, asked }) => answer({ id: id ^ 1, asked }, [soa(ZONE)]),
    ],
    [
      "is truncated",
      /is truncated/,
      (question) => answer(question, [soa(ZONE)], AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE),
    ],
    ["is not a DNS message", /ends too early/, () => Buffer.from("\x00\x04HTTP")],
    [
      "has a name that points to itself",
      /does not point back/,
      // The first record begins after the header and the question, `example.org AXFR IN`.
      (question) => handmadeAnswer(question, [handmade({ owner: pointer(12 + 13 + 4) })]),
    ],
    [
      "has a name with too many pointers",
      /points back too often/,
      (question) => {
        // The data of the first record begins after its header, and is a chain of pointers.
        const first = 12 + 13 + 4 + wireName("x").length + 10;
        const chain = Array.from({ length: 200 }, (_, index) =>
          pointer(index ? first + 2 * (index - 1) : 12),
        );
        const holder = handmade({ owner: wireName("x"), type: 99, data: Buffer.concat(chain) });
        return handmadeAnswer(question, [holder, handmade({ owner: pointer(first + 2 * 199) })]);
      },
    ],
    ["has an address that is too short", /length of a record is wrong/, around({ data: Buffer.of(1) })],
    [
      "has a name that is longer than its data",
      /length of a record is wrong/,
      around({ type: TYPE.ns, data: wireName("ns").subarray(0, -1) }),
    ],
    ["has a name that is too long", /a name is too long/, around({ owner: wireName("label.".repeat(43)) })],
    ["has a label of an unknown type", /unknown type/, around({ owner: Buffer.of(0x80, 0) })],
  ];
  test.each(broken)("sends an answer that %s", async (_, reason, bytes) => {
    const address = await serve((question, socket) => socket.end(bytes(question)));
    await expectRefused(address, new RegExp(`malformed answer: .*${reason.source}`));
  });

  test("takes longer than the limit, or sends more", async () => {
    const zone = parseName(ZONE) ?? [];
    const address = await serve((question, socket) => socket.write(answer(question, [soa(ZONE), www])));
    const read = async (limits: { milliseconds: number; bytes: number }) => {
      for await (const record of transferZone(zone, address, limits)) expect(record.data).toBeDefined();
    };
    await expect(read({ milliseconds: 100, bytes: 10_000 })).rejects.toThrow("it took too long");
    await expect(read({ milliseconds: 10_000, bytes: 20 })).rejects.toThrow("sent more than 20 bytes");
  });
});

test("an import under a taken name sends no question to the nameserver", async () => {
  const address = await serveRecords([soa(ZONE), soa(ZONE)]);
  expect((await importFrom(address)).status).toBe(200);
  expect((await importFrom(address)).body.errors).toEqual([expect.objectContaining({ field: "domain" })]);
  expect(nameServer?.questions).toHaveLength(1);
});

test("one of two concurrent imports of a name is refused", async () => {
  const address = await serveRecords([soa(ZONE), soa(ZONE)]);
  const answers = await Promise.all([importFrom(address), importFrom(address)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

/** A zone as an administrator would write it. */
const ZONE_TEXT = `$ORIGIN example.org.
$TTL 3600
@ IN SOA ns1.old.example. host\\.master.example.org. 7 7200 900 1209600 300
@ IN NS ns1.old.example.
@ IN MX 10 mail
mail IN A 192.0.2.5
mail IN AAAA 2001:db8::5
_sip._tcp IN SRV 1 2 5060 mail
note IN TXT "one" " two \\"three\\""
@ IN CAA 0 issue "ca.example"
${Array.from({ length: 2000 }, (_, index) => `n${index} IN CNAME mail`).join("\n")}
`;

/** How to run each real name server: its files in a directory, and its command. */
const SERVERS: Record<string, (directory: string, port: number, transfer: boolean) => string[]> = {
  named(directory, port, transfer) {
    writeFileSync(
      join(directory, "named.conf"),
      `options { directory "${directory}"; pid-file none; session-keyfile none; listen-on port ${port} { 127.0.0.1; };
        listen-on-v6 { none; }; recursion no; dnssec-validation no; allow-transfer { ${transfer ? "any" : "none"}; }; };
       controls { };
       zone "example.org" { type primary; file "${join(directory, "zone")}"; };`,
    );
    return ["-g", "-c", join(directory, "named.conf")];
  },
  knotd(directory, port, transfer) {
    writeFileSync(
      join(directory, "knot.conf"),
      `server:
  rundir: "${directory}"
  listen: 127.0.0.1@${port}
database:
  storage: "${directory}"
${transfer ? "acl:\n  - id: all\n    address: 127.0.0.1\n    action: transfer\n" : ""}zone:
  - domain: example.org
    file: "${join(directory, "zone")}"
${transfer ? "    acl: all\n" : ""}`,
    );
    return ["-c", join(directory, "knot.conf")];
  },
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Repeats the import while the name server is starting. */
async function importOnceStarted(address: string) {
  for (let attempt = 0; ; attempt++) {
    const reply = await importFrom(address);
    const isStarting = /cannot be reached|SERVFAIL/.test(reply.body.errors?.[0]?.reason ?? "");
    if (!isStarting || attempt >= 100) return reply;
    await sleep(100);
  }
}

// Only the installed name servers have tests.
for (const [name, argumentsOf] of Object.entries(SERVERS)) {
  const command = findTool(name);
  if (command === undefined) continue;
  test.each([true, false])(`a zone is imported from ${name} if it allows transfers (%j)`, async (allowed) => {
    const directory = mkdtempSync(join(tmpdir(), "nameserver-"));
    writeFileSync(join(directory, "zone"), ZONE_TEXT);
    const port = await freePort();
    const server = spawn(command, argumentsOf(directory, port, allowed), { stdio: "ignore" });
    try {
      const { status, body } = await importOnceStarted(`127.0.0.1:${port}`);
      if (!allowed) {
        expect(body.errors).toEqual([
          { field: "remote_nameserver", reason: expect.stringMatching(/refuses.*: (REFUSED|NOTAUTH)/) },
        ]);
        return;
      }
      expect(status).toBe(200);
      expect(body).toMatchObject({ soa_email: "host.master@example.org", ttl_sec: 3600, retry_sec: 900 });
      const { body: page } = await emulator.call("GET", `/domains/${body.id}/records`);
      expect(page).toMatchObject({ results: 2007 });
      const { body: file } = await emulator.call<{ zone_file: string[] }>(
        "GET",
        `/domains/${body.id}/zone-file`,
      );
      expect(file.zone_file).toEqual(
        expect.arrayContaining([
          "_sip._tcp 3600 IN SRV 1 2 5060 mail.example.org.",
          'note 3600 IN TXT "one two \\"three\\""',
          "mail 3600 IN AAAA 2001:db8::5",
          "n1999 3600 IN CNAME mail.example.org.",
        ]),
      );
    } finally {
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true });
    }
  });
}

/** Commands that read a zone file and fail if it is invalid. */
const CHECKERS: Record<string, string[]> = {
  "named-checkzone": ["-i", "local", "-k", "ignore"],
  kzonecheck: ["-o"],
};

/** Records that a zone file must escape or cannot contain. */
const AWKWARD = [
  { type: "TXT", name: "long", target: 'ä;(\\)"\n'.repeat(200) },
  { type: "TXT", name: "empty" },
  { type: "TXT", name: "sp ace;semi", target: "x" },
  { type: "TXT", name: 'quo"te', target: "x" },
  { type: "A", name: "@", target: "192.0.2.1" },
  { type: "A", name: "*.wild", target: "192.0.2.1" },
  { type: "A", name: "no-address", target: "banana" },
  { type: "A", name: "www.example.org.", target: "192.0.2.1" },
  { type: "A", name: "elsewhere.example.net.", target: "192.0.2.1" },
  { type: "A", name: "two..dots", target: "192.0.2.1" },
  { type: "A", name: "x".repeat(64), target: "192.0.2.1" },
  { type: "AAAA", name: "six", target: "2001:db8::1" },
  { type: "AAAA", name: "four", target: "192.0.2.1" },
  { type: "CNAME", name: "alias", target: "www.example.org" },
  { type: "CNAME", name: "ALIAS", target: "other.example.org" },
  { type: "CNAME", name: "six", target: "www.example.org" },
  { type: "CNAME", target: "www.example.net" },
  { type: "CNAME", name: "nowhere" },
  { type: "MX", target: "mail.example.net." },
  { type: "MX", name: "null", target: "." },
  { type: "NS", name: "sub", target: "ns.example.net" },
  { type: "PTR", name: "ptr", target: "host.example.net" },
  {
    type: "SRV",
    service: "_sip",
    protocol: "_udp",
    priority: 0,
    weight: 0,
    port: 1,
    target: "s.example.net",
  },
  { type: "SRV", name: "bare", priority: 0, weight: 0, port: 1, target: "s.example.net" },
  { type: "CAA", tag: "issue", target: `ca.example; x="${"y".repeat(300)}"` },
  { type: "CAA", tag: "iodef", target: "mailto:dns@example.org" },
];

describe("a zone file", () => {
  let lines: string[];
  beforeEach(async () => {
    const { body } = await emulator.call<{ id: number }>("POST", "/domains", {
      body: {
        domain: ZONE,
        type: "master",
        soa_email: "first.last@example.org",
        expire_sec: -1,
        retry_sec: 2 ** 40,
      },
    });
    for (const record of AWKWARD) {
      expect((await emulator.call("POST", `/domains/${body.id}/records`, { body: record })).status).toBe(200);
    }
    const path = `/domains/${body.id}/zone-file`;
    lines = (await emulator.call<{ zone_file: string[] }>("GET", path)).body.zone_file;
  });

  test("escapes special characters, and names each record that cannot be served", () => {
    expect(lines.filter((line) => line.includes("is left out"))).toHaveLength(9);
    expect(lines).toEqual(
      expect.arrayContaining([
        'sp\\032ace\\;semi IN TXT "x"',
        'empty IN TXT ""',
        "@ IN A 192.0.2.1",
        "www IN A 192.0.2.1",
        "null IN MX 0 .",
        "_sip._udp IN SRV 0 0 1 s.example.net.",
      ]),
    );
    expect(lines[3]).toMatch(/ first\\\.last\.example\.org\. \d+ 14400 2147483647 1209600 86400$/);
    expect(lines.every((line) => /^[ -~]*$/.test(line))).toBe(true);
  });

  // As with the name servers, only the installed commands have tests.
  for (const [name, options] of Object.entries(CHECKERS)) {
    const command = findTool(name);
    if (command === undefined) continue;
    test(`is accepted by ${name}`, () => {
      const directory = mkdtempSync(join(tmpdir(), "zone-"));
      const file = join(directory, "example.org.zone");
      writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
      try {
        const { status, stdout } = spawnSync(command, [...options, ZONE, file], { encoding: "utf8" });
        expect({ status, stdout }).toEqual({ status: 0, stdout: expect.any(String) });
      } finally {
        rmSync(directory, { recursive: true });
      }
    });
  }
});
