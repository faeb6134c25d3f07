import { READER, startTestEmulator, type TestEmulator, withReader } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";
import { everything, RESOURCES } from "./everything";

let emulator: TestEmulator;
let stack: TestStack;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000, accounts: withReader() });
  stack = await testStack(emulator, everything());
  stack.folder.write("disk.img", "a small disk");
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

test("a program with every optional input of all resources can be created, updated, refreshed and destroyed", async () => {
  const messages = [expect.stringContaining("DomainRecord a: ttlSec is rounded by the service") as string];
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0, messages, steps: { create: RESOURCES } });

  const up = await stack.up();
  expect(up).toMatchObject({ code: 0, messages, steps: { create: RESOURCES } });

  const unchanged = await stack.preview("--expect-no-changes");
  expect(unchanged).toMatchObject({ code: 0, messages: [], steps: { same: RESOURCES } });

  expect(await stack.drift()).toMatchObject({ code: 0, messages: [] });

  const refreshed = await stack.refresh();
  expect(refreshed.code).toBe(0);
  const stillUnchanged = await stack.preview("--expect-no-changes");
  expect(stillUnchanged).toMatchObject({ code: 0, messages: [], steps: { same: RESOURCES } });

  // A token that only reads: it may not read the backups of databases.
  const { env } = stack;
  Object.assign(env, { NODECLOUD_TOKEN: READER, NODECLOUD_READ_ONLY: "true" });
  emulator.reset("requests");
  const hidden = [
    expect.stringContaining("the token may not read what needs the scope databases:read_write"),
  ];
  const seen = await stack.preview("--refresh", "--expect-no-changes");
  expect(seen).toMatchObject({ code: 0, messages: hidden, steps: { same: RESOURCES } });
  expect(await stack.drift()).toMatchObject({ code: 0, messages: hidden });
  stack.program(everything({ label: "web-two" }));
  expect((await stack.up()).messages.join()).toContain("nothing was sent, because readOnly is set");
  expect(await emulator.writes()).toEqual([]);
  Object.assign(env, { NODECLOUD_TOKEN: emulator.token, NODECLOUD_READ_ONLY: "" });

  const renamed = await stack.up();
  expect(renamed).toMatchObject({ code: 0, messages: [], order: ["web update"] });

  const { web } = await stack.state();
  const { body: node } = await emulator.call("GET", `/node/instances/${web?.id}`);
  expect(node).toMatchObject({ label: "web-two", status: "running", tags: ["b", "a"] });

  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject({ code: 0, steps: { delete: RESOURCES } });
  expect([...destroyed.messages].sort()).toEqual([
    expect.stringContaining("the API has no operation to delete a snapshot"),
    expect.stringContaining("the API has no operation to delete a backup of a PostgreSQL database"),
  ]);
  for (const path of ["/node/instances", "/databases/instances", "/domains"]) {
    expect((await emulator.call("GET", path)).body).toMatchObject({ results: 0 });
  }
  const images = await emulator.call<{ data: { is_public: boolean }[] }>("GET", "/images");
  expect(images.body.data.filter(({ is_public }) => !is_public)).toEqual([]);
});
