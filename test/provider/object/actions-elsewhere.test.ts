import { type CutOff } from "../../../src/provider/engine/stack-state";
import { type Rig, type Managed, startRig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";

/** A run on another machine was interrupted: only the state tells of it, and there is no note here. */
inEachWay((way) => {
  let rig: Rig;
  const environment: Record<string, string> = {};
  let cutOff: CutOff | undefined;
  const inState: { operation: "updating"; type: string; object: string }[] = [];
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
      cutOff: inState,
      wasCutOff: (operation: CutOff) => operation === cutOff,
    };
    rig = await startRig({ MysqlDatabase: "mysql" }, {}, way, { state, environment });
  });
  beforeEach(async () => {
    cutOff = undefined;
    resource = rig.resource("MysqlDatabase");
    await resource.up(database);
    await rig.restart();
    await rig.requests();
  });
  afterAll(() => rig.stop());

  const database = { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };
  const asked = { ...database, patchTrigger: "now" };
  const REFUSAL = "an interrupted run was updating this MysqlDatabase and may have carried this out";
  /** A preview as the engine makes it: it asks the full plugin for the update, and the class tells a dynamic provider that it is one. */
  async function preview(): Promise<void> {
    const news = { ...(await resource.news(asked)), ...(way === "dynamic" ? { __preview: true } : {}) };
    const { inputs } = await rig.plugin.check(resource, news);
    await rig.plugin.diff(resource, inputs);
    if (way === "plugin") await rig.plugin.update(resource, inputs, { isPreview: true });
  }
  const PATCH = "POST /v4/databases/mysql/instances/:id/patch";

  test("an action is refused in the preview if an interrupted run may have carried it out", async () => {
    cutOff = "updating";
    await expect(preview()).rejects.toThrow(
      /: an interrupted run was updating this MysqlDatabase and may have carried this out\. The provider does not repeat it, because a repetition .*If it was carried out, remove patchTrigger from the program\. Otherwise run `pulumi refresh` first/,
    );
    expect(await rig.requests()).not.toHaveProperty([PATCH]);
  });

  test("it is refused in a preview that does not look at the account too", async () => {
    Object.assign(environment, { NODECLOUD_VALIDATE: "false" });
    await rig.restart();
    cutOff = "updating";
    await expect(preview()).rejects.toThrow(REFUSAL);
    Reflect.deleteProperty(environment, "NODECLOUD_VALIDATE");
    await rig.restart();
  });

  test("the update is refused too, and so is each later run until the user settles it, although the engine forgets the interrupted run", async () => {
    cutOff = "updating";
    await expect(resource.up(asked)).rejects.toThrow(REFUSAL);
    for (let run = 0; run < 2; run++) {
      cutOff = undefined;
      await rig.restart();
      await expect(preview()).rejects.toThrow(REFUSAL);
      await expect(resource.up(asked)).rejects.toThrow(REFUSAL);
    }
    expect(await rig.requests()).not.toHaveProperty([PATCH]);
    // It was carried out: the program no longer asks for it.
    expect(await resource.up(database)).toBe("updated");
    expect(await resource.up(asked)).toBe("updated");
    expect((await rig.requests())[PATCH]).toBe(1);
  });

  test("after a refresh, an action that was refused is carried out", async () => {
    cutOff = "updating";
    await expect(resource.up(asked)).rejects.toThrow(REFUSAL);
    cutOff = undefined;
    await rig.restart();
    await resource.refresh();
    expect(await resource.up(asked)).toBe("updated");
    expect((await rig.requests())[PATCH]).toBe(1);
  });

  test("it is refused on this machine, whose runs have noted it, also after a run that did not come to the resource, until a refresh", async () => {
    Object.assign(environment, { NODECLOUD_RESUME: "true", PULUMI_BACKEND_URL: "file:///nowhere" });
    inState.push({ operation: "updating", type: "MysqlDatabase", object: resource.id });
    await rig.restart();
    await rig.resource("MysqlDatabase").check(database);
    inState.length = 0;
    for (let run = 0; run < 2; run++) {
      await rig.restart();
      await expect(preview()).rejects.toThrow(REFUSAL);
      await expect(resource.up(asked)).rejects.toThrow(REFUSAL);
    }
    expect(await rig.requests()).not.toHaveProperty([PATCH]);
    await rig.restart();
    await resource.refresh();
    expect(await resource.up(asked)).toBe("updated");
    expect((await rig.requests())[PATCH]).toBe(1);
    for (const name of ["NODECLOUD_RESUME", "PULUMI_BACKEND_URL"]) Reflect.deleteProperty(environment, name);
    await rig.restart();
  });

  test("another change is not refused then", async () => {
    cutOff = "updating";
    expect(await resource.up({ ...database, label: `label-${rig.serial()}` })).toBe("updated");
  });

  test("an action is carried out if the interrupted run was creating something", async () => {
    cutOff = "creating";
    expect(await resource.up(asked)).toBe("updated");
    expect((await rig.requests())[PATCH]).toBe(1);
  });

  test("an action that a note of this machine knows is not refused, and found by the note", async () => {
    await rig.emulator.control("POST", "/faults", {
      method: "POST",
      path: "/v4/databases/mysql/instances/*/patch",
      effect: "drop-request",
    });
    await expect(resource.up(asked)).rejects.toThrow("it is unknown whether it was carried out");
    await rig.restart();
    cutOff = "updating";
    expect(await resource.up(asked)).toBe("updated");
    expect((await rig.requests())[PATCH]).toBe(1);
  });
});
