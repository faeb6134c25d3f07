import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "../../src";
import { declarations } from "../../src/functions/declarations";
import { inProgram, valueOf } from "../helpers/program-run";

type Called = pulumi.runtime.MockCallArgs;
type Untyped = Readonly<Record<string, (args?: unknown, opts?: object) => unknown>>;

const untyped = nodecloud as unknown as Untyped;
let calls: Called[];

/** Sets mocks as a user's test does: without a token, an address or a server. */
function mock(call: (args: Called) => object | Promise<object>, preview = false): void {
  calls = [];
  void pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs, type }) => ({
        id: preview && !type.startsWith("pulumi:providers:") ? undefined : `${name}-id`,
        state: inputs as object,
      }),
      call: (args) => {
        calls.push(args);
        return call(args);
      },
    },
    "project",
    "stack",
    preview,
  );
}

const settings = ["NODECLOUD_TOKEN", "NODECLOUD_BASE_URL"] as const;
const before = settings.map((name) => process.env[name]);
beforeAll(() => settings.forEach((name) => Reflect.deleteProperty(process.env, name)));
afterAll(() => settings.forEach((name, at) => before[at] === undefined || (process.env[name] = before[at])));

const isKnown = (output: unknown) => (output as { isKnown: Promise<boolean> }).isKnown;

describe("in a unit test with mocks", () => {
  test.each([...declarations.keys()])(
    "%s and its output ask the mock, with the program's arguments",
    async (name) => {
      mock(({ token }) => ({ token, password: "p" }));
      const args = { id: 12, filter: { "specs.memory": [1024], label: undefined } };
      const given = (await untyped[name]?.(args)) as { token: string };
      expect(given.token).toBe(`nodecloud:index:${name}`);
      const output = untyped[`${name}Output`]?.({ id: pulumi.output(12), filter: args.filter });
      expect(await valueOf(output as pulumi.Output<unknown>)).toMatchObject({ token: given.token });
      const called = {
        token: given.token,
        inputs: { id: 12, filter: { "specs.memory": [1024] } },
        provider: "",
      };
      expect(calls).toStrictEqual([called, called]);
    },
  );

  test("a function without arguments passes an empty object to the mock", async () => {
    mock(() => ({ nodes: [{ label: "mocked" }] }));
    expect((await nodecloud.getNodes()).nodes).toEqual([{ label: "mocked" }]);
    expect(await valueOf(nodecloud.getNodesOutput().nodes)).toEqual([{ label: "mocked" }]);
    expect(calls.map(({ inputs }) => inputs as object)).toStrictEqual([{}, {}]);
  });

  test("each call asks the mock again", async () => {
    mock(() => ({ label: `web-${calls.length}` }));
    await inProgram(async () => {
      expect((await nodecloud.getNode({ id: 1 })).label).toBe("web-1");
      expect((await nodecloud.getNode({ id: 1 })).label).toBe("web-2");
    });
  });

  test("a mock can answer with a promise, with outputs, or with nothing", async () => {
    mock(() => new Promise((resolve) => setImmediate(resolve, { label: pulumi.output("web") })));
    expect((await nodecloud.getNode({ id: 1 })).label).toBe("web");
    expect(await valueOf(nodecloud.getNodeOutput({ id: 1 }).label)).toBe("web");
    mock(() => undefined as unknown as object);
    expect(await nodecloud.getNode({ id: 1 })).toEqual({});
  });

  test("an error from a mock is passed on unchanged", async () => {
    const own = new TypeError("no such node in this test");
    mock(() => {
      throw own;
    });
    await expect(nodecloud.getNode({ label: "web" })).rejects.toBe(own);
    await expect(valueOf(nodecloud.getNodeOutput({ label: "web" }))).rejects.toBe(own);
    mock(() => Promise.reject(own));
    await expect(nodecloud.getNode({ label: "web" })).rejects.toBe(own);
  });

  test("the credentials' password stays secret, and so does a result that the mock or an argument makes secret", async () => {
    mock(() => ({ username: "root", password: "planted" }));
    const { username, password } = await nodecloud.getMysqlDatabaseCredentials({ databaseId: 12 });
    expect(username).toBe("root");
    expect(await valueOf(password)).toBe("planted");
    expect(await pulumi.isSecret(password)).toBe(true);
    const whole = nodecloud.getMysqlDatabaseCredentialsOutput({ databaseId: 12 });
    expect(await valueOf(whole)).toEqual({ username: "root", password: "planted" });
    expect(await pulumi.isSecret(whole)).toBe(true);

    expect(await pulumi.isSecret(nodecloud.getNodeOutput({ label: "web" }))).toBe(false);
    expect(await pulumi.isSecret(nodecloud.getNodeOutput({ label: pulumi.secret("web") }))).toBe(true);
    mock(() => ({ label: pulumi.secret("web") }));
    expect(await pulumi.isSecret(nodecloud.getNodeOutput({ id: 12 }))).toBe(true);
    mock(() => ({ username: "root", password: pulumi.secret("planted") }));
    const { password: own } = await nodecloud.getMysqlDatabaseCredentials({ databaseId: 12 });
    expect([await valueOf(own), await pulumi.isSecret(own)]).toEqual(["planted", true]);
  });

  test("the promise form refuses outputs, as in a run", async () => {
    mock(() => ({}));
    await expect(untyped["getNode"]?.({ label: pulumi.output("web") })).rejects.toThrow(
      "get Node: does not accept outputs; use getNodeOutput",
    );
    expect(calls).toEqual([]);
  });

  test("the mock receives the provider, also the one of a component", async () => {
    mock(() => ({}));
    const provider = new nodecloud.Provider("staging", { token: "planted" });
    const component = new pulumi.ComponentResource(
      "test:index:Component",
      "component",
      {},
      { providers: [provider] },
    );
    await nodecloud.getNode({ id: 1 }, { provider });
    await valueOf(nodecloud.getNodeOutput({ id: 1 }, { parent: component }));
    const reference = `${await valueOf(provider.urn)}::staging-id`;
    expect(calls.map((call) => call.provider)).toEqual([reference, reference]);
  });

  test("in a preview, an output with an unknown argument or dependency is unknown, and the mock is not asked", async () => {
    mock(() => ({ label: "web" }), true);
    const zone = new nodecloud.Domain("zone", {
      domain: "a.example",
      type: "master",
      soaEmail: "dns@a.example",
    });
    expect(await isKnown(nodecloud.getDomainRecordsOutput({ domainId: zone.id }))).toBe(false);
    expect(await isKnown(nodecloud.getNodesOutput({}, { dependsOn: zone }))).toBe(false);
    expect(calls).toEqual([]);
    expect(await valueOf(nodecloud.getNodeOutput({ id: 1 }).label)).toBe("web");
  });
});
