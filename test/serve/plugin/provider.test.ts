import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { stateIn } from "../../../src/provider/engine/stack-state";
import { UNKNOWN } from "../../../src/provider/base/values";
import { type Rig, startRig } from "../../helpers/lifecycle";
import { type PluginProcess, type Properties, secretsIn } from "../../helpers/plugin";
import { pluginClock, servePlugin } from "../../helpers/plugin/in-process";
import { ask, checkedIn, diffIn } from "../../helpers/plugin/engine-client";
import { toStruct } from "../../helpers/plugin/wire";
import { eventually, ROOT } from "../../helpers/programs";

const TOKEN = "a-token-that-nobody-may-see";
const SETTINGS = { "nodecloud:token": TOKEN, "nodecloud:baseUrl": "https://api.invalid/v4" };

let plugin: PluginProcess;
beforeAll(async () => {
  plugin = await servePlugin(
    { ...SETTINGS, "nodecloud:validate": "false" },
    { way: "plugin", clock: pluginClock() },
  );
});
afterAll(() => plugin.stop());

const text = (file: string) => readFileSync(join(ROOT, file), "utf8");

test("its schema is the file schema.json, and its version that of the package", async () => {
  const schema = await ask<provider.GetSchemaResponse>((done) =>
    plugin.client.getSchema(new provider.GetSchemaRequest(), done),
  );
  expect(schema.getSchema()).toBe(text("schema.json"));
  const info = await ask<{ getVersion(): string }>((done) => plugin.client.getPluginInfo(new Empty(), done));
  expect(info.getVersion()).toBe((JSON.parse(text("package.json")) as { version: string }).version);
});

test("the handshake promises secrets and names by the user's configuration", async () => {
  const answer = await ask<provider.ProviderHandshakeResponse>((done) =>
    plugin.client.handshake(new provider.ProviderHandshakeRequest(), done),
  );
  expect([answer.getAcceptSecrets(), answer.getSupportsAutonamingConfiguration()]).toEqual([true, true]);
});

async function checkConfig(settings: Properties) {
  const request = new provider.CheckRequest();
  request.setNews(toStruct(settings, true));
  return checkedIn(await ask<provider.CheckResponse>((done) => plugin.client.checkConfig(request, done)));
}

describe("the configuration", () => {
  test.each<[string, Properties]>([
    ["as text", { token: TOKEN, baseUrl: "https://api.example/v4", validate: "false", maxConcurrency: "3" }],
    ["as booleans and numbers", { validate: true, resume: false, maxConcurrency: 3 }],
    ["as lists", { deny: ["deletion:Domain"], allow: ["deletion:Domain:zone"] }],
    ["not known yet", { token: UNKNOWN, baseUrl: UNKNOWN, validate: UNKNOWN, maxConcurrency: UNKNOWN }],
    ["not set, because the environment may have it", {}],
  ])("is accepted %s, and the token is a secret", async (_, settings) => {
    const { inputs, failures } = await checkConfig(settings);
    expect(failures).toEqual([]);
    expect(inputs).toEqual(settings);
    expect(secretsIn(inputs)).toEqual("token" in settings ? ["token"] : []);
  });

  test.each<[string, Properties, string]>([
    ["validate", { validate: "maybe" }, "nodecloud:validate: must be true or false"],
    ["maxConcurrency", { maxConcurrency: 0 }, "must be a whole number from 1 to"],
    ["baseUrl", { baseUrl: "ftp://api.example" }, "nodecloud:baseUrl: must begin"],
    ["deny", { deny: ["loss"] }, "nodecloud:deny"],
    ["allow", { allow: ["deletion"] }, "nodecloud:allow"],
  ])("with a wrong %s is refused, and the refusal names it", async (property, settings, reason) => {
    const { failures } = await checkConfig(settings);
    expect(failures).toEqual([{ property, reason: expect.stringContaining(reason) }]);
  });

  test("with a wrong token is refused, and nothing shows the token", async () => {
    const { failures } = await checkConfig({ token: `${TOKEN}\nmore` });
    // The engine prints the value of a property that a failure names.
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining("nodecloud:token") }]);
    expect(JSON.stringify(failures)).not.toContain(TOKEN);
  });

  test("with a misspelt setting is refused, and nothing shows its value", async () => {
    const { failures } = await checkConfig({
      tokn: TOKEN,
      version: "1.2.3",
      pluginDownloadURL: "https://x.example",
    });
    const reason = "tokn is not a setting of the provider; did you mean token? [NC1602]";
    expect(failures).toEqual([{ property: "", reason }]);
  });

  describe("that changes", () => {
    const diff = async (olds: Properties, news: Properties, { client } = plugin) => {
      const request = new provider.DiffRequest();
      request.setUrn("urn:pulumi:dev::app::pulumi:providers:nodecloud::given");
      request.setOldInputs(toStruct(olds, true));
      request.setOlds(toStruct(olds, true));
      request.setNews(toStruct(news, true));
      return diffIn(await ask<provider.DiffResponse>((done) => client.diffConfig(request, done)));
    };
    const one = { token: "one", baseUrl: "https://one.example/v4", validate: "true" };
    const other = { ...one, baseUrl: "https://other.example/v4" };

    test("changes the provider in place", async () => {
      const news = { token: "two", baseUrl: UNKNOWN, validate: true };
      expect(await diff(one, news)).toMatchObject({
        changes: true,
        replaces: [],
        deleteBeforeReplace: false,
        details: { token: "update", baseUrl: "update" },
      });
      expect(await diff(one, one)).toMatchObject({ changes: false, details: {} });
    });

    test("its base URL replaces the provider, also one of dynamic resources, unless both lead to the same account", async () => {
      const replaced = { changes: true, replaces: ["baseUrl"] };
      expect(await diff(one, other)).toMatchObject(replaced);
      expect(await diff({ "nodecloud:baseUrl": one.baseUrl }, other)).toMatchObject(replaced);
      for (const same of [
        { ...one, baseUrl: "https://ONE.example/v4/" },
        { ...other, sameAccount: "true" },
      ])
        expect(await diff(one, same)).toMatchObject({ changes: true, replaces: [] });
    });

    test("to the base URL at which all its objects are replaces nothing: a run failed after the provider had changed", async () => {
      const at = (address: string, of: string) => ({
        urn: `urn:pulumi:dev::app::nodecloud:index:Node::${address}`,
        type: "nodecloud:index:Node",
        id: "1",
        provider: `urn:pulumi:dev::app::pulumi:providers:nodecloud::${of}::4fa8`,
        outputs: { __set: "region", __at: `${address}#000000` },
      });
      const replacesWith = async (settings: object, ...resources: object[]) => {
        const urn = "urn:pulumi:dev::app::pulumi:providers:nodecloud::given";
        const given = { urn, type: "pulumi:providers:nodecloud", inputs: settings };
        const state = stateIn({ resources: [given, ...resources] });
        const environment = { PULUMI_BACKEND_URL: "file:///state" };
        const options = { way: "plugin", clock: pluginClock(), state, environment } as const;
        const own = await servePlugin(SETTINGS, options);
        const { replaces } = await diff(one, other, own);
        await own.stop();
        return replaces;
      };
      const there = at("other.example", "given");
      const elsewhere = at("one.example", "another");
      expect(await replacesWith(one, there, elsewhere)).toEqual([]);
      expect(await replacesWith(one, there, at("one.example", "given"))).toEqual(["baseUrl"]);
      // Here the engine asks for a resource of another provider, which has the old settings.
      expect(await replacesWith(other, there, elsewhere)).toEqual(["baseUrl"]);
    });
  });

  test("denies what it has itself, and what the stack's configuration denies", async () => {
    const settings = { "nodecloud:deny": "data-loss" };
    const given = { ...SETTINGS, "nodecloud:deny": '["deletion:Domain"]' };
    const own = await servePlugin(given, { way: "plugin", clock: pluginClock(), settings });
    const urn = "urn:pulumi:dev::test::nodecloud:index:Domain::zone";
    const inputs = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
    await expect(own.delete({ urn, id: "1", inputs, outputs: inputs })).rejects.toThrow(
      "nodecloud:deny denies data-loss and deletion: ",
    );
    await own.stop();
  });

  test.each([
    ["a boolean", { token: TOKEN, baseUrl: "https://api.invalid/v4", validate: false }],
    ["text", { token: TOKEN, baseUrl: "https://api.invalid/v4", validate: "false" }],
    ["one of dynamic resources, from which an alias leads", { ...SETTINGS, "nodecloud:validate": "false" }],
  ])("takes a setting that is %s", async (_, settings) => {
    const request = new provider.ConfigureRequest();
    request.setArgs(toStruct(settings, true));
    const answer = await ask<provider.ConfigureResponse>((done) => plugin.client.configure(request, done));
    expect([answer.getAcceptsecrets(), answer.getSupportspreview()]).toEqual([true, true]);
    // It would ask the account, which nobody serves here.
    const checked = await plugin.check(
      { urn: "urn:pulumi:dev::test::nodecloud:index:Domain::zone" },
      { domain: "example.org", type: "master", soaEmail: "dns@example.org" },
    );
    expect(checked.failures).toEqual([]);
  });
});

describe("it refuses", () => {
  test("parameters", async () => {
    const request = new provider.ParameterizeRequest();
    await expect(ask((done) => plugin.client.parameterize(request, done))).rejects.toThrow(
      "nodecloud has no parameters",
    );
  });

  test.each(["Nothing", "constructor", "__proto__"])("the unknown resource %s", async (type) => {
    const urn = `urn:pulumi:dev::test::nodecloud:index:${type}::it`;
    await expect(plugin.check({ urn }, {})).rejects.toThrow(`there is no resource nodecloud:index:${type}`);
  });

  test("the unknown function", async () => {
    const request = new provider.InvokeRequest();
    request.setTok("nodecloud:index:getNothing");
    await expect(ask((done) => plugin.client.invoke(request, done))).rejects.toThrow(
      "there is no function getNothing",
    );
  });
});

describe("a cancelled run", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ Node: "nodes" }, {}, "plugin");
  });
  afterAll(() => rig.stop());

  test("ends its wait at once with the node in the state, and the next update completes it", async () => {
    const node = rig.resource("Node");
    const args = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", label: "cancelled" };
    rig.stopTime();
    const failed = expect(node.up(args)).rejects.toThrow(
      /^the run was cancelled, .*\. The object \d+ stays in the state, and the next `pulumi up` continues with it \[NC1406\]$/,
    );
    await eventually("the provider waits", () => node.progress()[0]);
    await ask((done) => rig.plugin.client.cancel(new Empty(), done));
    await failed;
    expect(node.initFailed).toBe(true);
    expect(node.id).not.toBe("");
    await rig.restart();
    rig.runTime();
    expect(await node.up(args)).toBe("updated");
    expect(node.outputs).toMatchObject({ label: "cancelled", status: "running" });
    expect(await node.preview(args)).toMatchObject({ changes: false });
    const { body } = await rig.emulator.call<{ data: unknown[] }>("GET", "/node/instances");
    expect(body.data).toHaveLength(1);
  });
});
