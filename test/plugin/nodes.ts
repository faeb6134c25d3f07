import { type Managed, type Rig, startRig } from "../helpers/lifecycle";
import { type Properties, type Way } from "../helpers/plugin";

/** The inputs of a node with an image. */
export const base = (): Properties => ({ region: "us-east", type: "g6-nanode-1", image: "node/debian12" });

/** Gives the tests of a file nodes and their snapshots, in one account. */
export function nodesForAllTests(way: Way) {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ Node: "nodes", NodeBackupSnapshot: "nodeBackups" }, {}, way);
  });
  afterAll(() => rig.stop());
  afterEach(() => rig.runTime());

  const aNode = async (args: Properties = base()): Promise<Managed> => {
    const node = rig.resource("Node");
    await node.up(args);
    return node;
  };
  const aBackup = async (): Promise<string> => {
    const snapshot = rig.resource("NodeBackupSnapshot");
    await snapshot.up({ nodeId: (await aNode()).id });
    return snapshot.id;
  };
  const inside = async (node: Managed) =>
    (await node.live()) as unknown as { disks: { id: number; label: string }[]; configs: { id: number }[] };
  return { rig: () => rig, aNode, aBackup, inside };
}
