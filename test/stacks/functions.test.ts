import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { deployedNode, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { UNKNOWN } from "../../src/provider/base/values";
import { testStack, type TestStack } from "../helpers/stack";
import { atNight } from "../helpers/whole";

const THEIR_TOKEN = "planted-token-3f8a";

let ours: TestEmulator;
let theirs: TestEmulator;
let stack: TestStack;

beforeAll(async () => {
  ours = await startTestEmulator({ speed: 60_000 });
  theirs = await startTestEmulator({
    speed: 60_000,
    accounts: { users: [{ username: "eve", tokens: [{ token: THEIR_TOKEN, scopes: "*" }] }] },
  });
});

beforeEach(async () => {
  for (const emulator of [ours, theirs]) await emulator.control("POST", "/reset");
  stack = await testStack(ours);
});

afterEach(() => stack.remove());
afterAll(async () => {
  await ours.stop();
  await theirs.stop();
});

const outputs = async () => {
  const { printed } = await stack.pulumi("stack", "output", "--json", "--show-secrets");
  return JSON.parse(printed) as Record<string, unknown>;
};
const RECORDS = "GET /v4/domains/:id/records";

test("a program has resources and data functions of several accounts", async () => {
  stack.program(`
    const other = new nodecloud.Provider("other", { token: "${THEIR_TOKEN}", baseUrl: "${theirs.url}" });
    const zone = (name, provider) => new nodecloud.Domain(
      name, { domain: name + ".example", type: "master", soaEmail: "dns@a.example" }, { provider });
    const mine = zone("ours");
    const foreign = zone("theirs", other);
    const names = (provider, dependsOn) =>
      nodecloud.getDomainsOutput({}, { provider, dependsOn }).domains.apply((domains) => domains.map(({ domain }) => domain));
    exports.ours = names(undefined, mine);
    exports.theirs = names(other, [foreign]);
    const found = nodecloud.getDomainOutput({ domain: foreign.domain }, { parent: foreign });
    new nodecloud.DomainRecord("www", { domainId: found.id, type: "A", name: "www", target: "192.0.2.1" }, { provider: other });`);
  expect(await stack.preview()).toMatchObject({ code: 0, steps: { create: 3 } });
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect(await outputs()).toEqual({ ours: ["ours.example"], theirs: ["theirs.example"] });
  expect((await stack.state())["www"]?.inputs).toMatchObject({
    domainId: (await stack.state())["theirs"]?.id,
  });
  expect(await stack.up()).toMatchObject({ code: 0, steps: { same: 3 } });
  expect(stack.rawState()).not.toContain(THEIR_TOKEN);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

test("a function whose argument comes from a new resource reads after the creation, and not in the preview", async () => {
  // Otherwise the requests would include the resources' lookups.
  stack.env["NODECLOUD_VALIDATE"] = "false";
  stack.program(`
    const zone = new nodecloud.Domain("zone", { domain: "a.example", type: "master", soaEmail: "dns@a.example" });
    const www = new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
    exports.records = nodecloud.getDomainRecordsOutput({ domainId: zone.id }, { dependsOn: www }).records.apply((r) => r.length);
    exports.byName = nodecloud.getDomainOutput({ domain: zone.domain }).id;
    exports.byIds = nodecloud.getDomainRecordOutput({ id: www.id }).target;`);
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  expect(await ours.newCounts()).toEqual({});
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  const zone = (await stack.state())["zone"];
  expect(await outputs()).toEqual({ records: 1, byName: zone?.id, byIds: "192.0.2.1" });
  // The objects exist now, so a preview reads them too.
  await ours.newCounts();
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  expect(await ours.newCounts()).toMatchObject({ [RECORDS]: 1, [`${RECORDS}/:id`]: 1 });
});

test("a function or get whose argument comes from a resource that changes reads after the change, and the preview says that more may change", async () => {
  const program = (description: string, option = "") => `
    const zone = new nodecloud.Domain("zone", {
      domain: "a.example", type: "master", soaEmail: "dns@a.example", description: "${description}" }, { ${option} });
    new nodecloud.DomainRecord("note", { domainId: zone.id, type: "TXT", name: "note",
      target: nodecloud.getDomainOutput({ id: zone.id }).description.apply((text) => text ?? "none") });
    new nodecloud.DomainRecord("got", { domainId: zone.id, type: "TXT", name: "got",
      target: nodecloud.Domain.get("read", zone.id).description.apply((text) => text ?? "none") });
    exports.names = nodecloud.getDomainsOutput({}, { dependsOn: zone }).domains.apply((domains) => domains.map(({ domain }) => domain));`;
  stack.program(program("first"));
  await stack.up();
  stack.program(program("second"));
  expect(await stack.preview()).toMatchObject({ code: 0, steps: { update: 3 } });
  expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 3 } });
  for (const name of ["note", "got"])
    expect((await stack.state())[name]?.inputs).toMatchObject({ target: "second" });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });

  const { id } = (await stack.state())["zone"] ?? {};
  const described = "description.apply((text) => text ?? 'none')";
  const reading = (text: string) =>
    program(text) +
    `const note = (name, target) =>
      new nodecloud.DomainRecord(name, { domainId: "${id}", type: "TXT", name, target }, { dependsOn: zone });
    const same = note("same", "same");
    note("later", nodecloud.getDomainOutput({ id: "${id}" }, { dependsOn: same }).${described});
    note("inside", same.id.apply(() => nodecloud.Domain.get("inside", "${id}").${described}));
    exports.inside = same.id.apply(() => nodecloud.getDomain({ id: "${id}" })).description;`;
  stack.program(reading("third"));
  await stack.up();
  stack.program(reading("fourth"));
  const { code, steps, messages } = await stack.preview();
  expect({ code, steps }).toMatchObject({ code: 0, steps: { update: 5 } });
  expect(messages).toEqual([
    "get Domain: reads what this run changes (Domain zone), and `pulumi up` reads it after that, so this preview may be wrong: use getDomainOutput with dependsOn [NC1111]",
  ]);
  expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 5 } });

  const foreign = await testStack(ours, program("second", `import: "${id}", retainOnDelete: true`));
  try {
    // An import changes nothing, so the result is known.
    expect((await foreign.preview()).printed).toContain("second");
  } finally {
    foreign.remove();
  }
});

atNight("the result of a function can be imported, and read with get", async () => {
  const { body } = await ours.call("POST", "/node/instances", { body: { ...deployedNode, label: "there" } });
  stack.program(`
    module.exports = async () => {
      const there = await nodecloud.getNode({ label: "there" });
      return { label: nodecloud.Node.get("read", there.id).label, id: there.id };
    };`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await outputs()).toEqual({ label: "there", id: String(body["id"]) });
});

test("no state and no output contains a database's password in plain text", async () => {
  const base = { label: "shop", engine: "mysql/8.0.30", region: "us-east", type: "g6-standard-1" };
  const { id } = (await ours.call("POST", "/databases/mysql/instances", { body: base })).body;
  ours.clock.advance(3600);
  const { body } = await ours.call("GET", `/databases/mysql/instances/${id}/credentials`);
  const password = String(body["password"]);
  stack.program(`
    module.exports = async () => {
      const { username, password } = await nodecloud.getMysqlDatabaseCredentials({ databaseId: ${id} });
      const whole = nodecloud.getMysqlDatabaseCredentialsOutput({ databaseId: "${id}" });
      const zone = new nodecloud.Domain("zone", { domain: "a.example", type: "master", soaEmail: "dns@a.example" });
      new nodecloud.DomainRecord("secret", { domainId: zone.id, type: "TXT", name: "t", target: whole.password });
      console.log(username, String(password), { password });
      return { username, password, whole };
    };`);
  const printed = [
    await stack.pulumi("preview", "--diff"),
    await stack.pulumi("up", "--yes", "--skip-preview", "--diff"),
    await stack.pulumi("stack", "output"),
  ];
  for (const { code, printed: text } of printed) {
    expect(code).toBe(0);
    expect(text).toContain(String(body["username"]));
    expect(text).not.toContain(password);
  }
  expect(stack.rawState()).not.toContain(password);
  expect(await outputs()).toEqual({ username: body["username"], password, whole: body });
});

atNight("the example of docs/functions.md finds nodes and regions by their list fields", async () => {
  const create = async (label: string, tags: string[]) =>
    String(
      (await ours.call("POST", "/node/instances", { body: { ...deployedNode, label, tags } })).body["id"],
    );
  const both = await create("both", ["env:prod", "web", "eu"]);
  await create("one", ["web"]);
  const addressed = await create("addressed", []);
  await ours.control("PATCH", `/objects/nodes/${addressed}`, { ipv4: ["192.0.2.1", "192.0.2.7"] });
  const page = readFileSync(join(ROOT, "docs/functions.md"), "utf8");
  const [, example = ""] = /<!-- example: lists -->\n+```ts\n([^]*?)```/.exec(page) ?? [];
  stack.program(`
    module.exports = async () => {
      ${example}
      const label = new pulumi.Config().require("label");
      const wanted = pulumi.output([label]);
      const later = nodecloud.getNodesOutput({ filter: { tags: { any: wanted } } });
      return {
        tagged: tagged.nodes.apply((nodes) => nodes.map(({ id }) => id)),
        owner: owner.label,
        regions: regions.apply((regions) => regions.map(({ id }) => id)),
        later: later.nodes.apply((nodes) => nodes.map(({ label }) => label)),
      };
    };`);
  await stack.pulumi("config", "set", "label", "web");
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect(await outputs()).toEqual({
    tagged: [both],
    owner: "addressed",
    regions: expect.arrayContaining(["us-east"]) as string[],
    later: ["both", "one"],
  });
});

atNight("equal calls send one request per run", async () => {
  await ours.call("POST", "/node/instances", { body: { ...deployedNode, label: "there" } });
  stack.program(`
    module.exports = async () => {
      const calls = [1, 2, 3].flatMap(() => [
        nodecloud.getNodes({ sortBy: "label", order: "desc" }),
        nodecloud.getNodes({ order: "desc", sortBy: "label" }),
        nodecloud.getNode({ label: "there" }),
      ]);
      await Promise.all(calls);
      return { there: nodecloud.getNodeOutput({ label: "there" }).label, regions: (await nodecloud.getRegions()).regions.length };
    };`);
  await ours.newCounts();
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await ours.newCounts()).toEqual({ "GET /v4/node/instances": 1, "GET /v4/regions": 1 });
});

test("a call without a result ends the program with one line", async () => {
  for (const call of ["nodecloud.getNode", "nodecloud.getNodeOutput"]) {
    stack.program(`module.exports = async () => ({ node: await ${call}({ label: "nowhere" }) });`);
    const failed = await stack.preview();
    expect(failed.code).not.toBe(0);
    expect(failed.messages).toContain("get Node: there are no nodes [NC1109]");
    expect(failed.messages.join("\n")).not.toMatch(/\.js:\d+|Error:/);
  }
});

test("an inline program that reads another account than its workspace is refused, and its preview shows nothing of that account", async () => {
  stack.folder.write(
    "inline.js",
    `const { LocalWorkspace } = require("@pulumi/pulumi/automation");
     const [envVars, tag, stackName, entry] = JSON.parse(process.argv[2]);
     const nodecloud = require(entry);
     const projectSettings = nodecloud.workspaceSettings("inline", { main: __dirname });
     const record = async (opts) => {
       const { id } = await nodecloud.getDomain({ domain: "zone.example" }, opts);
       new nodecloud.DomainRecord("www", { domainId: id, type: "A", name: "www", target: "192.0.2.1" }, opts);
     };
     const given = () => new nodecloud.Provider("given", { token: envVars.NODECLOUD_TOKEN, baseUrl: envVars.NODECLOUD_BASE_URL });
     const programs = {
       node: async () => {
         const { ipv4 } = new nodecloud.Node("node", { region: "us-east", type: "g6-nanode-1", tags: [tag] });
         return { ipv4 };
       },
       read: () => record(),
       given: () => record({ provider: given() }),
     };
     (async () => {
       const program = programs[stackName];
       const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "inline", program }, { projectSettings, envVars });
       const events = [];
       const onEvent = (event) => events.push(event);
       const code = await stack.preview({ onEvent }).then(() => 0, () => 1);
       if (code === 0) await stack.up();
       const errors = events.flatMap(({ diagnosticEvent: said }) => (said?.severity === "error" ? [said.message] : []));
       const shown = events.flatMap(({ resOutputsEvent: one }) => one?.metadata.new?.type === "pulumi:pulumi:Stack" ? [one.metadata.new.outputs.ipv4] : []).at(-1);
       console.log(JSON.stringify({ code, errors, shown }));
     })();`,
  );
  const theirAccount = { NODECLOUD_TOKEN: THEIR_TOKEN, NODECLOUD_BASE_URL: theirs.url };
  const run = async (program: string, tag = "one", entry = "pulumi-nodecloud") => {
    const [script, given] = [
      join(stack.folder.path, "inline.js"),
      JSON.stringify([theirAccount, tag, program, entry]),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [script, given], {
      cwd: stack.folder.path,
      env: stack.env,
    });
    return JSON.parse(stdout) as { code: number; errors: string[]; shown: unknown };
  };
  const zone = { domain: "zone.example", type: "master", soa_email: "dns@zone.example" };
  for (const { call } of [ours, theirs]) await call("POST", "/domains", { body: zone });
  // Both accounts have a node with the same id.
  await ours.call("POST", "/node/instances", { body: { region: "us-east", type: "g6-nanode-1" } });
  expect(await run("node")).toMatchObject({ code: 0, errors: [] });
  const listed = async ({ call }: TestEmulator) =>
    (await call<{ data: { id: number }[] }>("GET", "/node/instances")).body.data.map(({ id }) => id);
  expect(await listed(ours)).toEqual(await listed(theirs));
  expect(await run("node", "two")).toEqual({ code: 0, errors: [], shown: UNKNOWN });
  const entry = stack.way === "plugin" ? "pulumi-nodecloud/plugin" : "pulumi-nodecloud";
  const refused = await run("read", "", entry);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.errors.join("\n")).toContain(
    `data functions of this program read at ${new URL(ours.url).host}, and its resources are at ${new URL(theirs.url).host}`,
  );
  expect(await run("given", "", entry)).toMatchObject({ code: 0, errors: [] });
  expect((await ours.newCounts())["POST /v4/domains/:id/records"]).toBeUndefined();
});
