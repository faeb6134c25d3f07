import { type Rig, startRig } from "../../helpers/lifecycle";
import { type PluginProcess, startPlugin } from "../../helpers/plugin";
import { eventually, programFolder, type ProgramFolder } from "../../helpers/programs";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ Node: "nodes" }, {}, "plugin");
});
afterAll(() => rig.stop());

const args = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
const seedOf = (byte: number) => new Uint8Array(32).fill(byte);
const about = { urn: "urn:pulumi:dev::test::nodecloud:index:Node::web" };

async function onBackend<Result>(
  backend: string,
  work: (plugin: PluginProcess, again: () => Promise<PluginProcess>) => Promise<Result>,
  folder: ProgramFolder = programFolder(),
): Promise<Result> {
  const { token, url } = rig.emulator;
  const start = () =>
    startPlugin(
      { "nodecloud:token": token, "nodecloud:baseUrl": url },
      { folder, way: "plugin", environment: { PULUMI_BACKEND_URL: backend } },
    );
  let plugin = await start();
  try {
    return await work(plugin, async () => {
      await plugin.kill();
      plugin = await start();
      return plugin;
    });
  } finally {
    await plugin.stop();
  }
}

const nameFrom = async (plugin: PluginProcess, byte: number, news: object = args) => {
  const { inputs, failures } = await plugin.check(about, { ...news }, { seed: seedOf(byte) });
  expect(failures).toEqual([]);
  return inputs["label"];
};

describe("an automatic name", () => {
  test("on a file backend derives from the URN, whatever the engine's seed", async () => {
    await onBackend("file:///state", async (plugin) => {
      const name = await nameFrom(plugin, 1);
      expect(name).toMatch(/^web-[0-9a-f]{7}$/);
      expect(await nameFrom(plugin, 2)).toBe(name);
    });
  });

  test("on a backend with organizations derives from the engine's seed, so that a preview and its update have one name", async () => {
    await onBackend("https://api.pulumi.com", async (plugin) => {
      const name = await nameFrom(plugin, 1);
      expect(name).toMatch(/^web-[0-9a-f]{7}$/);
      expect(await nameFrom(plugin, 1)).toBe(name);
      expect(await nameFrom(plugin, 2)).not.toBe(name);
    });
  });

  test("stays while the resource does, whatever the seed", async () => {
    const { inputs } = await rig.plugin.check(about, args, { seed: seedOf(1) });
    const again = await rig.plugin.check({ ...about, inputs }, args, { seed: seedOf(2) });
    // Only a creation says where it was requested.
    expect(again).toEqual({ inputs: { ...inputs, __askedAt: undefined }, failures: [] });
  });

  test("of an interrupted run is taken again, so that the run creates no second node", async () => {
    await onBackend("https://api.pulumi.com", async (plugin, again) => {
      const { inputs } = await plugin.check(about, args, { seed: seedOf(1) });
      const { control } = rig.emulator;
      await control("POST", "/faults", {
        method: "POST",
        path: "/v4/node/instances",
        effect: "drop-response",
      });
      await control("POST", "/faults", {
        method: "GET",
        path: "/v4/**",
        times: 50,
        effect: { delayMs: 20_000 },
      });
      const cut = plugin.create(about, inputs).catch(() => "cut off");
      const named = async () => {
        const { body } = await control<{ data: { label: string }[] }>("GET", "/objects/nodes");
        return body.data.filter(({ label }) => label === inputs["label"]);
      };
      await eventually("the node exists", async () => ((await named()).length > 0 ? true : undefined));
      const next = await again();
      expect(await cut).toBe("cut off");
      await control("POST", "/reset?only=faults");
      const resumed = await next.check(about, args, { seed: seedOf(2) });
      expect(resumed).toMatchObject({ failures: [], inputs: { label: inputs["label"] } });
      const { outputs } = await next.create(about, resumed.inputs);
      expect(outputs).toMatchObject({ label: inputs["label"], status: "running" });
      expect(await named()).toHaveLength(1);
    });
  });

  test("is the one that the user's configuration proposes", async () => {
    const { inputs, failures } = await rig.plugin.check(about, args, { proposed: "web-in-prod" });
    expect(failures).toEqual([]);
    expect(inputs["label"]).toBe("web-in-prod");
  });

  test("is not made if the user's configuration disables it: the program must set the name", async () => {
    const { failures } = await rig.plugin.check(about, args, { isDisabled: true });
    expect(failures).toEqual([
      {
        property: "",
        reason: "label is required: `pulumi:autonaming` allows no automatic name here [NC1101]",
      },
    ]);
    const named = await rig.plugin.check(about, { ...args, label: "mine" }, { isDisabled: true });
    expect(named).toMatchObject({ failures: [], inputs: { label: "mine" } });
  });
});
