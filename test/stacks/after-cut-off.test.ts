import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { expectSettled, stackForEachTest } from "../helpers/with-stack";
import { recordA, ZONE } from "../helpers/zone";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => {
  ({ emulator, stack } = own);
});

interface Checkpoint {
  checkpoint: {
    latest: {
      resources: { urn: string; inputs?: Record<string, unknown> }[];
      pending_operations?: unknown[];
    };
  };
}

/** Changes the state to that of a run that was killed during an operation on each of these resources. `more` are records that it was adding to a set. */
function cutOffIn(operations: Readonly<Record<string, "updating" | "deleting">>, more = ""): void {
  const state = JSON.parse(stack.rawState()) as Checkpoint;
  const { latest } = state.checkpoint;
  latest.pending_operations = latest.resources.flatMap((resource) => {
    const type = operations[resource.urn.split("::").at(-1) ?? ""];
    const { records, ...inputs } = resource.inputs ?? {};
    const asked = typeof records === "string" ? { ...inputs, records: records + more } : inputs;
    return type === undefined ? [] : [{ type, resource: { ...resource, inputs: asked } }];
  });
  expect(latest.pending_operations).toHaveLength(Object.keys(operations).length);
  writeFileSync(join(stack.folder.path, ".state/.pulumi/stacks/program/test.json"), JSON.stringify(state));
}

const objects = async (kind: string) =>
  (
    await emulator.control<{ data: { id: number; name?: string; tags?: string[] }[] }>(
      "GET",
      `/objects/${kind}`,
    )
  ).body.data;

test("after an interrupted update and deletion, a program that has gone back is restored, and not called unchanged", async () => {
  const records = ["a", "b", "c"].map((name) => recordA(name)).join(", ");
  stack.program(
    `${ZONE} new nodecloud.DomainRecordSet("set", { domainId: zone.id, records: [${records}] });
     new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", tags: ["v1"] });
     new nodecloud.Node("gone", { region: "us-east", type: "g6-nanode-1" });
     new nodecloud.Node("same", { region: "us-east", type: "g6-nanode-1" });`,
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { web, gone, zone } = await stack.state();
  const [first] = await objects("records");
  await emulator.call("DELETE", `/domains/${zone?.id}/records/${first?.id}`);
  await emulator.control("PATCH", `/objects/nodes/${web?.id}`, { tags: ["v2"] });
  // Nobody's state has what the update of the set has made.
  const { body: left } = await emulator.call<{ id: number }>("POST", `/domains/${zone?.id}/records`, {
    body: { type: "A", name: "left", target: "192.0.2.9" },
  });
  cutOffIn({ set: "updating", web: "updating", same: "updating" }, "left A 192.0.2.9\n");
  const preview = await stack.preview();
  expect(preview.printed).toContain(
    `it does not have what they may have created: DomainRecordSet set (${zone?.id}/${left.id}). `,
  );
  expect(preview).toMatchObject({ code: 0, steps: { update: 2 } });
  expect(preview.printed).toContain(
    "an interrupted run was updating it, so it was read and compared with the program",
  );
  expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 2 } });
  expect((await objects("nodes")).find(({ id }) => String(id) === web?.id)?.tags).toEqual(["v1"]);
  expect((await objects("records")).map(({ name }) => name).sort()).toEqual(["a", "b", "c", "left"]);
  await expectSettled(stack);

  await emulator.call("DELETE", `/node/instances/${gone?.id}`);
  emulator.clock.setSpeed(1e7);
  cutOffIn({ gone: "deleting" });
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toMatch(
    new RegExp(
      `update Node gone-\\w+ \\(${gone?.id}\\): an interrupted run was deleting it, and (it no longer exists|its status is deleting, so it may be gone soon)\\. Run \`pulumi up --refresh\``,
    ),
  );
  // The refused run has made the engine forget it.
  expect(stack.rawState()).not.toContain("pending_operations");
  expect((await stack.preview()).printed).toContain("an interrupted run was deleting it");
  expect(await stack.preview("--refresh")).toMatchObject({ code: 0, steps: { create: 1 } });
  expect(await stack.up("--refresh")).toMatchObject({ code: 0, steps: { create: 1 } });
  expect(await objects("nodes")).toHaveLength(3);
  await expectSettled(stack);
});
