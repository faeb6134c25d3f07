import * as pulumi from "@pulumi/pulumi";
import { Domain, DomainRecord, Image, Node, Provider } from "../../../src";
import * as sdk from "../../../src/provider/program/sdk";
import { type Properties } from "../../../src/provider/base/values";
import { takeMocksForTheEngine } from "../../helpers/program-run";

/** The inputs of each resource that the engine received, by its name. */
const registered = new Map<string, Properties>();

beforeAll(async () => {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, type, id, inputs }) => {
        registered.set(name, { ...inputs, $type: type, $read: id });
        return { id: id === undefined || id === "" ? `${name} id` : id, state: inputs };
      },
      call: ({ inputs }) => inputs,
    },
    "project",
    "stack",
    false,
  );
  takeMocksForTheEngine();
});

async function handedOver(name: string, resource: pulumi.CustomResource): Promise<Properties> {
  await new Promise((resolve) => resource.id.apply(resolve));
  return registered.get(name) ?? {};
}

const base = { region: "us-east", type: "g6-nanode-1" };

test("the provider text of a resource is short and constant, and loads the installed package", async () => {
  const one = await handedOver(
    "one",
    new Domain("one", { domain: "one.example", type: "master", soaEmail: "dns@example.org" }),
  );
  const two = await handedOver(
    "two",
    new Domain("two", { domain: "two.example", type: "slave", masterIps: ["192.0.2.1"] }),
  );
  expect(one["__provider"]).toBe('exports.handler=()=>require("pulumi-nodecloud/runtime").Domain');
  expect(two["__provider"]).toBe(one["__provider"]);
});

test("a resource has the dynamic type of its class, and only the program's inputs, its URN and the provider text", async () => {
  const inputs = await handedOver(
    "plain",
    new DomainRecord("plain", { domainId: 12, type: "A", target: "192.0.2.1" }),
  );
  expect(inputs).toEqual({
    $type: "pulumi-nodejs:dynamic/nodecloud:DomainRecord",
    $read: "",
    domainId: 12,
    type: "A",
    target: "192.0.2.1",
    __urn: "urn:pulumi:stack::project::pulumi-nodejs:dynamic/nodecloud:DomainRecord::plain",
    __provider: expect.any(String) as string,
  });
});

test("a resource that can have an automatic name passes its name in the program", async () => {
  for (const [name, args] of [
    ["auto", base],
    ["byhand", { ...base, label: "mine" }],
  ] as const) {
    const inputs = await handedOver(name, new Node(name, args));
    expect(inputs).toMatchObject({ __resourceName: name });
  }
  expect(
    await handedOver(
      "never",
      new Domain("never", { domain: "never.example", type: "master", soaEmail: "dns@example.org" }),
    ),
  ).not.toHaveProperty("__resourceName");
});

test("import and customTimeouts, which the engine does not pass to dynamic providers, are hidden inputs", async () => {
  const node = new Node("old", base, { import: "12", customTimeouts: { create: "1h" } });
  expect(await handedOver("old", node)).toMatchObject({
    __importId: "12",
    __timeouts: { create: "1h" },
    $read: "",
  });
});

describe("the URN is passed", () => {
  const record = { domainId: 12, type: "A", target: "192.0.2.1" } as const;
  const TYPE = "pulumi-nodejs:dynamic/nodecloud:DomainRecord";
  const urnFor = async (name: string, opts?: pulumi.CustomResourceOptions) =>
    (await handedOver(name, new DomainRecord(name, record, opts)))["__urn"];

  test("as the engine has it, for a resource of the stack and for one in components", async () => {
    const outer = new pulumi.ComponentResource("app:Outer", "outer");
    const inner = new pulumi.ComponentResource("app:Inner", "inner", {}, { parent: outer });
    for (const [index, parent] of [undefined, outer, inner, inner].entries()) {
      const name = `child ${index}`;
      const urn = sdk.settling(pulumi.createUrn(name, TYPE, parent)).promise();
      expect(await urnFor(name, parent === undefined ? {} : { parent })).toBe(await urn);
    }
    expect(await urnFor("deep", { parent: inner })).toBe(
      `urn:pulumi:stack::project::app:Outer$app:Inner$${TYPE}::deep`,
    );
  });

  test("after the organization of the stack, if it has one", async () => {
    const { settings } = sdk.getStore() as { settings: { options: { organization?: string } } };
    settings.options.organization = "acme";
    expect(await urnFor("ours")).toBe(`acme/urn:pulumi:stack::project::${TYPE}::ours`);
    settings.options.organization = "organization";
    expect(await urnFor("local")).toBe(`urn:pulumi:stack::project::${TYPE}::local`);
  });
});

test("`get` passes only the id", async () => {
  const inputs = await handedOver("theirs", Node.get("theirs", "12"));
  expect(inputs["$read"]).toBe("12");
  expect(Object.keys(inputs).filter((key) => key.startsWith("__"))).toEqual(["__provider"]);
});

test("a secret input is a secret, even if the program sets it in plain text", async () => {
  const node = new Node("secret", {
    ...base,
    image: "node/debian12",
    rootPass: "correct horse",
    tags: ["a"],
  });
  expect(await pulumi.isSecret(node.rootPass)).toBe(true);
  expect(await pulumi.isSecret(node.tags)).toBe(false);
});

test("the source of an image can be a path or the path of an asset", async () => {
  const at = { region: "us-east" };
  const asset = new Image("asset", { ...at, source: new pulumi.asset.FileAsset("disk.img") });
  expect(await handedOver("asset", asset)).toMatchObject({ source: "disk.img" });
  expect(await handedOver("path", new Image("path", { ...at, source: "disk.img" }))).toMatchObject({
    source: "disk.img",
  });
});

test("an explicit provider has its settings, with the token as a secret", async () => {
  const provider = new Provider("staging", { token: "s3cret", baseUrl: "https://api.example/v4" });
  expect(await handedOver("staging", provider)).toMatchObject({
    $type: "pulumi:providers:pulumi-nodejs",
    // The SDK's form of a secret.
    "nodecloud:token": {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "s3cret",
    },
    "nodecloud:baseUrl": "https://api.example/v4",
  });
});

test.each([
  ["deny", "deletion:Domain", "data-loss", (ofStack: string) => [ofStack]],
  // A destruction reads anew what the stack allows.
  ["allow", "deletion:Domain:zone", "data-loss:MysqlDatabase:db", (ofStack: string) => [[ofStack]]],
])(
  "an explicit provider has its own list of %s together with that of the stack",
  async (name, own, ofStack, asPart) => {
    const key = `nodecloud:${name}`;
    pulumi.runtime.setConfig(key, ofStack);
    const given = async (args: object) => {
      const resource = `${name} ${Object.keys(args).length}`;
      return (await handedOver(resource, new Provider(resource, args)))[key];
    };
    expect(await given({ [name]: [own] })).toBe(JSON.stringify([own, ...asPart(ofStack)]));
    expect(await given({})).toBe(JSON.stringify(asPart(ofStack)));
    pulumi.runtime.setConfig(key, "");
  },
);

test("an explicit provider cannot undo that the stack sends only reads", async () => {
  const given = async (name: string, readOnly?: boolean) =>
    (await handedOver(name, new Provider(name, { ...(readOnly !== undefined && { readOnly }) })))[
      "nodecloud:readOnly"
    ];
  expect([await given("own", true), await given("no", false), await given("unset")]).toEqual([
    "true",
    "false",
    undefined,
  ]);
  pulumi.runtime.setConfig("nodecloud:readOnly", "true");
  expect([await given("undoing", false), await given("none")]).toEqual(["true", "true"]);
  pulumi.runtime.setConfig("nodecloud:readOnly", "");
});

test("a registration takes no stack traces, and does not change those of the program", () => {
  const limit = Error.stackTraceLimit;
  let during: number | undefined;
  const alias = {
    get name() {
      during = Error.stackTraceLimit;
      return "before";
    },
  };
  new DomainRecord("untraced", { domainId: 12, type: "A", target: "192.0.2.1" }, { aliases: [alias] });
  expect(during).toBe(0);
  expect(Error.stackTraceLimit).toBe(limit);
});

test("an error of a registration gives its position in the program", () => {
  const limit = Error.stackTraceLimit;
  const wrong = () => new DomainRecord("", { domainId: 12, type: "A", target: "192.0.2.1" });
  expect(wrong).toThrow(
    expect.objectContaining({ stack: expect.stringContaining("resource.test.ts") as string }),
  );
  expect(Error.stackTraceLimit).toBe(limit);
});

test("an explicit provider refuses a misspelt setting, so that no other account takes its place", () => {
  const misspelt = { baseURL: "https://api.example/v4" } as object;
  const make = () => new Provider("misspelt", misspelt);
  expect(make).toThrow("Provider misspelt: baseURL is not a setting of the provider; did you mean baseUrl?");
  // The language host prints no stack of it.
  expect(make).toThrow(pulumi.RunError);
});

test("an explicit provider passes its limit of concurrent requests as a string, or nothing if it is not set", async () => {
  const limited = new Provider("limited", { maxConcurrency: 4 });
  expect(await handedOver("limited", limited)).toMatchObject({ "nodecloud:maxConcurrency": "4" });
  expect(await handedOver("free", new Provider("free"))).not.toHaveProperty(["nodecloud:maxConcurrency"]);
});
