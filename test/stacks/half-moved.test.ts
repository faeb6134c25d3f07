import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";
import { expectSettled } from "../helpers/with-stack";
import { recordA, ZONE } from "../helpers/zone";

let ours: TestEmulator;
let theirs: TestEmulator;
let stack: TestStack;

beforeEach(async () => {
  ours = await startTestEmulator({ speed: 60_000 });
  theirs = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(ours);
  // The engine finds the plugin in both ways.
  const { way } = stack;
  stack.way = "plugin";
  stack.way = way;
});

afterEach(async () => {
  stack.remove();
  await ours.stop();
  await theirs.stop();
});

const domainsIn = async ({ control }: TestEmulator) =>
  (await control<{ data: unknown[] }>("GET", "/objects/domains")).body.data;

/** A component whose classes are of this way's entry, with a provider of their account. */
const program = (entry: string, ttlSec: number) => `
  class Site extends pulumi.ComponentResource {
    constructor(name, opts) {
      super("test:index:Site", name, {}, opts);
      new nodecloud.Domain("zone", { domain: "half.example", type: "slave", masterIps: ["192.0.2.1"], ttlSec: ${ttlSec} }, { parent: this });
    }
  }
  const { Provider } = ${entry};
  new Site("site", { providers: [new Provider("theirs", { token: "${theirs.token}", baseUrl: "${theirs.url}" })] });`;

test("a stack whose provider is imported from the other entry than its component's classes is refused, and neither account changes", async () => {
  stack.program(program("nodecloud", 300));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const before = await domainsIn(theirs);
  expect(before).toHaveLength(1);
  const [own, other] =
    stack.way === "plugin"
      ? ["pulumi-nodecloud/plugin", "pulumi-nodecloud"]
      : ["pulumi-nodecloud", "pulumi-nodecloud/plugin"];
  stack.program(program(`require("${other}")`, 3600));
  for (const command of ["preview", "up"] as const) {
    const { code, printed } = await stack[command]();
    expect(code).not.toBe(0);
    expect(printed).toContain(
      `Domain zone: its parent test:index:Site site has the provider theirs from "${other}", but this Domain is imported from "${own}": ` +
        "import both from the same entry, or add a Provider from",
    );
  }
  expect(await domainsIn(theirs)).toEqual(before);
  expect(await domainsIn(ours)).toEqual([]);
});

test("a provider of the other entry as the option of a resource is refused in one sentence", async () => {
  const other = stack.way === "plugin" ? "pulumi-nodecloud" : "pulumi-nodecloud/plugin";
  stack.program(`
    const { Provider } = require("${other}");
    const theirs = new Provider("theirs", { token: "${theirs.token}", baseUrl: "${theirs.url}" });
    new nodecloud.Domain("zone", { domain: "half.example", type: "slave", masterIps: ["192.0.2.1"] }, { provider: theirs });`);
  const { code, printed } = await stack.up();
  expect(code).not.toBe(0);
  expect(printed).toContain(
    `Domain zone: its provider theirs is from "${other}", but this Domain is imported from`,
  );
  expect(printed).not.toMatch(/grpc|\bat .*\.js:\d+/i);
  expect(await domainsIn(ours)).toEqual([]);
  expect(await domainsIn(theirs)).toEqual([]);
});

test("members of a set stay if resources of the other way import them", async () => {
  const other = stack.way === "plugin" ? "pulumi-nodecloud" : "pulumi-nodecloud/plugin";
  const program = (own: readonly string[], more = "") => `${ZONE}
    new nodecloud.DomainRecordSet("all", { domainId: zone.id, records: [${own.map((name) => recordA(name)).join()}] });
    const other = require("${other}");
    ${more}`;
  stack.program(program(["a", "b", "c"]));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { zone } = await stack.state();
  const records = async () =>
    (await ours.call<{ data: { id: number; name: string }[] }>("GET", `/domains/${zone?.id}/records`)).body
      .data;
  const before = await records();
  const id = before.find(({ name }) => name === "a")?.id;
  stack.program(
    program(
      ["c"],
      `new other.DomainRecord("one", { domainId: zone.id, ...${recordA("a")} }, { import: "${zone?.id}/${id}" });
       new other.DomainRecordSet("rest", { domainId: zone.id, records: [${recordA("b")}] }, { import: "${zone?.id}" });`,
    ),
  );
  const { code, printed } = await stack.up();
  expect({ code, printed }).toMatchObject({ code: 0 });
  expect(await records()).toEqual(before);
  await expectSettled(stack);
});
