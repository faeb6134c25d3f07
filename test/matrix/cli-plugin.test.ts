import { spawn } from "node:child_process";
import { everything } from "../engine/everything";
import { nodecloud, type Printed } from "../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type TestStack, testStack } from "../helpers/stack";

/** A stack whose resources the full plugin serves. */
async function pluginStack(emulator: Parameters<typeof testStack>[0]): Promise<TestStack> {
  const stack = await testStack(emulator);
  stack.way = "plugin";
  return stack;
}

const MORE = `
const other = new nodecloud.Domain("other", { domain: "example.net", type: "master", soaEmail: "dns@example.net" });
new nodecloud.DomainRecordSet("set", { domainId: other.id, exclusive: true, records: [
  { type: "A", target: "192.0.2.10" }, { type: "MX", target: "mx.example.net", priority: 10 },
] });
new nodecloud.DomainRecord("hidden", { domainId: zone.id, type: "TXT", name: "hidden", target: pulumi.secret("a-secret-text") });`;

const PLANTED = ["a-secret-text", "b-secret-text", "correct horse battery", "another horse battery"];

describe("a stack whose resources the full plugin serves", () => {
  let emulator: TestEmulator;
  let stack: TestStack;
  let idOf: (name: string) => string;

  const run = (...args: string[]): Promise<Printed> =>
    nodecloud(args, { directory: stack.folder.path, environment: stack.env });

  const drift = async () => {
    const { code, stdout } = await run("drift", "--stack", "test", "--format", "json");
    return { code, stdout, ...(JSON.parse(stdout) as { findings: object[]; gaps: object[] }) };
  };

  /** What a preview prints, as one object or as events. */
  const preview = ({ folder, env }: TestStack, streaming: "true" | ""): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn("pulumi", ["preview", "--json", "--non-interactive"], {
        cwd: folder.path,
        env: { ...env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: streaming },
      });
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
      child.on("error", reject);
      child.on("close", () => resolve(printed));
    });

  beforeAll(async () => {
    emulator = await startTestEmulator({ speed: 60_000 });
    stack = await pluginStack(emulator);
    stack.program(everything() + MORE);
    stack.folder.write("disk.img", "a small disk");
    expect(await stack.up()).toMatchObject({ code: 0 });
    const resources = (await stack.resources()) as { urn: string; id: string }[];
    idOf = (name) => resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id ?? "";
  });

  afterAll(async () => {
    stack.remove();
    await emulator.stop();
  });

  test("nodecloud report tells what changes lose, replace and update, and shows no secret", async () => {
    stack.program(
      (everything({ label: "web-two" }) + MORE)
        .replace(/"us-east"(?=.*engine: "mysql)/, '"us-west"')
        .replace("a-secret-text", "b-secret-text")
        .replace("mx.example.net", "mx2.example.net")
        .replace("correct horse battery", "another horse battery"),
    );
    for (const input of [await preview(stack, ""), await preview(stack, "true")]) {
      const { code, stdout } = await nodecloud(["report", "--format", "text"], { input });
      const lines = stdout.split("\n").map((line) => line.trim());
      expect(code).toBe(0);
      expect(lines[0]).toBe(
        "program/test: 6 changes: 3 lose data, 4 to replace (2 of them may be replaced), 2 to update",
      );
      expect(lines).toEqual(
        expect.arrayContaining([
          "MysqlDatabase mysql is replaced, because region changed, and the API has no operation to change it: the database's data and backups are lost",
          '~ region: "us-east" → "us-west"',
          "Node web is replaced, because rootPass changed: the node's disks, backups and addresses are lost",
          '~ label: "web-one" → "web-two"',
          "NodeBackupSnapshot snapshot may be replaced: nodeId is not known yet",
          "DomainRecord hidden is updated",
          "~ target: a secret value, which is not shown",
          "-   @ MX 10 mx.example.net",
          "+   @ MX 10 mx2.example.net",
        ]),
      );
      for (const secret of PLANTED) expect(stdout).not.toContain(secret);
    }
    stack.program(everything() + MORE);
  });

  test("nodecloud report names the object of each import", async () => {
    const adopting = await pluginStack(emulator);
    try {
      adopting.program(
        `new nodecloud.Domain("x", { domain: "example.net", type: "master", soaEmail: "dns@example.net" }, { import: "${idOf("other")}" });`,
      );
      for (const input of [await preview(adopting, ""), await preview(adopting, "true")]) {
        const { stdout } = await nodecloud(["report", "--format", "text"], { input });
        expect(stdout).toMatch(/^program\/test: 1 change: 1 to import$/m);
        expect(stdout).toContain(`Domain x is imported: adopts the existing object ${idOf("other")}`);
      }
    } finally {
      adopting.remove();
    }
  });

  test("nodecloud drift finds nothing after an up, and then what was changed outside of Pulumi", async () => {
    emulator.reset("requests");
    expect(await drift()).toMatchObject({ code: 0, findings: [], gaps: [], coverage: { percent: 100 } });

    await emulator.control("PATCH", `/objects/nodes/${idOf("web")}`, { label: "theirs", alerts: { cpu: 1 } });
    await emulator.control("PATCH", `/objects/records/${idOf("hidden").split("/")[1]}`, { target: "else" });
    await emulator.control("DELETE", `/objects/records/${idOf("caa").split("/")[1]}`);
    const body = { type: "A", name: "new", target: "192.0.2.77" };
    await emulator.call("POST", `/domains/${idOf("other")}/records`, { body });
    await emulator.call("POST", `/domains/${idOf("zone")}/records`, { body });
    emulator.reset("requests");

    const found = await drift();
    expect(found).toMatchObject({ code: 2, gaps: [] });
    expect(found.findings).toHaveLength(5);
    expect(found.findings).toEqual(
      expect.arrayContaining(
        [
          { kind: "unmanaged", type: "DomainRecord", label: "A new" },
          { kind: "deleted", type: "DomainRecord" },
          {
            kind: "changed",
            type: "Node",
            properties: expect.arrayContaining([
              { path: "label", expected: "web-one", live: "theirs" },
              { path: "alerts.cpu", expected: 81, live: 1 },
            ]),
          },
          { kind: "changed", type: "DomainRecord", properties: [{ path: "target", secret: true }] },
          {
            kind: "changed",
            type: "DomainRecordSet",
            members: [{ change: "added", live: "new A 192.0.2.77" }],
          },
        ].map((finding) => expect.objectContaining(finding)),
      ),
    );
    for (const secret of [...PLANTED, emulator.token]) expect(found.stdout).not.toContain(secret);
    expect(await emulator.writes()).toEqual([]);
  });
});

test("nodecloud drift reads one stack with both kinds of resources and explicit providers of both", async () => {
  const tokens = ["first-token", "second-token"];
  const users = [{ username: "ada", tokens: tokens.map((token) => ({ token, scopes: "*" as const })) }];
  const emulator = await startTestEmulator({ speed: 60_000, accounts: { users } });
  const away = await startTestEmulator({ speed: 60_000, accounts: { users } });
  const stack = await pluginStack({ url: emulator.url, token: "" });
  try {
    stack.program(`
      const domain = (from, name, provider) =>
        new from.Domain(name, { domain: name + ".example", type: "master", soaEmail: "a@b.example" }, { provider });
      const dynamic = require("pulumi-nodecloud");
      for (const [name, from] of Object.entries({ dynamic, plugin: nodecloud })) {
        const here = { token: pulumi.secret("first-token"), maxConcurrency: 4, validate: false };
        const there = { token: "second-token", baseUrl: "${away.url}" };
        domain(from, name + "-here", new from.Provider(name + "-here", here));
        domain(from, name + "-there", new from.Provider(name + "-there", there));
      }`);
    expect(await stack.up()).toMatchObject({ code: 0 });
    const { code, stdout } = await nodecloud(["drift", "--stack", "test", "--format", "json"], {
      directory: stack.folder.path,
      environment: stack.env,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      findings: [],
      gaps: [],
      notes: [],
      coverage: {
        rows: [emulator.url, away.url]
          .sort()
          .map((account) => ({ account, type: "Domain", objects: 2, managed: 2 })),
      },
    });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/(first|second)-token/);
  } finally {
    stack.remove();
    await Promise.all([emulator.stop(), away.stop()]);
  }
});
