import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;

beforeEach(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator);
});

afterEach(async () => {
  stack.remove();
  await emulator.stop();
});

test("two siblings in one component are deployed", async () => {
  stack.program(`
    class Pair extends pulumi.ComponentResource {
      constructor(name, opts) {
        super("test:index:Pair", name, {}, opts);
        this.one = new nodecloud.Node("one", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" }, { parent: this });
        this.two = new nodecloud.Node("two", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" }, { parent: this });
        this.registerOutputs({ ids: [this.one.id, this.two.id] });
      }
    }
    new Pair("pair");`);
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0, steps: { create: 2 } });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});
