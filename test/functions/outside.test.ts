import * as pulumi from "@pulumi/pulumi";
import { getNodes } from "../../src/functions";
import { deployedNode, withEmulator } from "../helpers/emulator";
import { configure, standInForEngine } from "../helpers/program-run";

test("outside a program, as in a test of a component, calls share no results", async () => {
  standInForEngine();
  expect(pulumi.runtime.getStackResource()).toBeUndefined();
  await withEmulator(async (emulator) => {
    configure(emulator);
    expect((await getNodes()).nodes).toHaveLength(0);
    await emulator.call("POST", "/node/instances", { body: deployedNode });
    expect((await getNodes()).nodes).toHaveLength(1);
  });
});
