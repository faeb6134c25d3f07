import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

interface Checkpoint {
  checkpoint: { latest: { resources: { urn: string }[]; pending_operations?: unknown[] } };
}

/** Changes the state to that of a run that was killed on another machine while it created a resource. */
function cutOffInCreation(urn: string): void {
  const state = JSON.parse(stack.rawState()) as Checkpoint;
  const { latest } = state.checkpoint;
  latest.pending_operations = [
    { type: "creating", resource: latest.resources.find((one) => one.urn === urn) },
  ];
  latest.resources = latest.resources.filter((one) => one.urn !== urn);
  writeFileSync(join(stack.folder.path, ".state/.pulumi/stacks/program/test.json"), JSON.stringify(state));
}

test("NODECLOUD_IMPORT takes over the labelled node of a killed creation, and later runs may keep it", async () => {
  stack.program(
    `new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", rootPass: "Str0ng-enough!", label: "web-1" });`,
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { urn = "", id = "" } = (await stack.state())["web"] ?? {};
  cutOffInCreation(urn);
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toContain(urn);
  expect(refused.printed).toContain(`(or NODECLOUD_IMPORT='URN=${id}')`);

  stack.env["NODECLOUD_IMPORT"] = `${urn}=${id}`;
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0, order: ["web create"] });
  expect(up.printed).toContain(`imports the existing Node ${id}, as NODECLOUD_IMPORT says`);
  expect((await stack.state())["web"]?.id).toBe(id);
  expect((await emulator.control<{ data: unknown[] }>("GET", "/objects/nodes")).body.data).toHaveLength(1);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  delete stack.env["NODECLOUD_IMPORT"];
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.drift()).toMatchObject({ code: 0 });
});
