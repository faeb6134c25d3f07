import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type Outcome, testStack, type TestStack } from "../helpers/stack";
import { expectDestroyed } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator);
});
afterEach(async () => {
  await expectDestroyed(stack);
  emulator.reset();
});
afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

/** Expects each of these texts once in the messages. */
function expectOnce({ messages }: Outcome, lines: readonly string[]): void {
  const counts = lines.map((line) => [line, messages.join("\n").split(line).length - 1]);
  expect({ messages, counts }).toEqual({ messages, counts: lines.map((line) => [line, 1]) });
}

/** Expects that the preview fails with each of these lines once, without a stack trace, and that no changing request is sent. */
async function expectRefusal(program: string, ...lines: string[]): Promise<Outcome> {
  stack.program(program);
  const preview = await stack.preview();
  expect(preview.code).not.toBe(0);
  expectOnce(preview, lines);
  expect(preview.printed).not.toContain("\\n    at ");
  expect(await emulator.writes()).toEqual([]);
  return preview;
}

const plan = 'region: "us-east", type: "g6-nanode-1"';

test("addresses are checked one by one, and each invalid one is named with the reason", async () => {
  await expectRefusal(
    `new nodecloud.MysqlDatabase("db", { ${plan}, engine: "mysql/8.0.30", allowList: [
       "192.0.2.1", "10.0.0.0/8", "2001:db8::/32", "10.0.0.0/33", "2001:db8::/129", "office", "", "192.0.2.0/255.255.255.0",
     ] });`,
    'allowList[3] "10.0.0.0/33" has the mask 33; an IPv4 range has one of 0 to 32',
    'allowList[4] "2001:db8::/129" has the mask 129; an IPv6 range has one of 0 to 128',
    'allowList[5] "office" is not an IP address or CIDR range; write one such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32',
    "allowList[6] is empty; remove it from the list",
    'allowList[7] "192.0.2.0/255.255.255.0" is not an IP address or CIDR range',
  );
});

test("a domain with an invalid name, invalid addresses or negative times is refused", async () => {
  await expectRefusal(
    `new nodecloud.Domain("zone", {
       domain: "bücher.example", type: "slave", masterIps: ["ns1.example.net"], axfrIps: ["192.0.2.300"],
       ttlSec: -1, refreshSec: -2, retrySec: -3, expireSec: -4,
     });`,
    'domain "bücher.example" is not in ASCII (RFC 1035); write its punycode form, "xn--bcher-kva.example"',
    'masterIps[0] "ns1.example.net" is not an IP address; write one such as 192.0.2.1 or 2001:db8::1',
    'axfrIps[0] "192.0.2.300" is not an IP address; write one such as 192.0.2.1 or 2001:db8::1',
    ...["ttlSec", "refreshSec", "retrySec", "expireSec"].map(
      (property) => `${property} must be at least 0; it is a number of seconds`,
    ),
  );
});

test.each([
  ['type: "master"', "soaEmail is required for a master domain; it is the address in the zone's SOA record"],
  ['type: "slave"', "masterIps is required for a slave domain; it names the servers to copy the zone from"],
])("a domain with only %s is refused because its type needs more", async (inputs, line) => {
  await expectRefusal(`new nodecloud.Domain("zone", { domain: "example.org", ${inputs} });`, line);
});

const zone =
  'const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });';

test("a record with an invalid name, an invalid time to live or no target is refused", async () => {
  await expectRefusal(
    `${zone} new nodecloud.DomainRecord("www", { domainId: 1, type: "CNAME", name: "", ttlSec: -300 });`,
    "target is required",
    "name is empty; omit it for the domain itself",
    "ttlSec must be at least 0; it is a number of seconds",
  );
});

test("the records of a set follow the rules of a record, and are named by their position", async () => {
  await expectRefusal(
    `${zone} new nodecloud.DomainRecordSet("records", { domainId: zone.id, records: [
       { type: "A", name: "www", target: "192.0.2.1" },
       { type: "MX", priority: 10 },
       { type: "TXT", name: "a..b", target: "x", ttlSec: -1 },
       { type: "TXT", name: "${"x".repeat(64)}", target: pulumi.secret("quiet") },
     ] });`,
    "records[1].target is required",
    "records[2].ttlSec must be at least 0; it is a number of seconds",
    "records[2].name [secret] has an empty label; write one period between two labels",
    "records[3].name [secret] has a label of 64 characters; a label has at most 63 (RFC 1035)",
  );
});

test("a node with empty or private keys, or with useless user data, is refused; no key is shown", async () => {
  const key = "-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaA==\\n-----END OPENSSH PRIVATE KEY-----";
  const { printed } = await expectRefusal(
    `new nodecloud.Node("web", { ${plan}, image: "node/debian12", swapSize: -1,
       authorizedKeys: ["ssh-ed25519 AAAA me", " ", "${key}"], authorizedUsers: [""], metadata: { userData: "#cloud-config" },
     });`,
    "authorizedKeys[1] is empty; remove it from the list",
    "authorizedKeys[2] is a private key; write the public one, which is in the file that ends in .pub",
    "authorizedUsers[0] is empty; remove it from the list",
    "metadata.userData is not base64; encode it, or set userData to the plain text",
    "swapSize must be at least 0; it is a size",
  );
  expect(
    printed
      .split("\n")
      .filter((line) => line.includes("diagnosticEvent"))
      .join(),
  ).not.toContain("b3Blbn");
  await expectRefusal(
    `new nodecloud.Node("web", { ${plan}, userData: "#cloud-config" });`,
    "userData needs an image with the capability cloud-init; set image, or remove it",
  );
});

test("inputs that the service accepts and ignores cause one warning in the preview, and the node is created", async () => {
  stack.program(
    `new nodecloud.Node("web", { ${plan}, rootPass: "correct horse", authorizedKeys: ["ssh-ed25519 AAAA me"],
       authorizedUsers: ["ada"], swapSize: 256, stackscriptData: { a: 1 } });`,
  );
  const lines = [
    ...["rootPass", "authorizedKeys", "authorizedUsers"].map(
      (property) =>
        `${property} is for a node that is deployed from an image or a StackScript; set image, or remove it`,
    ),
    "swapSize is ignored without an image; set image, or remove it",
    "stackscriptData is the input of a StackScript; set stackscriptId, or remove it",
  ];
  const preview = await stack.preview();
  expect(preview.code).toBe(0);
  expectOnce(preview, lines);
  const up = await stack.up();
  expect(up.code).toBe(0);
  expectOnce(up, lines);
  expect((await stack.preview("--expect-no-changes")).messages).toEqual([]);
});

test("up checks inputs that were unknown in the preview before it sends a request for them", async () => {
  stack.program(`
    const node = new nodecloud.Node("web", { ${plan} });
    const target = node.ipv4.apply(() => "not an address");
    new nodecloud.MysqlDatabase("db", { ${plan}, engine: "mysql/8.0.30", allowList: [target, "192.0.2.1"] });`);
  expect(await stack.preview()).toMatchObject({ code: 0 });
  const up = await stack.up();
  expect(up.code).not.toBe(0);
  expectOnce(up, ['allowList[0] "not an address" is not an IP address or CIDR range']);
  expect((await emulator.call("GET", "/databases/instances")).body).toMatchObject({ results: 0 });
});

test("the preview warns of two snapshots of one new node, and not of two nodes", async () => {
  const program = (second: string) => `
    const web = new nodecloud.Node("web", { ${plan}, image: "node/debian12" });
    const db = new nodecloud.Node("db", { ${plan}, image: "node/debian12" });
    new nodecloud.NodeBackupSnapshot("one", { nodeId: web.id });
    new nodecloud.NodeBackupSnapshot("two", { nodeId: ${second} });`;
  for (const same of ["web.id", "pulumi.interpolate`${web.id}`", "Promise.resolve(web.id.apply(Number))"]) {
    stack.program(program(same));
    const preview = await stack.preview();
    expect(preview.code).toBe(0);
    expectOnce(preview, [
      "has the same nodeId (the id of Node web, not known yet): a node keeps one snapshot, so each would overwrite the other. Keep one of the two",
    ]);
  }
  stack.program(program("pulumi.all([web.id, db.id]).apply(([, id]) => id)"));
  // It may be any node.
  expectOnce(await stack.preview(), [
    "a NodeBackupSnapshot that the node, which is not known yet, may have is overwritten",
  ]);
  stack.program(program("db.id"));
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  const { one } = await stack.state();
  expect({ ...one?.inputs, ...one?.outputs }).not.toHaveProperty("__source");
});
