import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;

const TOKEN = "planted-token-7c1e";
const ROOT_PASS = "planted-root-pass-5d2f";
const USER_DATA = "#cloud-config planted-user-data-9a3b";
const STACKSCRIPT_DATA = "planted-stackscript-data-2b8c";
const TARGET = "planted-target-4e6d";
/** The service rounds it, so the provider must keep both values. */
const TTL = 1209601;

beforeAll(async () => {
  emulator = await startTestEmulator({
    speed: 60_000,
    accounts: { users: [{ username: "ada", tokens: [{ token: TOKEN, scopes: "*" }] }] },
  });
  stack = await testStack(emulator);
  delete stack.env["NODECLOUD_TOKEN"];
  await stack.pulumi("config", "set", "--secret", "nodecloud:token", TOKEN);
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

const program = (tags: string) => `
  const tags = ${tags};
  new nodecloud.Node("given", {
    region: "us-east", type: "g6-nanode-1", image: "node/debian12", tags,
    rootPass: "${ROOT_PASS}", userData: "${USER_DATA}", stackscriptId: 1, stackscriptData: { key: "${STACKSCRIPT_DATA}" },
  });
  const generated = new nodecloud.Node("generated", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", tags });
  const mysql = new nodecloud.MysqlDatabase("mysql", { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" });
  const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org", tags });
  new nodecloud.DomainRecord("secret-target", { domainId: zone.id, type: "TXT", name: "t", target: pulumi.secret("${TARGET}") });
  new nodecloud.DomainRecord("secret-ttl", { domainId: zone.id, type: "A", target: "192.0.2.1", ttlSec: pulumi.secret(${TTL}) });
  exports.rootPass = generated.rootPass;
  exports.rootPassword = mysql.rootPassword;`;

/** The output for a person or a log. With `--json` the engine adds the SDK's own debug messages, which contain every output unchanged. */
const seenIn = (printed: string) =>
  printed
    .split("\n")
    .filter((line) => !line.includes('"severity":"debug"'))
    .join("\n");

/** All places where a secret could appear: the output of the commands, and the state on disk. */
function expectUnseen(planted: readonly unknown[], printed: readonly string[]): void {
  for (const secret of planted) {
    expect(String(secret).length).toBeGreaterThan(6);
    const spellings = [String(secret), Buffer.from(String(secret)).toString("base64")];
    for (const spelling of spellings) {
      expect({ spelling, inState: stack.rawState().includes(spelling) }).toEqual({
        spelling,
        inState: false,
      });
      for (const text of printed) {
        expect({ spelling, printed: seenIn(text).includes(spelling) }).toEqual({ spelling, printed: false });
      }
    }
  }
}

test("neither the state nor any output contains a token, password, user data or secret of the program", async () => {
  stack.program(program("[]"));
  const runs = [await stack.up()];
  expect(runs[0]).toMatchObject({
    code: 0,
    messages: [expect.stringContaining("DomainRecord secret-ttl: ttlSec is rounded by the service")],
  });

  // The service may change the secret target: it answers a new value differently.
  const state = await stack.state();
  const record = state["secret-target"];
  const [, recordId] = record?.id.split("/") ?? [];
  stack.program(program('["changed"]').replaceAll(TARGET, `${TARGET}-again`));
  await emulator.control("POST", "/faults", {
    method: "PUT",
    path: `/v4/domains/*/records/${recordId}`,
    effect: {
      status: 200,
      body: { id: Number(recordId), type: "TXT", name: "t", target: "rewritten.example.org", ttl_sec: 0 },
    },
  });
  runs.push(await stack.pulumi("preview", "--diff"));
  runs.push(await stack.pulumi("up", "--yes", "--skip-preview", "--diff"));
  expect(runs.at(-1)).toMatchObject({ code: 0 });
  const rewritten = (await stack.state())["secret-target"]?.outputs;
  expect(rewritten).toMatchObject({ target: "rewritten.example.org", __sent: { target: `${TARGET}-again` } });
  runs.push(await stack.pulumi("preview", "--diff"));
  runs.push(await stack.pulumi("stack", "output"));
  runs.push(await stack.refresh());

  const known = await stack.state();
  const planted = [
    ...[TOKEN, ROOT_PASS, USER_DATA, STACKSCRIPT_DATA, TARGET, TTL],
    known["generated"]?.outputs["rootPass"],
    known["mysql"]?.outputs["rootPassword"],
  ];
  expect(known["given"]?.outputs["rootPass"]).toBe(ROOT_PASS);
  expectUnseen(
    planted,
    runs.map(({ printed }) => printed),
  );
});

test("no message contains a secret that the service or check refuses", async () => {
  const node = (more: string) =>
    `new nodecloud.Node("bad", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", ${more} });`;
  await emulator.control("POST", "/faults", {
    method: "POST",
    path: "/v4/node/instances",
    effect: { status: 400, body: { errors: [{ field: "root_pass", reason: `is weak: ${ROOT_PASS}` }] } },
  });
  stack.program(program('["changed"]') + node(`rootPass: "${ROOT_PASS}"`));
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.messages.join("\n")).toContain("is weak: [redacted]");

  stack.program(program('["changed"]') + node(`rootPass: "${ROOT_PASS.repeat(9)}"`));
  const checked = await stack.preview();
  expect(checked.code).not.toBe(0);
  expect(checked.messages.join("\n")).toContain("rootPass must be at most 128 characters long");
  expectUnseen([ROOT_PASS], [refused.printed, checked.printed]);
});

test("a creation that fails midway leaves no secret in the state", async () => {
  emulator.clock.setSpeed(0);
  try {
    stack.program(
      `${program('["changed"]')}
      new nodecloud.Node("slow", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", userData: "${USER_DATA}-slow" },
        { customTimeouts: { create: "1s" } });`,
    );
    const failed = await stack.up();
    expect(failed.code).not.toBe(0);
    const slow = (await stack.state())["slow"];
    expect(slow?.initErrors).toHaveLength(1);
    expectUnseen([`${USER_DATA}-slow`, slow?.outputs["rootPass"]], [failed.printed]);
  } finally {
    emulator.clock.setSpeed(60_000);
  }
});

test("a record takes little space in the state", async () => {
  const { "secret-ttl": record } = await stack.state();
  const { inputs = {}, outputs = {} } = record ?? {};
  expect(Buffer.byteLength(String(inputs["__provider"]))).toBeLessThan(100);
  expect(Buffer.byteLength(JSON.stringify(inputs) + JSON.stringify(outputs))).toBeLessThan(600);
});
