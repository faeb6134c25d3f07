import * as pulumi from "@pulumi/pulumi";
import { Domain, DomainRecord, Image, Node, Provider } from "../../../src";
import * as sdk from "../../../src/provider/program/sdk";
import { type Properties } from "../../../src/provider/state/values";
import { takeMocksForTheEngine } from "../../helpers/program-run";

/** What the engine was handed of each resource, by its name. */
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

test("a resource leads to the installed package by a short constant text", async () => {
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

test("a resource is of the dynamic type of its class, and has no inputs but those of the program, its URN and the text", async () => {
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

test("its name in the program is handed over where it may be named by it", async () => {
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

test("import and customTimeouts, which a dynamic provider is not told, are handed over as hidden inputs", async () => {
  const node = new Node("old", base, { import: "12", customTimeouts: { create: "1h" } });
  expect(await handedOver("old", node)).toMatchObject({
    __importId: "12",
    __timeouts: { create: "1h" },
    $read: "",
  });
});

describe("the URN is handed over", () => {
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

  test("behind the organization of the stack, where it has one", async () => {
    const { settings } = sdk.getStore() as { settings: { options: { organization?: string } } };
    settings.options.organization = "acme";
    expect(await urnFor("ours")).toBe(`acme/urn:pulumi:stack::project::${TYPE}::ours`);
    settings.options.organization = "organization";
    expect(await urnFor("local")).toBe(`urn:pulumi:stack::project::${TYPE}::local`);
  });
});

test("`get` hands over nothing but the id", async () => {
  const inputs = await handedOver("theirs", Node.get("theirs", "12"));
  expect(inputs["$read"]).toBe("12");
  expect(Object.keys(inputs).filter((key) => key.startsWith("__"))).toEqual(["__provider"]);
});

test("what is secret by nature is a secret, though the program gives it in the clear", async () => {
  const node = new Node("secret", {
    ...base,
    image: "node/debian12",
    rootPass: "correct horse",
    tags: ["a"],
  });
  expect(await pulumi.isSecret(node.rootPass)).toBe(true);
  expect(await pulumi.isSecret(node.tags)).toBe(false);
});

test("the source of an image is the path of an asset, or a path", async () => {
  const at = { region: "us-east" };
  const asset = new Image("asset", { ...at, source: new pulumi.asset.FileAsset("disk.img") });
  expect(await handedOver("asset", asset)).toMatchObject({ source: "disk.img" });
  expect(await handedOver("path", new Image("path", { ...at, source: "disk.img" }))).toMatchObject({
    source: "disk.img",
  });
});

test("an explicit provider has the settings, the token as a secret", async () => {
  const provider = new Provider("staging", { token: "s3cret", baseUrl: "https://api.example/v4" });
  expect(await handedOver("staging", provider)).toMatchObject({
    $type: "pulumi:providers:pulumi-nodejs",
    // As the SDK hands secrets over.
    "nodecloud:token": {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "s3cret",
    },
    "nodecloud:baseUrl": "https://api.example/v4",
  });
});

test("a registration takes no stack traces, and leaves those of the program as they are", () => {
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

test("an error of a registration says where in the program it is", () => {
  const limit = Error.stackTraceLimit;
  const wrong = () => new DomainRecord("", { domainId: 12, type: "A", target: "192.0.2.1" });
  expect(wrong).toThrow(
    expect.objectContaining({ stack: expect.stringContaining("resource.test.ts") as string }),
  );
  expect(Error.stackTraceLimit).toBe(limit);
});

test("an explicit provider hands its number of requests at a time over as a text, and none where none is set", async () => {
  const limited = new Provider("limited", { maxConcurrency: 4 });
  expect(await handedOver("limited", limited)).toMatchObject({ "nodecloud:maxConcurrency": "4" });
  expect(await handedOver("free", new Provider("free"))).not.toHaveProperty(["nodecloud:maxConcurrency"]);
});
