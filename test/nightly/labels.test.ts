import { type TestEmulator, startTestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stacksOn } from "../helpers/with-stack";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
});
afterAll(() => emulator.stop());

const withStack = stacksOn(() => emulator, { destroys: true });

const labelOf = async (stack: TestStack, name: string) => (await stack.state())[name]?.inputs["label"];
const NAME = /^shop-[0-9a-f]{7}$/;

const database = (inputs: string, options = "{}", region = "us-east") => `
  const shop = new nodecloud.MysqlDatabase("shop", {
    region: "${region}", type: "g6-standard-1", engine: "mysql/8.0.30", ${inputs}
  }, ${options});`;

test("a label of null, and outputs that resolve to undefined or null, give automatic names", async () => {
  const source = `${database("label: null")}
    const node = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
    new nodecloud.Node("known", { ...node, label: pulumi.output(undefined) });
    new nodecloud.Node("unknown", { ...node, label: shop.id.apply(() => undefined) });
    new nodecloud.Node("none", { ...node, label: shop.id.apply(() => null) });
    new nodecloud.Node("own", { ...node, label: shop.id.apply((id) => "own-of-" + id) });`;
  await withStack(source, async (stack) => {
    expect(await stack.preview()).toMatchObject({ code: 0, steps: { create: 5 } });
    expect(await stack.up()).toMatchObject({ code: 0, steps: { create: 5 } });
    expect(await labelOf(stack, "shop")).toMatch(NAME);
    for (const name of ["known", "unknown", "none"]) {
      const { [name]: node } = await stack.state();
      expect(node?.outputs["label"]).toMatch(new RegExp(`^${name}-[0-9a-f]{7}$`));
    }
    expect(await labelOf(stack, "own")).toMatch(/^own-of-\d+$/);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});

test.each<[string, string]>([
  [
    "transformation",
    "transformations: [({ props, opts }) => ({ props: { ...props, label: 'mine' }, opts })]",
  ],
  [
    "transform",
    "transforms: [async ({ props, opts }) => ({ props: { ...props, label: 'mine' }, opts: { ...opts, deleteBeforeReplace: true } })]",
  ],
])(
  "a label that a %s sets counts as set by the program: a replacement with it deletes first",
  async (_, option) => {
    await withStack(database("", `{ ${option} }`), async (stack) => {
      expect(await stack.up()).toMatchObject({ code: 0 });
      expect(await labelOf(stack, "shop")).toBe("mine");
      stack.program(database("", `{ ${option} }`, "eu-west"));
      const replaced = await stack.up();
      expect(replaced).toMatchObject({
        code: 0,
        order: ["shop delete-replaced", "shop replace", "shop create-replacement"],
      });
      expect(await labelOf(stack, "shop")).toBe("mine");
    });
  },
);

test("with ignoreChanges an automatic label stays, and a replacement gets the next one", async () => {
  const options = '{ ignoreChanges: ["label"] }';
  await withStack(database(""), async (stack) => {
    expect(await stack.up()).toMatchObject({ code: 0 });
    const first = await labelOf(stack, "shop");
    stack.program(database('label: "ignored"', options));
    expect(await stack.up()).toMatchObject({ code: 0, steps: { same: 1 } });
    stack.program(database("", options));
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    stack.program(database("", options, "eu-west"));
    expect(await stack.preview("--save-plan", "plan.json")).toMatchObject({ code: 0 });
    expect(await stack.up("--plan", "plan.json")).toMatchObject({ code: 0, steps: { replace: 1 } });
    const second = await labelOf(stack, "shop");
    expect(second).toMatch(NAME);
    expect(second).not.toBe(first);
    // Nothing changes without the option either, because the name was always automatic.
    stack.program(database("", "{}", "eu-west"));
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});

test("a label equal to the automatic one can be replaced, and a removed label becomes the automatic one", async () => {
  await withStack(database(""), async (stack) => {
    expect(await stack.up()).toMatchObject({ code: 0 });
    const first = String(await labelOf(stack, "shop"));
    stack.program(database(`label: "${first}"`, "{}", "eu-west"));
    expect(await stack.up()).toMatchObject({ code: 0, steps: { replace: 1 } });
    expect(await labelOf(stack, "shop")).toBe(first);

    stack.program(database('label: "by-hand"', "{}", "eu-west"));
    expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 1 } });
    stack.program(database("", "{}", "eu-west"));
    expect(await stack.preview("--save-plan", "plan.json")).toMatchObject({ code: 0, steps: { update: 1 } });
    expect(await stack.up("--plan", "plan.json")).toMatchObject({ code: 0, steps: { update: 1 } });
    expect(await labelOf(stack, "shop")).toBe(first);
    expect(await stack.drift()).toMatchObject({ code: 0 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});

test("nodes with labels keep to a saved plan, also with one that is not known yet, and later runs show no change", async () => {
  const nodes = `
    const one = new nodecloud.Node("one", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
    new nodecloud.Node("two", { region: "us-east", type: "g6-nanode-1", label: pulumi.interpolate\`web-\${one.id}-2\` });`;
  await withStack(nodes, async (stack) => {
    for (const expected of [{ create: 2 }, { same: 2 }]) {
      expect(await stack.preview("--save-plan", "plan.json")).toMatchObject({ code: 0, steps: expected });
      expect(await stack.up("--plan", "plan.json")).toMatchObject({ code: 0, steps: expected });
      expect(await stack.drift()).toMatchObject({ code: 0 });
    }
    // Only the creation needs to know which equal objects exist.
    expect(stack.rawState()).not.toContain("__before");
  });
});
