import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../src";
import * as plugin from "../../../src/plugin";
import { deployedNode, startTestEmulator, type TestEmulator } from "../../helpers/emulator";
import { configure, inProgram, standInForEngine, valueOf } from "../../helpers/program-run";

const DYNAMIC = '"pulumi-nodecloud"';
const PLUGIN = '"pulumi-nodecloud/plugin"';
const SAME = "import both from the same entry";

beforeAll(() => standInForEngine());

type Opts = pulumi.ComponentResourceOptions;
const component = (name: string, opts: Opts = {}) =>
  new pulumi.ComponentResource("test:index:Site", name, {}, opts);
const inputs = { domain: "zone.example", type: "master", soaEmail: "dns@zone.example" } as const;

/** A provider of any other package. */
class Foreign extends pulumi.ProviderResource {}

/** The provider that the engine is handed for a resource. Undefined if it takes the default one. */
const providerOf = (resource: pulumi.Resource) =>
  (resource as unknown as { __prov?: { __name: string } }).__prov?.__name;

describe.each([
  ["dynamic resources", dynamic, DYNAMIC, plugin, PLUGIN],
  ["the plugin", plugin, PLUGIN, dynamic, DYNAMIC],
] as const)("a class of %s", (_, own, ownEntry, other, otherEntry) => {
  const create = (opts: pulumi.CustomResourceOptions) => new own.Domain("zone", inputs, opts);
  const refusal = (parent: string, provider: string) =>
    `Domain zone: its parent ${parent} has the provider ${provider} from ${otherEntry}, but this Domain is imported from ${ownEntry}: ` +
    `${SAME}, or add a Provider from ${ownEntry} to the providers of the parent [NC1703]`;
  const refused = (opts: pulumi.CustomResourceOptions) => {
    let error: unknown;
    try {
      create(opts);
    } catch (caught) {
      error = caught;
    }
    // The engine prints an error of this class on one line.
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    return (error as Error).message;
  };

  test("refuses a provider of the other entry as its option, also in `get`", () =>
    inProgram(() => {
      const provider = new other.Provider("theirs");
      const message = `Domain zone: its provider theirs is from ${otherEntry}, but this Domain is imported from ${ownEntry}: ${SAME} [NC1703]`;
      expect(refused({ provider })).toBe(message);
      expect(() => own.Domain.get("zone", "12", { provider })).toThrow(message);
      const transformations = [({ props }: { props: object }) => ({ props, opts: { provider } })];
      expect(refused({ transformations })).toBe(message);
    }));

  test("refuses a provider of another package as its option", () =>
    inProgram(() => {
      const provider = new Foreign("random", "theirs", {});
      expect(refused({ provider })).toBe(
        `Domain zone: its provider theirs is from the package random, but this Domain is imported from ${ownEntry}: use a Provider from ${ownEntry} [NC1703]`,
      );
    }));

  test.each<[string, (provider: pulumi.ProviderResource, key: string) => Opts]>([
    ["in a list", (provider) => ({ providers: [provider] })],
    ["as the option provider", (provider) => ({ provider })],
    ["by its package", (provider, key) => ({ providers: { [key]: provider } })],
  ])("refuses to be below a component that has a provider of the other entry %s", (_how, opts) =>
    inProgram(() => {
      const provider = new other.Provider("theirs");
      const site = component("site", opts(provider, other === plugin ? "nodecloud" : "pulumi-nodejs"));
      const message = refusal("test:index:Site site", "theirs");
      expect(refused({ parent: site })).toBe(message);
      expect(refused({ parent: component("inner", { parent: site }) })).toBe(message);
      expect(() => own.Domain.get("zone", "12", { parent: site })).toThrow(message);
    }),
  );

  test("refuses to be below a resource of the other entry with an explicit provider", () =>
    inProgram(() => {
      const parent = new other.Domain("above", inputs, { provider: new other.Provider("theirs") });
      expect(refused({ parent })).toMatch(
        /^Domain zone: its parent \S+:Domain above has the provider theirs /,
      );
    }));

  test("takes its own provider, which the option or the component has beside the other", () =>
    inProgram(() => {
      const [ours, theirs] = [new own.Provider("ours"), new other.Provider("theirs")];
      for (const site of [
        component("site", { providers: [ours, theirs] }),
        component("outer", { parent: component("other", { providers: [theirs] }), providers: [ours] }),
      ])
        expect(providerOf(create({ parent: site }))).toBe("ours");
      expect(providerOf(create({ parent: component("last", { provider: theirs }), provider: ours }))).toBe(
        "ours",
      );
      expect(providerOf(create({}))).toBeUndefined();
    }));

  test("takes the nearest provider, also the one that a component is given once more", () =>
    inProgram(() => {
      const [ours, theirs] = [new own.Provider("ours"), new other.Provider("theirs")];
      const outer = component("outer", { providers: [ours] });
      const middle = component("middle", { parent: outer, providers: [theirs] });
      expect(refused({ parent: middle })).toBe(refusal("test:index:Site middle", "theirs"));
      for (const opts of [{ providers: [ours] }, { provider: ours }, { providers: [theirs, ours] }]) {
        const inner = component("inner", { parent: middle, ...opts });
        expect(providerOf(create({ parent: inner }))).toBe("ours");
        expect(providerOf(create({ parent: component("deep", { parent: inner }) }))).toBe("ours");
      }
      expect(
        providerOf(create({ parent: component("both", { parent: outer, providers: [ours, theirs] }) })),
      ).toBe("ours");
    }));

  test("sees a provider that a component is given once more when its parents are older than the provider", () =>
    inProgram(() => {
      const root = component("root");
      const ours = new own.Provider("ours", {}, { parent: root });
      const theirs = new other.Provider("theirs", {}, { parent: root });
      const outer = component("outer", { parent: root, providers: [ours] });
      const middle = component("middle", { parent: outer, providers: [theirs] });
      const inner = component("inner", { parent: middle, providers: [ours] });
      expect(providerOf(create({ parent: inner }))).toBe("ours");
    }));

  test("ignores a provider of another package on the way", () =>
    inProgram(() => {
      const foreign = ["random", ...(own === plugin ? ["pulumi-nodejs"] : [])].map(
        (name) => new Foreign(name, name, {}),
      );
      const site = component("site", { providers: foreign });
      expect(providerOf(create({ parent: site }))).toBeUndefined();
    }));

  test("sees a provider that a transformation gives to the component", () =>
    inProgram(() => {
      const theirs = new other.Provider("theirs");
      const site = component("site", {
        transformations: [
          ({ props, opts }) => ({ props: props as object, opts: { ...opts, providers: [theirs] } }),
        ],
      });
      expect(refused({ parent: site })).toMatch(/has the provider theirs/);
    }));
});

describe("a data function below a component", () => {
  let outer: TestEmulator;
  let inner: TestEmulator;
  beforeAll(async () => {
    outer = await startTestEmulator();
    inner = await startTestEmulator();
    for (const [emulator, label] of [
      [outer, "far"],
      [inner, "near"],
    ] as const)
      await emulator.call("POST", "/node/instances", { body: { ...deployedNode, label } });
    configure(outer);
  });
  afterAll(async () => {
    await outer.stop();
    await inner.stop();
  });

  test.each([
    [dynamic, plugin],
    [plugin, dynamic],
  ])("uses the nearest provider, of either entry (%#)", async (one, other) => {
    await inProgram(async () => {
      const far = new one.Provider("far", { token: outer.token, baseUrl: outer.url });
      const near = new other.Provider("near", { token: inner.token, baseUrl: inner.url });
      const above = component("above", { providers: [far] });
      const below = component("below", { parent: above, providers: [near] });
      const again = component("again", { parent: below, providers: [far] });
      const reads = async (parent: pulumi.Resource) => {
        const { nodes } = await dynamic.getNodes({}, { parent });
        const { nodes: same } = await valueOf(plugin.getNodesOutput({}, { parent }));
        expect(same).toEqual(nodes);
        return nodes.map(({ label }) => label);
      };
      expect(await reads(above)).toEqual(["far"]);
      expect(await reads(below)).toEqual(["near"]);
      expect(await reads(component("deep", { parent: below }))).toEqual(["near"]);
      expect(await reads(again)).toEqual(["far"]);
    });
  });
});

test("a unit test of a program, which has no stack, finds the other entry too", () => {
  const site = component("alone", { providers: [new plugin.Provider("theirs")] });
  expect(() => new dynamic.Domain("zone", inputs, { parent: site })).toThrow(
    /has the provider theirs from "pulumi-nodecloud\/plugin"/,
  );
});
