import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everything, RESOURCES } from "../engine/everything";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

/** An account and the state of its stack, which the version before the schema wrote from the program below. */
const BEFORE = join(__dirname, "fixtures", "before-the-schema");

const program = (label?: string) => `${everything(label === undefined ? {} : { label })}
const other = new nodecloud.Domain("other", { domain: "example.net", type: "master", soaEmail: "dns@example.net" });
new nodecloud.DomainRecordSet("set", { domainId: other.id, records: [
  { type: "A", target: "192.0.2.10" }, { type: "MX", target: "mx.example.net", priority: 10 }, { type: "TXT", name: "t", target: "hello" },
] });`;
const ALL = RESOURCES + 2;

let folder: string;
let emulator: TestEmulator;
let stack: TestStack;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "nodecloud-before-"));
  const data = join(folder, "account.json");
  copyFileSync(join(BEFORE, "account.data"), data);
  emulator = await startTestEmulator({ speed: 60_000, data });
  stack = await testStack(emulator, program());
  stack.folder.write("disk.img", "a small disk");
  const imported = await stack.pulumi("stack", "import", "--file", join(BEFORE, "state.json"));
  expect(imported).toMatchObject({ code: 0 });
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a state of the version before shows no change and no drift, and its resources are updated and destroyed", async () => {
  const unchanged = await stack.preview("--expect-no-changes");
  expect(unchanged).toMatchObject({ code: 0, messages: [], steps: { same: ALL } });
  expect(await stack.drift()).toMatchObject({ code: 0, messages: [] });
  expect((await stack.refresh()).code).toBe(0);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, steps: { same: ALL } });

  stack.program(program("web-two"));
  expect(await stack.up()).toMatchObject({ code: 0, order: ["web update"] });

  expect(await stack.destroy()).toMatchObject({ code: 0, steps: { delete: ALL } });
  expect((await emulator.call("GET", "/node/instances")).body).toMatchObject({ results: 0 });
});
