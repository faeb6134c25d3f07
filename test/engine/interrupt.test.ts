import { type TestEmulator } from "../helpers/emulator";
import { endAtOnce, interrupt } from "../helpers/interrupt";
import { eventually } from "../helpers/programs";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
// The clock is stopped: a pending change does not end until the test advances the clock.
stackForEachTest((own) => ({ emulator, stack } = own), { speed: 0 });

const node = 'new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });';
const nodes = async () =>
  (await emulator.control<{ data: { id: number; status: string }[] }>("GET", "/objects/nodes")).body.data;

/** Starts an `up`, and returns it when the provider waits for the first node. */
async function upUntilItWaits() {
  const running = stack.start("up", "--yes", "--skip-preview");
  await eventually("the provider waits for the node", async () => {
    const counts = await emulator.counts();
    return (counts["GET /v4/node/instances/:id"] ?? 0) > 0 ? true : undefined;
  });
  expect(await nodes()).toEqual([expect.objectContaining({ status: "provisioning" })]);
  return running;
}

test("ctrl-C while a node is provisioning keeps the node in the state, and the next up creates no second one", async () => {
  // No further resource may be started after the node.
  stack.program(`const web = ${node}
    new nodecloud.NodeBackupSnapshot("after", { nodeId: web.id });`);
  const up = await upUntilItWaits();
  await interrupt(up);
  emulator.clock.setSpeed(1e7);
  expect((await up.ended).code).not.toBe(0);

  const [one, ...others] = await nodes();
  expect(others).toEqual([]);
  const state = await stack.state();
  expect(Object.keys(state)).toEqual(["web"]);
  expect(state["web"]?.id).toBe(String(one?.id));

  // The full plugin hears of the ctrl-C, so its wait has ended before the node was ready.
  const rest = stack.way === "plugin" ? ["web update"] : [];
  const next = await stack.up();
  expect(next).toMatchObject({ code: 0, order: [...rest, "after create"] });
  expect(next.printed).not.toContain("interrupted runs");
  expect(await nodes()).toEqual([expect.objectContaining({ id: one?.id, status: "running" })]);
});

test("a second ctrl-C, which ends the run at once, creates no second node either", async () => {
  stack.program(node);
  const up = await upUntilItWaits();
  expect((await endAtOnce(stack, up)).code).not.toBe(0);
  const [one] = await nodes();
  expect(await stack.state()).toEqual({});

  emulator.clock.setSpeed(1e7);
  const preview = await stack.preview();
  const line = `Node web: continues with the Node ${one?.id}, which an interrupted run created`;
  expect(preview).toMatchObject({ printed: expect.stringContaining(line) as unknown, code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0, order: ["web create"] });
  expect((await stack.state())["web"]?.id).toBe(String(one?.id));
  expect(await nodes()).toEqual([expect.objectContaining({ id: one?.id, status: "running" })]);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("after a timeout of a creation, the next up resumes and creates no second node", async () => {
  const slow = node.replace(" });", ' }, { customTimeouts: { create: "1s" } });');
  stack.program(slow);
  const failed = await stack.up();
  expect(failed.code).not.toBe(0);
  expect(failed.messages.join("\n")).toMatch(
    /create Node web-[0-9a-f]{7} \(\d+\): after 1 s it is not running yet; its status is provisioning\. It stays in the state/,
  );
  const { web } = await stack.state();
  expect(web?.initErrors).toHaveLength(1);
  emulator.clock.setSpeed(1e7);
  expect(await stack.up()).toMatchObject({ code: 0, order: ["web update"] });
  expect(await nodes()).toEqual([expect.objectContaining({ id: Number(web?.id), status: "running" })]);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});
