import { type CutOff } from "../../../src/provider/engine/stack-state";
import { type Bench, type Managed, startBench } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";

/** A run on another machine was interrupted: only the state tells of it, and there is no note here. */
inEachWay((way) => {
  let bench: Bench;
  let cutOff: CutOff | undefined;
  let resource: Managed;
  beforeAll(async () => {
    const state = {
      objects: [],
      settingsOf: () => undefined,
      knows: () => false,
      otherIdOf: () => undefined,
      standing: () => undefined,
      hasImported: () => false,
      makerOf: () => undefined,
      holdersOf: () => [],
      pendingCreation: () => undefined,
      interrupted: () => [],
      wasCutOff: (operation: CutOff) => operation === cutOff,
    };
    bench = await startBench({ MysqlDatabase: "mysql" }, {}, way, { state });
  });
  beforeEach(async () => {
    cutOff = undefined;
    resource = bench.resource("MysqlDatabase");
    await resource.up(database);
    await bench.restart();
    await bench.requests();
  });
  afterAll(() => bench.stop());

  const database = { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };
  const asked = { ...database, patchTrigger: "now" };
  const PATCH = "POST /v4/databases/mysql/instances/:id/patch";

  test("an action is refused in the preview if an interrupted run may have carried it out", async () => {
    cutOff = "updating";
    await expect(resource.preview(asked)).rejects.toThrow(
      /: an interrupted run was updating this MysqlDatabase and may have carried this out\. The provider does not repeat it, because a repetition .*If it was carried out, remove patchTrigger from the program\. Otherwise run `pulumi refresh` first/,
    );
    expect(await bench.requests()).not.toHaveProperty([PATCH]);
  });

  test("another change is not refused then", async () => {
    cutOff = "updating";
    expect(await resource.up({ ...database, label: `label-${bench.serial()}` })).toBe("updated");
  });

  test("an action is carried out if the interrupted run was creating something", async () => {
    cutOff = "creating";
    expect(await resource.up(asked)).toBe("updated");
    expect((await bench.requests())[PATCH]).toBe(1);
  });

  test("an action that a note of this machine knows is not refused, and found by the note", async () => {
    await bench.emulator.control("POST", "/faults", {
      method: "POST",
      path: "/v4/databases/mysql/instances/*/patch",
      effect: "drop-request",
    });
    await expect(resource.up(asked)).rejects.toThrow("it is unknown whether it was carried out");
    await bench.restart();
    cutOff = "updating";
    expect(await resource.up(asked)).toBe("updated");
    expect((await bench.requests())[PATCH]).toBe(1);
  });
});
