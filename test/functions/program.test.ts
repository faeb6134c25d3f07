import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "../../src";
import { settingsOf } from "../../src/provider/program/provider";
import { deployedNode, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { configure, inProgram, standInForEngine, valueOf } from "../helpers/program-run";

let ours: TestEmulator;
let theirs: TestEmulator;

const THEIR_TOKEN = "planted-token-of-theirs";
const NODES = "GET /v4/node/instances";
const NODE = "GET /v4/node/instances/:id";
const create = (emulator: TestEmulator, label: string) =>
  emulator.call<{ id: number }>("POST", "/node/instances", { body: { ...deployedNode, label } });

beforeAll(async () => {
  standInForEngine();
  ours = await startTestEmulator();
  theirs = await startTestEmulator({
    accounts: { users: [{ username: "eve", tokens: [{ token: THEIR_TOKEN, scopes: "*" }] }] },
  });
});

beforeEach(async () => {
  configure(ours);
  for (const emulator of [ours, theirs]) await emulator.control("POST", "/reset");
  await create(ours, "ours");
  await theirs.call("POST", "/node/instances", {
    token: THEIR_TOKEN,
    body: { ...deployedNode, label: "theirs" },
  });
  await ours.newCounts();
  await theirs.newCounts();
});

afterAll(async () => {
  await ours.stop();
  await theirs.stop();
});

const labels = ({ nodes }: { readonly nodes: readonly { readonly label: string }[] }) =>
  nodes.map(({ label }) => label);
const theirAccount = (name = "theirs") =>
  new nodecloud.Provider(name, { token: THEIR_TOKEN, baseUrl: theirs.url });

describe("in one run of a program", () => {
  test("equal calls send their requests once, in any order of arguments", async () => {
    await inProgram(async () => {
      await nodecloud.getNodes({ sortBy: "label", order: "asc" });
      await nodecloud.getNodes({ order: "asc", sortBy: "label" });
      await valueOf(nodecloud.getNodesOutput({ order: pulumi.output("asc" as const), sortBy: "label" }));
    });
    expect(await ours.newCounts()).toEqual({ [NODES]: 1 });
  });

  test("concurrent equal calls share the request", async () => {
    await inProgram(() =>
      Promise.all(
        [nodecloud.getNode({ id: 1 }), nodecloud.getNode({ id: "1" })].map((call) => call.catch(String)),
      ),
    );
    expect(await ours.newCounts()).toEqual({ [NODE]: 1 });
  });

  test("functions that search the same list share it", async () => {
    await inProgram(() =>
      Promise.all([
        nodecloud.getNodes(),
        nodecloud.getNodes({ filter: { region: "eu-west" }, mostRecent: true }),
        nodecloud.getNode({ label: "ours" }),
        valueOf(nodecloud.getNodeOutput({ filter: { region: "us-east" } })),
      ]),
    );
    expect(await ours.newCounts()).toEqual({ [NODES]: 1 });
  });

  test("different calls send separate requests", async () => {
    const { body: second } = await create(ours, "second");
    await ours.newCounts();
    await inProgram(async () => {
      const { id } = await nodecloud.getNode({ label: "ours" });
      await nodecloud.getNode({ id });
      await nodecloud.getNode({ id: second.id });
      await nodecloud.getNodeBackups({ nodeId: id });
      await nodecloud.getNodeBackups({ nodeId: second.id });
    });
    expect(await ours.newCounts()).toEqual({ [NODES]: 1, [NODE]: 2, [`${NODE}/backups`]: 2 });
  });

  test("a failed call is repeated by the next equal call", async () => {
    await ours.control("POST", "/faults", {
      method: "GET",
      path: "/v4/node/instances",
      effect: { status: 400, body: { errors: [{ reason: "not now" }] } },
      times: 3,
    });
    await inProgram(async () => {
      await expect(nodecloud.getNodes()).rejects.toThrow("get Nodes: not now (400)");
      expect(labels(await nodecloud.getNodes())).toEqual(["ours"]);
    });
  });

  test("a change of one result does not affect other results", async () => {
    await inProgram(async () => {
      const first = await nodecloud.getNodes();
      (first.nodes[0] ?? { label: "" }).label = "changed";
      first.nodes.push(...first.nodes);
      const one = await nodecloud.getNode({ label: "ours" });
      one.tags?.push("changed");
      const byId = await nodecloud.getNode({ id: one.id });
      byId.label = "changed";
      expect(labels(await nodecloud.getNodes())).toEqual(["ours"]);
      expect((await nodecloud.getNode({ label: "ours" })).tags).toEqual([]);
      expect((await nodecloud.getNode({ id: one.id })).label).toBe("ours");
    });
  });

  test("a call that depends on resources reads after their creation", async () => {
    await inProgram(async () => {
      expect(labels(await nodecloud.getNodes())).toEqual(["ours"]);
      await create(ours, "made");
      const made = new nodecloud.Node("made", { region: "us-east", type: "g6-nanode-1" });
      expect(labels(await nodecloud.getNodes())).toEqual(["ours"]);
      const after = nodecloud.getNodesOutput({}, { dependsOn: made });
      expect(labels(await valueOf(after))).toEqual(["ours", "made"]);
      expect(await pulumi.getAllResources(after)).toContain(made);
      const found = nodecloud.getNodeOutput({
        filter: { label: pulumi.output(made.id).apply(() => "made") },
      });
      expect((await valueOf(found)).label).toBe("made");
      await ours.newCounts();
      await valueOf(
        nodecloud.getNodesOutput({ filter: { region: "us-east" } }, { dependsOn: [Promise.resolve(made)] }),
      );
      expect(await ours.newCounts()).toEqual({});
    });
  });

  test("a dependency on a component includes the resources in it", async () => {
    await inProgram(async () => {
      await nodecloud.getNodes();
      await create(ours, "made");
      const component = new pulumi.ComponentResource("test:index:Component", "component");
      const inner = new pulumi.ComponentResource("test:index:Component", "inner", {}, { parent: component });
      new nodecloud.Node("child", { region: "us-east", type: "g6-nanode-1" }, { parent: inner });
      const after = nodecloud.getNodesOutput({}, { dependsOn: pulumi.output([component]) });
      expect(labels(await valueOf(after))).toEqual(["ours", "made"]);
    });
  });
});

test("another run of a program in the same process does not reuse results", async () => {
  const run = () => inProgram(async () => labels(await nodecloud.getNodes()));
  expect(await run()).toEqual(["ours"]);
  await create(ours, "later");
  expect(await run()).toEqual(["ours", "later"]);
});

describe("an explicit provider", () => {
  test("determines the account of a call, in both forms", async () => {
    await inProgram(async () => {
      const provider = theirAccount();
      expect(labels(await nodecloud.getNodes({}, { provider }))).toEqual(["theirs"]);
      const output = nodecloud.getNodesOutput({}, { provider });
      expect(labels(await valueOf(output))).toEqual(["theirs"]);
      expect(await pulumi.isSecret(output)).toBe(false);
      expect(labels(await nodecloud.getNodes())).toEqual(["ours"]);
    });
    expect(await ours.newCounts()).toEqual({ [NODES]: 1 });
    expect(await theirs.newCounts()).toEqual({ [NODES]: 1 });
  });

  test("shares requests with another of the same account", async () => {
    await inProgram(async () => {
      await nodecloud.getNodes({}, { provider: theirAccount("one") });
      await nodecloud.getNodes({}, { provider: theirAccount("two") });
    });
    expect(await theirs.newCounts()).toEqual({ [NODES]: 1 });
  });

  test("is inherited from the parent, its ancestors, or a parent that is a provider", async () => {
    await inProgram(async () => {
      const provider = theirAccount();
      const component = new pulumi.ComponentResource(
        "test:index:Component",
        "outer",
        {},
        { providers: [provider] },
      );
      const inner = new pulumi.ComponentResource("test:index:Component", "inner", {}, { parent: component });
      const node = new nodecloud.Node("node", { region: "us-east", type: "g6-nanode-1" }, { provider });
      const plain = new pulumi.ComponentResource("test:index:Component", "plain");
      for (const parent of [component, inner, node, provider]) {
        expect(labels(await nodecloud.getNodes({}, { parent }))).toEqual(["theirs"]);
        expect(labels(await valueOf(nodecloud.getNodesOutput({}, { parent })))).toEqual(["theirs"]);
      }
      expect(labels(await nodecloud.getNodes({}, { parent: plain }))).toEqual(["ours"]);
      const own = new nodecloud.Provider("own", { token: ours.token, baseUrl: ours.url });
      expect(labels(await nodecloud.getNodes({}, { parent: component, provider: own }))).toEqual(["ours"]);
    });
  });

  test("uses the stack's settings for omitted ones", async () => {
    await inProgram(async () => {
      const provider = new nodecloud.Provider("ours", {});
      expect(labels(await nodecloud.getNodes({}, { provider }))).toEqual(["ours"]);
    });
  });

  test("can have settings that resolve later", async () => {
    await inProgram(async () => {
      const later = <Value>(value: Value) => new Promise<Value>((resolve) => setImmediate(resolve, value));
      const provider = new nodecloud.Provider("later", {
        token: pulumi.secret(later(THEIR_TOKEN)),
        baseUrl: later(theirs.url),
      });
      expect(labels(await nodecloud.getNodes({}, { provider }))).toEqual(["theirs"]);
    });
  });

  test("with unknown settings makes the output unknown, and the promise fails with what to do", async () => {
    await inProgram(async () => {
      const unknown = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
      for (const args of [
        { token: unknown, baseUrl: theirs.url },
        { token: THEIR_TOKEN, baseUrl: unknown },
      ]) {
        const provider = new nodecloud.Provider(
          `unknown-${Object.keys(args).length}-${args.baseUrl === unknown}`,
          args,
        );
        await expect(nodecloud.getNodes({}, { provider })).rejects.toThrow(
          "get Nodes: the provider's token or address is not known yet in this preview; use getNodesOutput, which waits for it",
        );
        const output = nodecloud.getNodesOutput({}, { provider });
        expect(await (output as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
      }
    });
    expect(await theirs.newCounts()).toEqual({});
  });

  test("does not show its token when printed or copied", async () => {
    await inProgram(async () => {
      const provider = theirAccount();
      await valueOf(provider.id);
      expect(inspect(provider, { depth: 20, showHidden: true })).not.toContain(THEIR_TOKEN);
      expect(Object.getOwnPropertySymbols({ ...provider })).toEqual([]);
      expect(await pulumi.isSecret(settingsOf(provider) ?? pulumi.output({}))).toBe(true);
    });
  });
});

describe("the output form", () => {
  test("waits for its arguments, also nested ones", async () => {
    await inProgram(async () => {
      const output = nodecloud.getNodesOutput(
        pulumi.output({ filter: { label: [pulumi.output("ours"), Promise.resolve("other")] } }),
      );
      expect(labels(await valueOf(output))).toEqual(["ours"]);
      expect(await pulumi.isSecret(output)).toBe(false);
    });
  });

  test("is secret if an argument is secret", async () => {
    await inProgram(async () => {
      expect(await pulumi.isSecret(nodecloud.getNodeOutput({ label: pulumi.secret("ours") }))).toBe(true);
    });
  });

  test("is unknown without a request if an argument is unknown", async () => {
    await inProgram(async () => {
      const unknown = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
      const outputs = [
        nodecloud.getNodeOutput({ id: unknown }),
        nodecloud.getNodesOutput({ filter: { label: [unknown, "ours"] } }),
        nodecloud.getMysqlDatabaseCredentialsOutput({ databaseId: unknown }),
      ] as unknown as { isKnown: Promise<boolean> }[];
      for (const output of outputs) expect(await output.isKnown).toBe(false);
    });
    expect(await ours.newCounts()).toEqual({});
  });
});
