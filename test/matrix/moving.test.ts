import { everything, RESOURCES } from "../engine/everything";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { endAtOnce } from "../helpers/interrupt";
import { eventually } from "../helpers/programs";
import { type TestStack, testStack } from "../helpers/stack";
import { type Way } from "../helpers/way";
import { WHOLE } from "../helpers/whole";

/** The ways to move: to the full plugin, and to dynamic resources. In the first, the stack moves back to dynamic resources too. */
const MOVES: readonly (readonly [Way, Way])[] = [
  ["dynamic", "plugin"],
  ...(WHOLE ? ([["plugin", "dynamic"]] as const) : []),
];

let emulator: TestEmulator;
let stack: TestStack;

async function begin(way: Way, speed = AT_ONCE): Promise<void> {
  emulator = await startTestEmulator({ speed });
  stack = await testStack(emulator);
  stack.folder.write("disk.img", "a small disk");
  stack.way = way;
}

afterEach(async () => {
  stack.remove();
  await emulator.stop();
});

/** Moves the stack with an unchanged program, and expects that no object is written and that nothing is left to do. */
async function move(to: Way, source: string): Promise<void> {
  await emulator.newCounts();
  stack.way = to;
  stack.program(source);
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0, messages: [] });
  // The dynamic plugin needs its text in the outputs. What lacks it shows as an update, which sends nothing.
  const expected = to === "plugin" ? ["same"] : ["same", "update"];
  expect(expected).toEqual(expect.arrayContaining(Object.keys(preview.steps)));
  expect(await stack.up()).toMatchObject({ code: 0, messages: [], steps: preview.steps });
  expect(writesIn(await emulator.newCounts())).toEqual([]);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  expect(await stack.drift()).toMatchObject({ code: 0, messages: [] });
  expect(writesIn(await emulator.newCounts())).toEqual([]);
  const prefix = to === "plugin" ? "nodecloud:index:" : "pulumi-nodejs:dynamic/nodecloud:";
  for (const { type } of Object.values(await stack.state())) expect(type.startsWith(prefix)).toBe(true);
}

const writesIn = (counts: Record<string, number>): string[] =>
  Object.keys(counts).filter((operation) => !operation.startsWith("GET "));

describe.each(MOVES)("a stack that moves from the %s way to the %s way", (from, to) => {
  test("keeps all objects of all kinds as they are, is managed there, and moves back", async () => {
    await begin(from);
    stack.program(everything());
    expect(await stack.up()).toMatchObject({ code: 0, steps: { create: RESOURCES } });
    await move(to, everything());
    stack.program(everything({ label: "web-two" }));
    expect(await stack.up()).toMatchObject({ code: 0, messages: [], order: ["web update"] });
    await move(from, everything({ label: "web-two" }));
    expect(await stack.destroy()).toMatchObject({ code: 0, steps: { delete: RESOURCES } });
  });

  test("keeps the objects of explicit providers, of components, below other resources, and in sets", async () => {
    await begin(from);
    const source = `
const settings = { token: process.env.NODECLOUD_TOKEN, baseUrl: process.env.NODECLOUD_BASE_URL };
const account = new nodecloud.Provider("account", { ...settings, maxConcurrency: 4, validate: true });
class Web extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("test:index:Web", name, {}, opts);
    const node = new nodecloud.Node(name, { region: "us-east", type: "g6-nanode-1" }, { parent: this });
    this.address = node.ipv4[0];
  }
}
const web = new Web("web", { providers: [account] });
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org", ttlSec: 301 });
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: web.address }, { parent: zone });
new nodecloud.DomainRecordSet("list", { domainId: zone.id, subdomain: "list", records: [
  { type: "A", name: "one.list", target: "192.0.2.1" },
  { type: "TXT", name: "two.list", target: pulumi.secret("first secret") },
] });
new nodecloud.DomainRecordSet("keys", { domainId: zone.id, subdomain: "keys", records: {
  one: { type: "A", name: "one.keys", target: web.address },
} }, { provider: account });
new nodecloud.DomainRecordSet("file", { domainId: zone.id, subdomain: "file", exclusive: true,
  zoneFile: "$ORIGIN example.org.\\none.file 300 IN A 192.0.2.4\\n" });
new nodecloud.NodePool("pool", {
  size: 2, node: { region: "us-east", type: "g6-nanode-1" }, records: [{ domainId: zone.id, name: "pool" }],
});
new nodecloud.Node("secret", {
  region: "us-east", type: "g6-nanode-1", image: "node/debian12", label: pulumi.secret("second-secret"), rootPass: "third secret",
});`;
    stack.program(source);
    expect((await stack.up()).code).toBe(0);
    const expectSealed = () => {
      for (const secret of ["first secret", "second-secret", "third secret", emulator.token])
        expect(stack.rawState()).not.toContain(secret);
    };
    expectSealed();
    await move(to, source);
    expectSealed();
    if (WHOLE) {
      await move(from, source);
      expectSealed();
    }
    expect((await stack.destroy()).code).toBe(0);
  });

  test("continues a creation that did not finish, and makes no second object", async () => {
    await begin(from, 0);
    const node = (more: string) =>
      `new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" }${more});`;
    stack.program(node(', { customTimeouts: { create: "1s" } }'));
    expect((await stack.up()).code).not.toBe(0);
    expect((await stack.state())["web"]?.initErrors).toHaveLength(1);
    emulator.clock.setSpeed(AT_ONCE);
    stack.way = to;
    stack.program(node(""));
    expect(await stack.up()).toMatchObject({ code: 0, messages: [], order: ["web update"] });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
    expect((await emulator.counts())["POST /v4/node/instances"]).toBe(1);
  });

  test("continues with the object that a killed run was creating", async () => {
    await begin(from, 0);
    const node =
      'new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });';
    stack.program(node);
    const running = stack.start("up", "--yes", "--skip-preview");
    await eventually("the provider waits for the node", async () =>
      ((await emulator.counts())["GET /v4/node/instances/:id"] ?? 0) > 0 ? true : undefined,
    );
    expect((await endAtOnce(stack, running)).code).not.toBe(0);
    emulator.clock.setSpeed(AT_ONCE);
    stack.way = to;
    stack.program(node);
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect((await emulator.counts())["POST /v4/node/instances"]).toBe(1);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});
