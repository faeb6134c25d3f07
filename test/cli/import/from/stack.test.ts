import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { declaredBy, filesIn } from "../../../helpers/adopting-program";
import { nodecloud, type Printed } from "../../../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../../../helpers/emulator";

let emulator: TestEmulator;
let folder: string;
beforeEach(async () => {
  emulator = await startTestEmulator();
  folder = mkdtempSync(join(tmpdir(), "from-stack-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await emulator.stop();
});

const run = (...args: string[]): Promise<Printed> =>
  nodecloud(["import", ...args], {
    directory: folder,
    environment: { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url },
  });

async function create(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await emulator.call("POST", path, { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  emulator.clock.advance(3600);
  return answer.body;
}

/** Makes the objects of the stack, and writes its export with their ids and addresses. */
async function exported(): Promise<void> {
  let text = readFileSync(join(__dirname, "bridged-stack.json"), "utf8");
  const put = (stated: string, given: unknown) => (text = text.replaceAll(stated, String(given)));
  const zone = await create("/domains", {
    domain: "stack.example",
    type: "master",
    soa_email: "dns@example.org",
    tags: ["shop"],
  });
  for (const [name, node, record, address] of [
    ["eu", "48211007", "31772005", "172.234.18.11"],
    ["us", "48211014", "31772010", "172.234.18.12"],
  ] as const) {
    const made = await create("/node/instances", {
      ...{
        label: `stack-${name}`,
        region: "us-east",
        type: "g6-nanode-1",
        image: "node/debian12",
        tags: ["shop"],
      },
      root_pass: "correct horse battery",
    });
    const target = (made["ipv4"] as string[])[0];
    const own = { type: "A", name, target, ttl_sec: 300 };
    put(record, (await create(`/domains/${String(zone["id"])}/records`, own))["id"]);
    put(node, made["id"]);
    put(address, target);
  }
  const { id } = await create("/databases/mysql/instances", {
    label: "stack-shop",
    region: "us-east",
    type: "g6-standard-1",
    engine: "mysql/8.0.30",
  });
  put('"190403"', `"${String(id)}"`);
  put("2310403", zone["id"]);
  writeFileSync(join(folder, "stack.json"), text);
}

test("the program has the names, components and types of the stack, and adopts its objects without a write", async () => {
  await exported();
  emulator.reset("requests");
  const { code, stderr, stdout } = await run("--from-stack", "stack.json", "--out", "infra");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await emulator.writes()).toEqual([]);
  const { body } = await emulator.call<{ data: { ipv4: string[] }[] }>("GET", "/node/instances");
  const addresses = body.data.map(({ ipv4 }) => ipv4[0]);
  let at = 0;
  const outputs = (type: string) => (type === "Node" ? { ipv4: [addresses[at++]] } : {});
  const resources = declaredBy(join(folder, "infra"), "index.ts", outputs);
  expect(resources.map(({ type, name }) => `${type} ${name}`)).toEqual([
    "Domain zone",
    ...["Node eu-web", "DomainRecord eu-record", "Node us-web", "DomainRecord us-record"],
    "MysqlDatabase shop",
  ]);
  for (const { imports } of resources) expect(imports).toMatch(/^\d+(\/\d+)?$/);
  const files = filesIn(join(folder, "infra"));
  expect(files["components/site.ts"]).toContain('super("shop:index:Site", name, {}, opts);');
  expect(files["components/site.ts"]).toContain("new nodecloud.Node(\n      `${name}-web`");
  expect(files["main.ts"]).toMatch(/new Site\(\n {2}"eu",/);
  expect(files["main.ts"]).toContain('webRootPass: config.getSecret("euWebRootPass")');
  expect(files["components/site.ts"]).toContain("target: this.web.ipv4.apply((all) => all[0])");
  expect(stdout).toContain(
    "linode:index/firewall:Firewall::fw: the API reference does not show such objects",
  );
  expect(stdout).toContain(
    "random:index/randomPassword:RandomPassword::root: it belongs to another provider",
  );
  expect(stdout).toContain("leaving: the stack is about to delete it");
  expect(stdout).toContain("take its resources out of the state with pulumi state delete");
});

test("a secret within a list or a block is a secret of the program, and is printed nowhere", async () => {
  await exported();
  const file = join(folder, "stack.json");
  const stack = JSON.parse(readFileSync(file, "utf8")) as {
    deployment: { resources: { urn: string; inputs: object; outputs: object }[] };
  };
  const hidden = (text: string) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(text),
  });
  const values = (end: string, own: object) => {
    for (const one of stack.deployment.resources)
      if (one.urn.endsWith(end)) {
        Object.assign(one.inputs, own);
        Object.assign(one.outputs, own);
      }
  };
  values("::eu-web", {
    tags: [hidden("SECRET-1"), "shop"],
    authorizedKeys: [hidden("SECRET-2")],
    metadatas: [{ userData: hidden("SECRET-3") }],
    privateIp: hidden("SECRET-4"),
  });
  values("::us-web", { metadatas: hidden("SECRET-5") });
  values("::shop", { allowLists: [hidden("SECRET-6"), "192.0.2.5/32"] });
  writeFileSync(file, JSON.stringify(stack));
  const { code, stdout } = await run("--from-stack", "stack.json", "--out", "infra");
  expect(code).toBe(0);
  const program = Object.values(filesIn(join(folder, "infra"))).join("\n");
  expect(stdout + program).not.toContain("SECRET-");
  expect(stdout + program).not.toContain("plaintext");
  expect(program).toContain('config.getSecretObject<string[]>("euWebTags")');
  expect(program).toContain('config.getSecretObject<string[]>("euWebAuthorizedKeys")');
  expect(program).toContain('config.getSecret("euWebUserData")');
  expect(program).toContain('config.getSecretBoolean("euWebPrivateIp")');
  expect(program).toContain('config.getSecret("usWebUserData")');
  expect(stdout).not.toContain("must be a string");
});

test("what the program lacks of the stack is listed: protection, outputs and resources that are only read", async () => {
  await exported();
  const file = join(folder, "stack.json");
  const stack = JSON.parse(readFileSync(file, "utf8")) as {
    deployment: { resources: { urn: string; type: string }[] };
  };
  const { resources } = stack.deployment;
  const zone = resources.find(({ urn }) => urn.endsWith("::zone")) ?? { urn: "", type: "" };
  Object.assign(zone, { protect: true, ignoreChanges: ["tags"] });
  const read = { ...zone, urn: zone.urn.replace("::zone", "::other"), custom: true, external: true };
  resources.push(read);
  const root = resources.find(({ type }) => type === "pulumi:pulumi:Stack");
  Object.assign(root ?? {}, { outputs: { url: "https://example.org" } });
  writeFileSync(file, JSON.stringify(stack));
  const { stdout } = await run("--from-stack", "stack.json", "--out", "infra");
  expect(root).toBeDefined();
  expect(stdout).toContain(
    `${zone.urn}: the stack has protect and ignoreChanges for it, and the new program does not: write it, or use --protect for all`,
  );
  expect(stdout).toContain("1 output (url): the state has only values. Write outputs in index.ts:");
  expect(stdout).toContain(`${read.urn}: it is only read, so there is nothing to adopt`);
});

test.each([
  [
    "stack.json",
    "{}",
    /^error: stack\.json is not the state of a stack: pass the file of `pulumi stack export`/,
  ],
  ["stack.json", "no JSON", /^error: stack\.json is not the state of a stack/],
  ["missing.json", undefined, /^error: --from-stack: missing\.json does not exist: pass the file/],
  [".", undefined, /^error: there is no Pulumi\.yaml in \. or below it/],
])(
  "the stack %s with %j is an error in one line, and nothing is written",
  async (place, content, message) => {
    if (content !== undefined) writeFileSync(join(folder, place), content);
    const { code, stdout, stderr } = await run("--from-stack", place, "--out", "infra");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trimEnd()).toMatch(message);
    expect(existsSync(join(folder, "infra"))).toBe(false);
  },
);
