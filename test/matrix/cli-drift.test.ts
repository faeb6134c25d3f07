import { collectDrift } from "../../src/cli/drift/collect";
import { type Drift, type DriftFinding } from "../../src/cli/drift/findings";
import { nameInUrn } from "../../src/provider/describe/urn";
import { everything } from "../engine/everything";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";
import { contextIn } from "../helpers/command-line";

const MORE = `
const other = new nodecloud.Domain("other", { domain: "example.net", type: "master", soaEmail: "dns@example.net" });
new nodecloud.DomainRecordSet("set", { domainId: other.id, exclusive: true, records: [
  { type: "A", target: "192.0.2.10" }, { type: "MX", target: "mx.example.net", priority: 10 },
] });
new nodecloud.DomainRecord("hidden", { domainId: zone.id, type: "TXT", name: "hidden", target: pulumi.secret("a-secret-text") });`;

let emulator: TestEmulator;
let stack: TestStack;
let ids: Readonly<Record<string, string>>;

const drift = (
  { folder, env }: TestStack,
  selection: Partial<Parameters<typeof collectDrift>[2]> = {},
): Promise<Drift> =>
  collectDrift(
    contextIn({ directory: folder.path, environment: env }),
    { show: () => undefined, note: () => undefined },
    { directories: ["."], stacks: ["test"], all: false, ...selection },
  );

const nameOf = (finding: DriftFinding): string =>
  finding.kind === "unmanaged" ? `${finding.type} ${finding.label ?? ""}` : nameInUrn(finding.resource.urn);

const summary = ({ findings }: Drift) => findings.map((finding) => `${finding.kind} ${nameOf(finding)}`);

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator, everything() + MORE);
  stack.folder.write("disk.img", "a small disk");
  expect(await stack.up()).toMatchObject({ code: 0 });
  ids = Object.fromEntries(Object.entries(await stack.state()).map(([name, { id }]) => [name, id]));
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

test("right after an up there is nothing to report, and nothing is written", async () => {
  emulator.reset("requests");
  const found = await drift(stack);
  expect(found).toMatchObject({ findings: [], gaps: [], notes: [] });
  expect(found.coverage.length).toBeGreaterThan(8);
  expect(found.coverage.every(({ objects, managed }) => objects === managed)).toBe(true);
  expect(await emulator.writes()).toEqual([]);
});

/** Compares the states in the files of the backend. */
const driftOfFiles = ({ folder, env }: TestStack, token = env["NODECLOUD_TOKEN"]): Promise<Drift> => {
  const { PULUMI_BACKEND_URL: backend = "" } = env;
  return drift(
    { ...stack, env: { NODECLOUD_TOKEN: token, NODECLOUD_BASE_URL: env["NODECLOUD_BASE_URL"] } },
    { directories: [folder.path], stacks: [], states: [backend.replace("file://", "")] },
  );
};

test("right after an up there is nothing to report by the files of the backend, without the engine", async () => {
  expect(await driftOfFiles(stack)).toEqual({
    ...(await drift(stack)),
    stacks: [expect.objectContaining({ name: "test" })],
  });
});

test("stacks of one account know the objects of each other, and cost no more lists than one stack", async () => {
  await emulator.newCounts();
  await drift(stack);
  const ofOne = await emulator.newCounts();
  await stack.init("second");
  stack.program(
    `new nodecloud.Domain("second", { domain: "second.example", type: "master", soaEmail: "dns@second.example" });`,
  );
  expect(await stack.up("--stack", "second")).toMatchObject({ code: 0 });
  await emulator.newCounts();

  const both = await drift(stack, { stacks: [], all: true });
  const perDomain = "GET /v4/domains/:id/records";
  const { [perDomain]: records = 0, ...lists } = await emulator.newCounts();
  expect(both).toMatchObject({ findings: [], gaps: [] });
  expect(both.stacks.map(({ name }) => name)).toEqual(["second", "test"]);
  expect({ ...lists, [perDomain]: records - 1 }).toEqual(ofOne);

  expect(summary(await drift(stack))).toEqual(["unmanaged Domain second.example"]);
  expect(await stack.destroy("--stack", "second")).toMatchObject({ code: 0 });
  const empty = await drift(stack, { stacks: ["second", "test"] });
  const none = { ...stack.env, NODECLOUD_TOKEN: "" };
  expect((await drift({ ...stack, env: none }, { stacks: ["second"] })).gaps).toMatchObject([
    { what: "the account" },
  ]);
  expect(empty).toMatchObject({
    findings: [],
    gaps: [],
    notes: ["stack second of . has no resources of pulumi-nodecloud"],
  });
});

test("a kind that the token may not list is a gap, and the rest is reported", async () => {
  const refuse = (path: string) =>
    emulator.control("POST", "/faults", {
      method: "GET",
      path,
      effect: { status: 403, body: { errors: [{ reason: "Unauthorized" }] } },
    });
  await refuse("/v4/domains");
  await refuse("/v4/databases/mysql/instances/*/backups");
  const found = await drift(stack);
  expect(found.findings).toEqual([]);
  expect(found.gaps).toEqual([
    { what: `the Domain objects at ${emulator.url}`, reason: expect.stringContaining("domains:read_only") },
    { what: `the DomainRecord objects at ${emulator.url}`, reason: expect.any(String) },
  ]);
  expect(found.notes).toEqual([
    expect.stringMatching(/^the MysqlDatabaseBackup objects .* needs the scope databases:read_write/),
  ]);
  expect(found.coverage.map(({ type }) => type)).toContain("Node");
  expect(found.coverage.map(({ type }) => type)).not.toContain("Domain");
});

test("one wrong 404 does not make an object count as deleted", async () => {
  const { body } = await emulator.call<{ data: object[] }>("GET", "/domains");
  const short = { ...body, data: body.data.slice(1), results: 1 };
  await emulator.control("POST", "/faults", [
    { method: "GET", path: "/v4/domains", effect: { status: 200, body: short } },
    {
      method: "GET",
      path: "/v4/domains/*",
      effect: { status: 404, body: { errors: [{ reason: "Not found" }] } },
    },
  ]);
  expect(summary(await drift(stack))).toEqual([]);
});

test("a stack that cannot be read is an error, not an empty result", async () => {
  await expect(drift(stack, { stacks: ["missing"] })).rejects.toThrow(/no stack named 'missing' found/);
  expect(
    await stack.pulumi("stack", "change-secrets-provider", "passphrase", "--stack", "test"),
  ).toMatchObject({ code: 0 });
  const env = { ...stack.env, PULUMI_CONFIG_PASSPHRASE: "wrong" };
  await expect(drift({ ...stack, env })).rejects.toThrow(
    "cannot read stack test of .: its secrets cannot be decrypted: check PULUMI_CONFIG_PASSPHRASE",
  );
  const away = { ...stack.env, PULUMI_BACKEND_URL: "http://127.0.0.1:9/" };
  await expect(drift({ ...stack, env: away })).rejects.toThrow(/cannot read stack test of \.: /);
  await expect(drift(stack, { directories: ["nowhere"] })).rejects.toThrow("nowhere is not a folder");
});

test("an account that cannot be read is a gap, and without a token it is an error", async () => {
  const env = { ...stack.env, NODECLOUD_TOKEN: "wrong-token" };
  const { findings, gaps } = await drift({ ...stack, env });
  expect(findings).toEqual([]);
  expect(gaps).toContainEqual({
    what: "the objects of stack test of .",
    reason: expect.stringMatching(/cannot read the account at .*: .*check that the token/) as unknown,
  });
  const none = { ...stack.env, NODECLOUD_TOKEN: "" };
  await expect(drift({ ...stack, env: none })).rejects.toThrow(
    /stack test of \.: nodecloud:token is not set/,
  );
});

const changed = async (path: string, patch: Readonly<Record<string, unknown>>): Promise<void> => {
  expect(await emulator.control("PATCH", `/objects/${path}`, patch)).toMatchObject({ status: 200 });
};

test("changes, deletions and additions outside Pulumi are reported, and nothing else", async () => {
  await changed(`nodes/${ids["web"]}`, { label: "someone-else", alerts: { cpu: 1 }, hypervisor: "other" });
  await changed(`mysql/${ids["mysql"]}`, { allow_list: ["203.0.113.1/32"] });
  await changed(`records/${ids["hidden"]}`, { target: "another-secret-text" });
  await emulator.control("DELETE", `/objects/records/${ids["caa"]}`);
  const body = { label: "stray", region: "us-east", type: "g6-nanode-1" };
  await emulator.call("POST", "/node/instances", { body });
  const records = `/domains/${ids["other"]}/records`;
  await emulator.call("POST", records, { body: { type: "A", name: "new", target: "192.0.2.77" } });
  await emulator.call("POST", `/domains/${ids["zone"]}/records`, {
    body: { type: "A", name: "stray", target: "192.0.2.78" },
  });
  const { body: members } = await emulator.call<{ data: { id: number; type: string }[] }>("GET", records);
  const mx = members.data.find(({ type }) => type === "MX");
  await emulator.call("DELETE", `${records}/${mx?.id}`);
  emulator.reset("requests");

  const found = await drift(stack);

  expect(summary(found).sort()).toEqual([
    "changed hidden",
    "changed mysql",
    "changed set",
    "changed web",
    "deleted caa",
    "unmanaged DomainRecord A stray",
    "unmanaged Node stray",
  ]);
  const at = (name: string) => found.findings.find((finding) => nameOf(finding) === name);
  expect(at("web")).toMatchObject({
    type: "Node",
    label: "someone-else",
    resource: { source: { file: "index.js", line: 4 } },
    properties: expect.arrayContaining([
      { path: "label", expected: "web-one", live: "someone-else" },
      { path: "alerts.cpu", expected: 81, live: 1 },
    ]),
  });
  expect(at("hidden")).toMatchObject({ properties: [{ path: "target", secret: true }] });
  expect(at("set")).toMatchObject({
    label: "example.net",
    properties: [],
    members: [
      { change: "deleted", expected: "@ MX 10 mx.example.net" },
      { change: "added", live: "new A 192.0.2.77" },
    ],
  });
  expect(found.coverage).toContainEqual({
    account: emulator.url,
    type: "Node",
    objects: 2,
    managed: 1,
  });
  const byFiles = await driftOfFiles(stack);
  expect(summary(byFiles).sort()).toEqual(
    summary(found)
      .filter((line) => line !== "changed hidden")
      .sort(),
  );
  const printed = JSON.stringify([found, byFiles]);
  for (const secret of ["a-secret-text", "another-secret-text", emulator.token, "correct horse battery"]) {
    expect(printed).not.toContain(secret);
  }
  expect(await emulator.writes()).toEqual([]);
});

test("accounts are told apart by endpoint and user, and a token without the scope for images leaves a gap", async () => {
  const user = (username: string, tokens: Record<string, string[]>) => ({
    username,
    restricted: false,
    grants: [],
    tokens: Object.entries(tokens).map(([token, scopes]) => ({ token, scopes })),
  });
  const users = [user("ada", { "all-token": ["*"], "few-token": ["domains:read_write"] })];
  const [ours, theirs] = await Promise.all(
    [1, 2].map(() => startTestEmulator({ speed: 60_000, accounts: { users } })),
  );
  if (ours === undefined || theirs === undefined) throw new Error("no emulator");
  const own = await testStack(
    { url: ours.url, token: "all-token" },
    `const few = new nodecloud.Provider("few", { token: pulumi.secret("few-token") });
    const away = new nodecloud.Provider("away", { token: "all-token", baseUrl: "${theirs.url}" });
    const domain = (name, provider) => new nodecloud.Domain(name, { domain: name + ".example", type: "master", soaEmail: "a@b.example" }, { provider });
    domain("few", few); domain("away", away); domain("all");
    new nodecloud.Image("image", { source: "disk.img", region: "us-east" });`,
  );
  try {
    own.folder.write("disk.img", "a small disk");
    expect(await own.up()).toMatchObject({ code: 0 });
    const found = await drift(own);
    expect(found.findings).toEqual([]);
    expect(found.gaps.filter(({ what }) => what.endsWith(ours.url))).toEqual([]);
    expect(found.coverage.filter(({ type }) => type === "Domain")).toEqual(
      expect.arrayContaining([
        { account: ours.url, type: "Domain", objects: 2, managed: 2 },
        { account: theirs.url, type: "Domain", objects: 1, managed: 1 },
      ]),
    );

    const few = await drift({ ...own, env: { ...own.env, NODECLOUD_TOKEN: "few-token" } });
    expect(few.findings).toEqual([]);
    expect(few.gaps).toContainEqual({
      what: `the Image objects at ${ours.url}`,
      reason: expect.stringContaining("images:read_only"),
    });
    expect(JSON.stringify([found, few])).not.toMatch(/all-token|few-token/);
  } finally {
    own.remove();
    await Promise.all([ours.stop(), theirs.stop()]);
  }
});

test("projects in different backends are compared in one run, if each names its own", async () => {
  const account = await startTestEmulator({ speed: 60_000 });
  const projects = await Promise.all(
    ["here", "there"].map((name) =>
      testStack(
        account,
        `new nodecloud.Domain("${name}", { domain: "${name}.example", type: "master", soaEmail: "a@b.example" });`,
      ),
    ),
  );
  const [here, there] = projects;
  if (here === undefined || there === undefined) throw new Error("no stack");
  try {
    for (const { folder, env, up } of projects) {
      expect(await up()).toMatchObject({ code: 0 });
      const backend = env["PULUMI_BACKEND_URL"];
      folder.write("Pulumi.yaml", `name: program\nruntime: nodejs\nbackend:\n  url: ${backend}\n`);
    }
    const env = { ...here.env, PULUMI_BACKEND_URL: undefined };
    const directories = projects.map(({ folder }) => folder.path);
    const both = await drift({ ...here, env }, { directories, stacks: [], all: true });
    expect(both).toMatchObject({ findings: [], gaps: [] });
    expect(both.stacks).toHaveLength(2);
    expect(summary(await drift({ ...here, env }))).toEqual(["unmanaged Domain there.example"]);
  } finally {
    here.remove();
    there.remove();
    await account.stop();
  }
});
