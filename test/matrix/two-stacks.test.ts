import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { nodecloud } from "../helpers/command-line";
import { testStack, type TestStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;
beforeAll(async () => {
  emulator = await startTestEmulator({ speed: AT_ONCE });
  stack = await testStack(emulator);
});
afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

const namesOf = async (kind: string, name: string) =>
  (await emulator.control<{ data: Record<string, unknown>[] }>("GET", `/objects/${kind}`)).body.data.map(
    (one) => one[name],
  );
const left = async () => [...(await namesOf("nodes", "label")), ...(await namesOf("domains", "domain"))];

/** The node and the domain of both stacks. */
const program = (node: unknown = {}, domain: unknown = {}) => `
const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", label: "web" }, ${JSON.stringify(node)});
const zone = new nodecloud.Domain("zone", { domain: "shop.example", type: "master", soaEmail: "dns@shop.example" }, ${JSON.stringify(domain)});
exports.ids = [web.id, zone.id];`;

test("a stack says what another stack manages, and does not delete it", async () => {
  expect(await stack.pulumi("stack", "init", "prod")).toMatchObject({ code: 0 });
  stack.program(program());
  expect(await stack.pulumi("up", "--yes", "--skip-preview", "--stack", "prod")).toMatchObject({ code: 0 });
  const { printed } = await stack.pulumi("stack", "output", "ids", "--json", "--stack", "prod");
  const [node, domain] = JSON.parse(printed) as [string, string];

  for (const way of ["plugin", "dynamic"] as const) {
    stack.way = way;
    stack.program(program({ import: node }, { import: domain }));
    const { printed: input } = await stack.pulumi("preview", "--json", "--stack", "test");
    const states = String(stack.env["PULUMI_BACKEND_URL"]).replace(/^file:\/\//, "");
    const report = await nodecloud(["report", "--deny", "shared", "--states", states], { input });
    expect(report).toMatchObject({ code: 2, stderr: "denied: 2 by --deny\n" });
    expect(report.stdout).toContain("Node web of the stack program/prod manages it too");
    expect(report.stdout).toContain("Domain zone of the stack program/prod manages it too");
  }
  const preview = await stack.pulumi("preview", "--stack", "test");
  expect(preview.code).toBe(0);
  expect(preview.printed).toContain(
    `imports the Node ${node}, which is also managed by Node web of the stack program/prod`,
  );
  expect(preview.printed).toContain("which is also managed by Domain zone of the stack program/prod");
  expect(await stack.pulumi("up", "--yes", "--skip-preview", "--stack", "test")).toMatchObject({ code: 0 });

  const refused = await stack.pulumi("destroy", "--yes", "--skip-preview", "--stack", "test");
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toContain("Node web of the stack program/prod");
  expect(await left()).toEqual(["web", "shop.example"]);

  // The other stack gives them up.
  const state = await stack.pulumi("stack", "export", "--stack", "prod");
  const { deployment } = JSON.parse(state.printed) as { deployment: { resources: { urn: string }[] } };
  for (const { urn } of deployment.resources.filter((one) => /::(web|zone)$/.test(one.urn)))
    await stack.pulumi("state", "delete", urn, "--yes", "--stack", "prod");
  expect(await stack.pulumi("destroy", "--yes", "--skip-preview", "--stack", "test")).toMatchObject({
    code: 0,
  });
  expect(await left()).toEqual([]);
});

test("an exclusive set leaves another stack's records alone, also if the command line is not on the PATH", async () => {
  const zone = `const zone = new nodecloud.Domain("area", { domain: "area.example", type: "master", soaEmail: "dns@area.example" });`;
  const record = `new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });`;
  expect(await stack.pulumi("stack", "init", "owner")).toMatchObject({ code: 0 });
  stack.program(`${zone}${record} exports.id = zone.id;`);
  expect(await stack.pulumi("up", "--yes", "--skip-preview", "--stack", "owner")).toMatchObject({ code: 0 });
  const { printed: id } = await stack.pulumi("stack", "output", "id", "--stack", "owner");

  // The folder on the PATH has only a script that runs the command line by its path, and hides it from what that runs.
  const command = execFileSync("which", ["pulumi"], { env: stack.env, encoding: "utf8" }).trim();
  const rest = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  stack.folder.write("bin/pulumi", `#!/bin/sh\nPATH=${rest} exec ${command} "$@"\n`);
  chmodSync(join(stack.folder.path, "bin/pulumi"), 0o755);
  const { PATH } = stack.env;
  stack.env["PATH"] = [join(stack.folder.path, "bin"), rest].join(delimiter);
  expect(await stack.pulumi("stack", "init", "other")).toMatchObject({ code: 0 });
  stack.program(
    `new nodecloud.DomainRecordSet("set", { domainId: "${id.trim()}", exclusive: true, records: [{ type: "A", name: "api", target: "192.0.2.1" }] });`,
  );
  const refused = await stack.pulumi("up", "--yes", "--skip-preview", "--stack", "other");
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toContain("DomainRecord www of the stack program/owner");
  expect(await namesOf("records", "name")).toEqual(["www"]);
  stack.env["PATH"] = PATH;
});
