import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";
import { recordA, ZONE } from "../helpers/zone";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => {
  ({ emulator, stack } = own);
});

interface Checkpoint {
  checkpoint: { latest: { resources: { urn: string }[]; pending_operations?: unknown[] } };
}

/** Changes the state to that of a run that was killed on another machine during an operation on a resource. */
function cutOffIn(operation: "creating" | "updating", name: string): void {
  const file = join(stack.folder.path, ".state/.pulumi/stacks/program/test.json");
  const state = JSON.parse(stack.rawState()) as Checkpoint;
  const { latest } = state.checkpoint;
  const resource = latest.resources.find(({ urn }) => urn.endsWith(`::${name}`));
  if (resource === undefined) throw new Error(`the state has no ${name}`);
  latest.pending_operations = [{ type: operation, resource }];
  if (operation === "creating") latest.resources = latest.resources.filter((one) => one !== resource);
  writeFileSync(file, JSON.stringify(state));
}

const count = async (kind: string) =>
  (await emulator.control<{ data: unknown[] }>("GET", `/objects/${kind}`)).body.data.length;

const node = (name: string, label = '"worker"') =>
  `new nodecloud.Node("${name}", { region: "us-east", type: "g6-nanode-1", label: ${label} });`;

test.each([
  ["plain", '"worker"'],
  ["secret", 'pulumi.secret("worker")'],
])(
  "nodecloud:resume takes the node with a %s label that an interrupted creation made, and none that existed before",
  async (_, label) => {
    const theirs = await emulator.call<{ id: number }>("POST", "/node/instances", {
      body: { region: "us-east", type: "g6-nanode-1", label: "worker" },
    });
    stack.program(node("web", label));
    expect((await stack.up()).code).toBe(0);
    const { id } = (await stack.state())["web"] ?? {};
    cutOffIn("creating", "web");
    const refused = await stack.preview();
    expect(refused.code).not.toBe(0);
    expect(refused.printed).toContain(`the Node ${id} has the same label, and is not in the state`);
    stack.env["NODECLOUD_RESUME"] = "true";
    const up = await stack.up();
    expect(up.steps).toEqual({ create: 1 });
    expect(up.printed).toContain(`continues with the Node ${id}`);
    expect((await stack.state())["web"]?.id).toBe(id);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.drift()).toMatchObject({ code: 0 });
    expect((await stack.destroy()).code).toBe(0);
    const left = await emulator.control<{ data: { id: number }[] }>("GET", "/objects/nodes");
    expect(left.body.data).toMatchObject([{ id: theirs.body.id }]);
  },
);

test("nodecloud:resume takes no object by a label, if the state does not tell which ones existed before", async () => {
  stack.env["NODECLOUD_VALIDATE"] = "false";
  stack.program(node("web"));
  expect((await stack.up()).code).toBe(0);
  cutOffIn("creating", "web");
  delete stack.env["NODECLOUD_VALIDATE"];
  stack.env["NODECLOUD_RESUME"] = "true";
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toMatch(
    /the Node \d+ has the same label, and is not in the state\. If an interrupted run of this stack created it, give this resource the option import: /,
  );
  expect((await stack.pulumi("refresh", "--yes", "--clear-pending-creates")).code).toBe(0);
  expect((await stack.up()).steps).toEqual({ create: 1 });
  expect(await count("nodes")).toBe(2);
});

test("nodecloud:resume takes a record only after an interrupted creation", async () => {
  stack.program(`${ZONE} new nodecloud.DomainRecord("www", { domainId: zone.id, ...${recordA("www")} });`);
  expect((await stack.up()).code).toBe(0);
  cutOffIn("creating", "www");
  stack.env["NODECLOUD_RESUME"] = "true";
  expect((await stack.up()).steps).toMatchObject({ create: 1 });
  expect(await count("records")).toBe(1);
  expect((await stack.pulumi("refresh", "--yes", "--clear-pending-creates")).code).toBe(0);
  const { urn } = (await stack.state())["www"] ?? {};
  expect((await stack.pulumi("state", "delete", String(urn), "--yes")).code).toBe(0);
  expect((await stack.preview()).printed).toMatch(
    /the DomainRecord .* has the same content, .*If another resource manages it, remove this resource/,
  );
});

test("an action that an interrupted run on another machine may have carried out fails until the state forgets that run", async () => {
  const database = (more: string) =>
    `new nodecloud.MysqlDatabase("shop", { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", ${more} });`;
  stack.program(database(""));
  expect((await stack.up()).code).toBe(0);
  cutOffIn("updating", "shop");
  stack.program(database('patchTrigger: "now"'));
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toMatch(
    /an interrupted run was updating this MysqlDatabase and may have carried this out\. The provider does not repeat it/,
  );
  expect((await stack.refresh()).code).toBe(0);
  expect((await stack.up()).steps).toEqual({ update: 1 });
  expect((await emulator.counts())["POST /v4/databases/mysql/instances/:id/patch"]).toBe(1);
});
