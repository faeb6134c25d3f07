import { stateIn, type StackState } from "../../../src/provider/engine/stack-state";
import { startRig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";

inEachWay((way) => {
  test("an interrupted replacement of a node with a label of the program is resumed on another machine", async () => {
    const run: { configuration: Record<string, string>; state?: StackState } = {
      configuration: { "nodecloud:resume": "true" },
    };
    const rig = await startRig({ Node: "nodes" }, {}, way, run);
    const inputs = { region: "us-east", type: "g6-nanode-1", label: "web" };
    const node = rig.resource("Node", "web");
    await node.up(inputs);
    const old = node.id;
    const moved = { ...inputs, region: "eu-west" };
    // What the interrupted run has requested.
    const { body } = await rig.emulator.call<{ id: number }>("POST", "/node/instances", { body: moved });
    run.state = stateIn({
      resources: [{ type: node.urn.split("::")[2], id: old, urn: node.urn, outputs: node.outputs }],
      pending_operations: [
        {
          type: "creating",
          resource: { urn: node.urn, inputs: { ...node.inputs, ...moved, __before: old } },
        },
      ],
    });
    await rig.restart();
    await rig.requests();
    await expect(node.up(moved)).resolves.toBe("replaced");
    expect(node.id).toBe(String(body.id));
    expect(await rig.requests()).not.toHaveProperty(["POST /v4/node/instances"]);
    await rig.stop();
  });
});
