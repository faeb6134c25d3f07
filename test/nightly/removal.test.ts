import { type TestEmulator, startTestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stacksOn } from "../helpers/with-stack";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
});
afterAll(() => emulator.stop());

const withStack = stacksOn(() => emulator, { destroys: true });

const lines = (messages: readonly string[]) => messages.filter((line) => line.includes("removed"));

/** Expects that after an `up`, and after a refresh, neither a preview nor a drift check finds a change. */
async function expectAtRest(stack: TestStack): Promise<void> {
  for (const preview of [await stack.preview("--expect-no-changes"), await stack.drift()]) {
    expect(preview).toMatchObject({ code: 0, messages: [] });
  }
  expect(await stack.refresh()).toMatchObject({ code: 0, messages: [] });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
}

const records = (name: string, priority: string, ttl: string) => `
  const zone = new nodecloud.Domain("zone", { domain: "removal.example", type: "master", soaEmail: "dns@removal.example" });
  const other = new nodecloud.Domain("other", { domain: "other.example", type: "master", soaEmail: "dns@removal.example" });
  const a = { type: "A", ${name} target: "192.0.2.1" };
  const mx = { type: "MX", target: "mx.example.net", ${priority} };
  const txt = { type: "TXT", name: "note", target: "x", ${ttl} };
  new nodecloud.DomainRecord("a", { domainId: zone.id, ...a });
  new nodecloud.DomainRecord("mx", { domainId: zone.id, ...mx });
  new nodecloud.DomainRecord("txt", { domainId: zone.id, ...txt });
  new nodecloud.DomainRecordSet("set", { domainId: other.id, records: [a, mx, txt] });`;

test("a record or a member of a set whose input is removed equals one created without that input", async () => {
  await withStack(records('name: "www",', "priority: 7", "ttlSec: 3600"), async (stack) => {
    expect(await stack.up()).toMatchObject({ code: 0 });
    stack.program(records("", "", ""));
    const before = await stack.state();
    expect(await stack.up()).toMatchObject({ code: 0, steps: { replace: 3, update: 1 } });
    const state = await stack.state();
    for (const name of ["a", "mx", "txt"]) expect(state[name]?.id).not.toBe(before[name]?.id);
    const recordsOf = async (domain: string) => {
      const { body } = await emulator.call<{ data: Record<string, unknown>[] }>(
        "GET",
        `/domains/${domain}/records`,
      );
      return body.data
        .map(({ type, name, target, priority, ttl_sec }) => ({ type, name, target, priority, ttl_sec }))
        .sort((x, y) => (String(x.type) < String(y.type) ? -1 : 1));
    };
    const single = await recordsOf(state["zone"]?.id ?? "");
    expect(single).toEqual([
      { type: "A", name: "", target: "192.0.2.1", priority: 0, ttl_sec: 0 },
      { type: "MX", name: "", target: "mx.example.net", priority: 0, ttl_sec: 0 },
      { type: "TXT", name: "note", target: "x", priority: 0, ttl_sec: 0 },
    ]);
    expect(await recordsOf(state["other"]?.id ?? "")).toEqual(single);
    await expectAtRest(stack);
  });
});

test("a removed input without a default stays, and the preview says so until the next up", async () => {
  const program = (more: string, label: string) => `
    const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", ${more} });
    new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id, ${label} });`;
  const all = 'group: "site", tags: ["a"], userData: "s3cret-data", alerts: { cpu: 81, io: 9000 }';
  await withStack(program(all, 'label: "first"'), async (stack) => {
    expect(await stack.up()).toMatchObject({ code: 0 });
    const before = await stack.state();
    stack.program(program("", ""));
    const said = [
      "NodeBackupSnapshot snapshot: label was removed from the program and keeps its value: only a replacement changes it, for example with `pulumi up --replace` [NC1204]",
      "Node web: group, alerts.cpu, alerts.io were removed from the program and keep their values: the provider no longer manages them. To change them, set the values that you want [NC1204]",
      "Node web: userData was removed from the program and keeps its value: only a replacement changes it, for example with `pulumi up --replace` [NC1204]",
    ];
    const preview = await stack.preview();
    expect(preview).toMatchObject({ code: 0, steps: { update: 2 } });
    expect(lines(preview.messages).sort()).toEqual([...said].sort());
    expect(lines((await stack.preview()).messages)).toHaveLength(said.length);
    expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 2 } });
    const after = await stack.state();
    expect(after["web"]?.id).toBe(before["web"]?.id);
    expect(after["web"]?.outputs).toMatchObject({ group: "site", tags: [], alerts: { cpu: 81, io: 9000 } });
    expect(after["snapshot"]?.inputs["label"]).toBe("first");
    expect(stack.rawState()).not.toContain("s3cret-data");
    await expectAtRest(stack);
  });
});

test("a week of the month is cleared, and the rest of the window stays", async () => {
  const program = (updates: string) => `new nodecloud.MysqlDatabase("shop", {
    region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", ${updates} });`;
  await withStack(
    program('updates: { frequency: "monthly", dayOfWeek: 3, hourOfDay: 4, weekOfMonth: 2 }'),
    async (stack) => {
      expect(await stack.up()).toMatchObject({ code: 0 });
      stack.program(program('updates: { frequency: "weekly" }'));
      expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 1 } });
      const { shop } = await stack.state();
      expect(shop?.outputs["updates"]).toMatchObject({ frequency: "weekly", dayOfWeek: 3, hourOfDay: 4 });
      expect(shop?.outputs["updates"]).not.toHaveProperty("weekOfMonth");
      await expectAtRest(stack);
    },
  );
});
