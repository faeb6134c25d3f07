import * as pulumi from "@pulumi/pulumi";
import { Domain, DomainRecord, Image, MysqlDatabaseBackup, Node, Provider } from "../../src";
import { type Properties } from "../../src/provider/values";
import { takeMocksForTheEngine } from "../helpers/program-run";

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

test("a resource is of the dynamic type of its class, and has no inputs but those of the program and its name for messages", async () => {
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
    __programName: "plain",
    __provider: expect.any(String) as string,
  });
});

test("its name in the program is handed over where it may be named by it, and no organization where there is none", async () => {
  for (const [name, args] of [
    ["auto", base],
    ["byhand", { ...base, label: "mine" }],
  ] as const) {
    const inputs = await handedOver(name, new Node(name, args));
    expect(inputs).toMatchObject({ __resourceName: name });
    expect(inputs).not.toHaveProperty("__organization");
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

test("the URN is handed over where progress is to be shown, or a name may be another resource's", async () => {
  const zone = new Domain("zone", { domain: "zone.example", type: "master", soaEmail: "dns@example.org" });
  expect(await handedOver("zone", zone)).toMatchObject({ __urn: expect.stringMatching(/::zone$/) as string });
  expect(await handedOver("slow", new Node("slow", base))).toMatchObject({
    __urn: expect.stringMatching(/::slow$/) as string,
  });
  expect(await handedOver("backup", new MysqlDatabaseBackup("backup", { databaseId: 12 }))).toMatchObject({
    __urn: expect.stringMatching(/::backup$/) as string,
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
