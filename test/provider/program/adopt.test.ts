import * as pulumi from "@pulumi/pulumi";
import * as runtime from "@pulumi/pulumi/runtime/state";
import * as nodecloud from "../../../src";
import * as plugin from "../../../src/plugin";
import * as sdk from "../../../src/provider/program/sdk";
import { HIDDEN } from "../../../src/provider/state/hidden-names";
import { inProgram, takeMocksForTheEngine } from "../../helpers/program-run";

const { adopt } = nodecloud;
const TYPE = "pulumi-nodejs:dynamic/nodecloud:Node";

/** The functions of the SDK that the tests use and its types omit. */
const { withLocalStorage } = runtime as unknown as { withLocalStorage<Result>(run: () => Result): Result };
const { waitForRPCs } = pulumi.runtime as unknown as { waitForRPCs(): Promise<void> };

interface Logged {
  getSeverity(): number;
  getMessage(): string;
}

interface Outcome {
  /** The ids that resources import, by the names of the resources. */
  readonly imported: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  /** The error of the program. */
  readonly error?: unknown;
}

/** The severity of a warning, as the engine is told. */
const WARNING = 2;

/** Runs a program on its own. The state has the resources with these URNs. */
const run = (program: () => unknown, ...urns: readonly string[]): Promise<Outcome> =>
  withLocalStorage(async () => {
    const imported: Record<string, unknown> = {};
    const warnings: string[] = [];
    const outputs = Object.fromEntries(urns.map((urn) => [urn, { outputs: { [HIDDEN.set]: "region" } }]));
    await pulumi.runtime.setMocks(
      {
        newResource: ({ name, inputs }) => {
          const { [HIDDEN.importId]: id } = inputs as Record<string, unknown>;
          if (id !== undefined) imported[name] = id;
          return { id: `${name} id`, state: inputs as object };
        },
        call: () => ({ outputs }),
      },
      "project",
      "stack",
      false,
      "organization",
    );
    takeMocksForTheEngine();
    const { settings } = sdk.getStore() as { settings: { engine: unknown } };
    settings.engine = {
      setRootResource: (_: unknown, done: (error: null) => void) => done(null),
      log: (request: Logged, done: (error: null) => void) => {
        if (request.getSeverity() === WARNING) warnings.push(request.getMessage());
        done(null);
      },
    };
    const failure = await inProgram(() => {
      try {
        program();
        return {};
      } catch (error) {
        return { error };
      }
    });
    await waitForRPCs();
    return { imported, warnings, ...failure };
  });

const node = (name: string, opts: pulumi.CustomResourceOptions = {}) =>
  new nodecloud.Node(name, { region: "us-east", type: "g6-nanode-1" }, opts);

/** A component with a node of this name. */
class Site extends pulumi.ComponentResource {
  constructor(name: string, child: string, type = "my:Site", opts?: pulumi.ComponentResourceOptions) {
    super(type, name, {}, opts);
    node(child, { parent: this });
  }
}

test("a resource imports the id of its class and name, wherever it is in the program", async () => {
  const { imported, warnings } = await run(() => {
    adopt({ "Node web": "1", "Node a name": "2", "Node below": "3", "Domain web": "4" });
    node("web");
    node("other");
    node("a name");
    new Site("site", "below");
    new nodecloud.Domain("web.net", { domain: "web.net", type: "master", soaEmail: "dns@web.net" });
  });
  expect(imported).toEqual({ web: "1", "a name": "2", below: "3" });
  expect(warnings).toEqual([
    'adopt has keys that no resource of the program has: "Domain web". A component in its own plugin does not see them [NC1113]',
  ]);
});

test("the types of parents tell resources of one class and name apart", async () => {
  const { warnings } = await run(() => {
    adopt({
      "pulumi:pulumi:Stack$Node web": "1",
      "my:Site$Node web": "2",
      "my:Group$my:Site$Node web": "3",
      "Domain$DomainRecord web": "4/5",
    });
    node("web");
    new Site("site", "web");
    const group = new pulumi.ComponentResource("my:Group", "group");
    new Site("inner", "web", "my:Site", { parent: group });
    const zone = new nodecloud.Domain("zone", { domain: "web.net", type: "master", soaEmail: "dns@web.net" });
    new nodecloud.DomainRecord("web", { domainId: 4, type: "A", target: "192.0.2.1" }, { parent: zone });
  });
  expect(warnings).toEqual([]);
});

test("a key that several resources have is an error with the keys to write instead", async () => {
  const { error } = await run(() => {
    adopt({ "Node web": "1" });
    node("web");
    new Site("site", "web");
  });
  expect(String(error)).toContain(
    'adopt: several resources have the key "Node web": write "pulumi:pulumi:Stack$Node web" or "my:Site$Node web" instead',
  );
  const { imported } = await run(() => {
    adopt({ "Node web": "1", "my:Site$Node web": "2" });
    new Site("site", "web");
  });
  expect(imported).toEqual({ web: "2" });
});

test.each([
  ["the same", `urn:pulumi:stack::project::${TYPE}::web`],
  ["the same, served in the other way", "urn:pulumi:stack::project::nodecloud:index:Node::web"],
])("a resource that the state has imports nothing (%s)", async (_, urn) => {
  const program = () => {
    adopt({ "Node web": "1" });
    node("web", { ignoreChanges: ["label"] });
  };
  expect(await run(program, urn)).toEqual({ imported: {}, warnings: [] });
  const other = urn.replace("project::", "project::my:Site$");
  expect(await run(program, other)).toEqual({ imported: { web: "1" }, warnings: [] });
});

test("the option import stays as it is beside an equal id, and another id is an error with both", async () => {
  const program = (id: string) => () => {
    adopt({ "Node web": "1" });
    node("web", { import: id });
  };
  expect(await run(program("1"))).toEqual({ imported: { web: "1" }, warnings: [] });
  expect(String((await run(program("2"))).error)).toContain(
    'Node web: its option import is "2", and adopt has the id "1" for it: remove one of the two',
  );
});

test.each([
  ["dynamic", nodecloud],
  ["plugin", plugin],
])("a resource that the program only reads adopts nothing (%s)", async (_, { Node }) => {
  const { warnings } = await run(() => {
    adopt({ "Node web": "1" });
    Node.get("web", "1");
  });
  expect(warnings).toHaveLength(1);
});

test("calls add up: the same id twice is one, and another id for a key is an error", async () => {
  const { imported } = await run(() => {
    adopt({ "Node web": "1" });
    node("web");
    adopt({ "Node web": "1", "Node api": "2" });
    node("api");
  });
  expect(imported).toEqual({ web: "1", api: "2" });
  const { error } = await run(() => [adopt({ "Node web": "1" }), adopt({ "Node web": "2" })]);
  expect(String(error)).toContain('adopt: "Node web": it has the ids "1" and "2"');
});

test.each([
  ["Node", "1", "a key is the class of a resource, a space and its name"],
  ["Node ", "1", "a key is the class of a resource, a space and its name"],
  ["", "1", "a key is the class of a resource, a space and its name"],
  ["Node web", "", 'the id must be a text, such as "123"'],
  ["Node web", 1, 'the id must be a text, such as "123"'],
  ["Node web", undefined, 'the id must be a text, such as "123"'],
])("the key %j with the id %j is an error that names the key", async (key, id, reason) => {
  const { error } = await run(() => adopt({ [key]: id as string }));
  expect(String(error)).toContain(`adopt: "${key}": ${reason}`);
});

test("an id for a resource that is declared already is an error", async () => {
  const late = (key: string) =>
    run(() => {
      new Site("site", "web");
      adopt({ [key]: "1" });
    });
  for (const key of ["Node web", "my:Site$Node web"]) {
    expect(String((await late(key)).error)).toContain(
      `adopt: "${key}": the resource is declared already: call adopt before`,
    );
  }
  expect((await late("Node api")).warnings).toHaveLength(1);
});

test("a call outside of a program is an error", () => {
  expect(() => adopt({ "Node web": "1" })).toThrow("adopt: no program runs here: call it in the program");
});

test("each run of a process has its own ids", async () => {
  await run(() => adopt({ "Node web": "1" }));
  expect((await run(() => node("web"))).imported).toEqual({});
});

test("a second copy of the package finds the ids", async () => {
  let copy = nodecloud;
  jest.isolateModules(() => {
    jest.doMock("@pulumi/pulumi/runtime/state", () => runtime);
    copy = jest.requireActual<typeof nodecloud>("../../../src");
  });
  expect(copy.adopt).not.toBe(adopt);
  const { imported } = await run(() => {
    copy.adopt({ "Node web": "1" });
    node("web");
  });
  expect(imported).toEqual({ web: "1" });
});

test("the warning waits for resources that depend on others, and names at most 20 keys", async () => {
  const { imported, warnings } = await run(() => {
    const many = Array.from({ length: 25 }, (_, index) => [`Node unused-${index}`, "1"]);
    adopt({ "Node last": "2", ...(Object.fromEntries(many) as Record<string, string>) });
    node("first").id.apply(() => node("second").id.apply(() => node("last")));
  });
  expect(imported).toEqual({ last: "2" });
  const [warning, ...others] = warnings;
  expect(others).toEqual([]);
  expect(warning).toMatch(/"Node unused-0", .*"Node unused-19" and 5 more\. A component/);
});

test("a test with mocks has no warning", async () => {
  const { warnings } = await run(() => {
    const { settings } = sdk.getStore() as { settings: { options: { monitorAddr: string } } };
    settings.options.monitorAddr = "mock";
    adopt({ "Node web": "1" });
  });
  expect(warnings).toEqual([]);
});

describe("the entries of NODECLOUD_IMPORT", () => {
  afterEach(() => {
    delete process.env["NODECLOUD_IMPORT"];
  });

  test.each([
    ["dynamic", nodecloud],
    ["plugin", plugin],
  ])("for this stack that no resource of the program has are in a warning (%s)", async (_, { Node }) => {
    const urn = (types: string, name: string, stack = "stack") =>
      `urn:pulumi:${stack}::project::${types}::${name}`;
    const own = [
      urn(TYPE, "web"),
      urn(`my:Site$nodecloud:index:Node`, "below"),
      urn(TYPE, "misspelt"),
      urn(`my:Other$${TYPE}`, "below"),
    ];
    const all = [...own, urn(TYPE, "web", "other")];
    process.env["NODECLOUD_IMPORT"] = all.map((one, index) => `${one}=${index}`).join();
    const { warnings } = await run(() => {
      new Node("web", { region: "us-east", type: "g6-nanode-1" });
      const site = new pulumi.ComponentResource("my:Site", "site");
      new Node("below", { region: "us-east", type: "g6-nanode-1" }, { parent: site });
    });
    expect(warnings).toEqual([
      'NODECLOUD_IMPORT has entries that no resource of the program has: "Node misspelt", "my:Other$Node below". A component in its own plugin does not see them [NC1113]',
    ]);
  });

  test("have no warning if resources have them all, or if the provider refuses the text", async () => {
    for (const text of [`urn:pulumi:stack::project::${TYPE}::web=1`, "web=1"]) {
      process.env["NODECLOUD_IMPORT"] = text;
      expect((await run(() => node("web"))).warnings).toEqual([]);
    }
  });
});
