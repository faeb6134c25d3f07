import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { expectSettled, stackForEachTest } from "../helpers/with-stack";
import { recordA, ZONE } from "../helpers/zone";
import { atNight } from "../helpers/whole";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => {
  ({ emulator, stack } = own);
});

interface Checkpoint {
  checkpoint: { latest: { resources: { urn: string }[]; pending_operations?: unknown[] } };
}

/** Changes the state to that of a run that was killed on another machine during an operation on each of these resources. */
function cutOffIn(operation: "creating" | "updating", ...names: readonly string[]): void {
  const file = join(stack.folder.path, ".state/.pulumi/stacks/program/test.json");
  const state = JSON.parse(stack.rawState()) as Checkpoint;
  const { latest } = state.checkpoint;
  const resources = latest.resources.filter(({ urn }) => names.includes(urn.split("::").at(-1) ?? ""));
  expect(resources).toHaveLength(names.length);
  latest.pending_operations = resources.map((resource) => ({ type: operation, resource }));
  if (operation === "creating") latest.resources = latest.resources.filter((one) => !resources.includes(one));
  writeFileSync(file, JSON.stringify(state));
}

const count = async (kind: string) =>
  (await emulator.control<{ data: unknown[] }>("GET", `/objects/${kind}`)).body.data.length;

const node = (name: string, label = '"worker"') =>
  `new nodecloud.Node("${name}", { region: "us-east", type: "g6-nanode-1", label: ${label} });`;

test("nodecloud:resume takes what an interrupted creation made, also with a secret label, and nothing that existed before or has no such evidence", async () => {
  const labels = ["worker", "hidden"];
  const theirs = [];
  for (const label of labels) {
    const body = { region: "us-east", type: "g6-nanode-1", label };
    theirs.push((await emulator.call<{ id: number }>("POST", "/node/instances", { body })).body.id);
  }
  stack.program(
    `${node("web")} ${node("api", 'pulumi.secret("hidden")')}
     ${ZONE} new nodecloud.DomainRecord("www", { domainId: zone.id, ...${recordA("www")} });`,
  );
  expect((await stack.up()).code).toBe(0);
  const before = await stack.state();
  const idOf = (name: string) => before[name]?.id;
  cutOffIn("creating", "web", "api", "www");
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toMatch(
    new RegExp(`the Node (${idOf("web")}|${idOf("api")}) has the same label, and is not in the state`),
  );

  stack.env["NODECLOUD_RESUME"] = "true";
  const up = await stack.up();
  expect(up.steps).toMatchObject({ create: 3 });
  for (const name of ["web", "api"]) expect(up.printed).toContain(`continues with the Node ${idOf(name)}`);
  const after = await stack.state();
  for (const name of ["web", "api", "www"]) expect(after[name]?.id).toBe(idOf(name));
  expect(await count("records")).toBe(1);
  await expectSettled(stack);

  expect((await stack.pulumi("refresh", "--yes", "--clear-pending-creates")).code).toBe(0);
  expect((await stack.pulumi("state", "delete", String(after["www"]?.urn), "--yes")).code).toBe(0);
  expect((await stack.preview()).printed).toMatch(
    /the DomainRecord .* has the same content, .*If another resource manages it, remove this resource/,
  );
  expect((await stack.destroy()).code).toBe(0);
  const left = await emulator.control<{ data: { id: number }[] }>("GET", "/objects/nodes");
  expect(left.body.data.map(({ id }) => id)).toEqual(theirs);
});

atNight(
  "nodecloud:resume takes no object by a label, if the state does not tell which ones existed before",
  async () => {
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
  },
);

atNight(
  "an action that an interrupted run on another machine may have carried out fails until the state forgets that run",
  async () => {
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
    // The engine forgets the interrupted run with the first of them.
    for (let run = 0; run < 2; run++)
      expect((await stack.up()).printed).toContain(
        "may have carried this out. The provider does not repeat it",
      );
    expect((await stack.refresh()).code).toBe(0);
    expect((await stack.up()).steps).toEqual({ update: 1 });
    expect((await emulator.counts())["POST /v4/databases/mysql/instances/:id/patch"]).toBe(1);
  },
);
