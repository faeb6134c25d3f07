import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { declaredBy, type DeclaredResource, filesIn } from "../../helpers/adopting-program";
import { nodecloud, type Printed } from "../../helpers/command-line";
import { READER, startTestEmulator, type TestEmulator, withReader } from "../../helpers/emulator";
import { wholeAccount } from "../../helpers/whole-account";

let emulator: TestEmulator;
let folder: string;

beforeEach(async () => {
  emulator = await startTestEmulator({ accounts: withReader() });
  folder = mkdtempSync(join(tmpdir(), "import-program-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await emulator.stop();
});

const run = (args: readonly string[], signal?: AbortSignal, token = emulator.token): Promise<Printed> =>
  nodecloud(["import", ...args], {
    directory: folder,
    environment: { NODECLOUD_TOKEN: token, NODECLOUD_BASE_URL: emulator.url },
    ...(signal === undefined ? {} : { signal }),
  });

async function create(path: string, body: object): Promise<string> {
  const answer = await emulator.call(path.startsWith("/") ? "POST" : "PUT", path, { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return String(answer.body["id"]);
}

const domain = (name: string, more: object = {}): Promise<string> =>
  create("/domains", { domain: name, type: "master", soa_email: "dns@example.org", ...more });

/** Sets fields of an object that the API itself would refuse. */
const store = async (kind: string, id: string, fields: object): Promise<void> => {
  const { status, body } = await emulator.control("PATCH", `/objects/${kind}/${id}`, fields);
  if (status !== 200) throw new Error(JSON.stringify(body));
};

const programIn = (name: string) => declaredBy(join(folder, name));
const namesOf = (resources: readonly DeclaredResource[], type: string): string[] =>
  resources.filter((one) => one.type === type).map(({ name }) => name);

test("two runs write equal files, and neither changes the account", async () => {
  await wholeAccount(emulator);
  emulator.reset("requests");
  expect(await run(["--out", "a/infra"])).toMatchObject({ code: 0, stderr: "" });
  expect(await run(["--out", "b/infra"])).toMatchObject({ code: 0, stderr: "" });
  expect(filesIn(join(folder, "b/infra"))).toEqual(filesIn(join(folder, "a/infra")));
  expect(readdirSync(folder).sort()).toEqual(["a", "b"]);
  expect(await emulator.writes()).toEqual([]);
});

test("an image sets its source to undefined, because the API does not show it and the types require one", async () => {
  await wholeAccount(emulator);
  expect(await run(["--out", "infra"])).toMatchObject({ code: 0, stderr: "" });
  expect(filesIn(join(folder, "infra"))["images.ts"]).toContain(
    '{ label: "golden image", description: "a disk", source: undefined }',
  );
});

test("the service's own images are no part of the summary, as they are in each account", async () => {
  const { stdout } = await run(["--out", "infra"]);
  expect(stdout).toBe("Nothing was written: there is nothing to adopt.\n");
});

test("--plugin writes a program whose resources the full plugin serves, and says where it is", async () => {
  await domain("example.org");
  expect(await run(["--out", "infra", "--plugin"])).toMatchObject({ code: 0, stderr: "" });
  const files = filesIn(join(folder, "infra"));
  expect(files["domains/example-org.ts"]).toMatch(
    /^import \* as nodecloud from "pulumi-nodecloud\/plugin";$/m,
  );
  expect(parse(files["Pulumi.yaml"] ?? "")).toMatchObject({
    plugins: { providers: [{ name: "nodecloud", path: "node_modules/.bin" }] },
  });
});

test.each([[[]], [["--protect"]]])(
  "the ids are in adopt.ts, which the program imports first, and in no resource (%p)",
  async (args) => {
    const zone = await domain("example.org");
    const node = await create("/node/instances", { region: "us-east", type: "g6-nanode-1", label: "adopt" });
    emulator.clock.advance(3600);
    const { stdout } = await run(["--out", "infra", ...args]);
    const files = filesIn(join(folder, "infra"));
    expect(files["index.ts"]).toBe('import "./adopt";\nimport "./domains/example-org";\nimport "./nodes";\n');
    expect(files["adopt.ts"]).toBe(
      "// Delete this file and its line in index.ts after the `pulumi up` that adopts these objects: other stacks would adopt them too.\n" +
        'import * as nodecloud from "pulumi-nodecloud";\n\n' +
        `nodecloud.adopt({ "Domain example.org": "${zone}", "Node adopt": "${node}" });\n`,
    );
    for (const { options, imports } of programIn("infra")) {
      expect(options).toEqual(args.length === 0 ? {} : { protect: true });
      expect(imports).toBeDefined();
    }
    expect(stdout).toContain("adopt.ts: 2 ids");
    expect(stdout).toContain(
      "then delete adopt.ts and its line in index.ts: with them, other stacks adopt the same objects, and a deleted object is not created again",
    );
  },
);

test("labels and texts of any kind are in the program as they are in the account", async () => {
  const texts = ['"quotes" \\ ${x} `y` */ // \u2028', "a\nb\r\nc", "日本 🎉", "</script>", "import"];
  const labels = ["class", "1-old", "ПРИВЕТ", "日本", "🎉", "default", "import", "node_1", "NODE-1"];
  for (const [index, label] of labels.entries()) {
    const id = await create("/node/instances", {
      region: "us-east",
      type: "g6-nanode-1",
      label: `node-${index}`,
    });
    await store("nodes", id, { label, status: "offline", tags: texts });
  }
  const zones = ["con.example", "a-b.example", "a.b.example", `${"x".repeat(60)}.${"y".repeat(60)}.example`];
  for (const [index, zone] of zones.entries()) await domain(zone, { description: texts[index] });

  expect(await run(["--out", "infra"])).toMatchObject({ code: 0, stderr: "" });
  const program = programIn("infra");
  expect(namesOf(program, "Node").sort()).toEqual([...labels].sort());
  for (const { args } of program.filter(({ type }) => type === "Node")) expect(args["tags"]).toEqual(texts);
  expect(program.filter(({ type }) => type === "Domain").map(({ args }) => args["description"])).toEqual(
    expect.arrayContaining(texts.slice(0, zones.length)),
  );
});

test("the tag by which an object names another stack is not in the program, and the summary says whose it is", async () => {
  const id = await domain("example.org", { tags: ["a", "pulumi:shop/prod"] });
  const { code, stdout } = await run(["--out", "infra"]);
  expect(code).toBe(0);
  expect(programIn("infra").map(({ args }) => args["tags"])).toEqual([["a"]]);
  expect(stdout).toContain(`tags of Domain example.org (${id}): `);
  expect(stdout).toContain("it has the tag pulumi:shop/prod of the stack that created the object.");
});

test("defaults are left out, except those that decide who has access and whether a domain is served", async () => {
  await domain("example.org");
  await create("/databases/mysql/instances", {
    ...{ label: "shop", region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" },
  });
  emulator.clock.advance(3600);
  expect(await run(["--out", "infra"])).toMatchObject({ code: 0, stderr: "" });
  const [zone, shop] = ["Domain", "MysqlDatabase"].map((type) =>
    programIn("infra").find((one) => one.type === type),
  );
  expect(zone?.args).toEqual({
    ...{ domain: "example.org", type: "master", soaEmail: "dns@example.org" },
    ...{ status: "active", axfrIps: [] },
  });
  expect(shop?.args).toMatchObject({ allowList: [] });
  expect(shop?.args).not.toHaveProperty("clusterSize");
});

test("equal records are adopted each by its id, beside the set of the others", async () => {
  const zone = await domain("example.org");
  const record = (body: object) => create(`/domains/${zone}/records`, { type: "A", name: "www", ...body });
  const one = await record({ target: "192.0.2.1" });
  const two = await record({ target: "192.0.2.1", ttl_sec: 300 });
  await record({ target: "192.0.2.2" });
  expect(await run(["--out", "infra"])).toMatchObject({ code: 0, stderr: "" });
  const program = programIn("infra");
  const singles = program.filter(({ type }) => type === "DomainRecord");
  expect(singles.map(({ name, imports: id }) => [name, id])).toEqual([
    ["www.example.org-A", `${zone}/${one}`],
    ["www.example.org-A-2", `${zone}/${two}`],
  ]);
  const [set] = program.filter(({ type }) => type === "DomainRecordSet");
  expect(set?.args).toEqual({
    domainId: `Domain ${zone}`,
    zoneFile: "$ORIGIN example.org.\nwww A 192.0.2.2\n",
  });
});

test("an object whose type needs a value that it does not have is left out, and is said", async () => {
  const bare = await domain("bare.example");
  await store("domains", bare, { soa_email: "" });
  const slave = await create("/domains", {
    domain: "slave.example",
    type: "slave",
    master_ips: ["192.0.2.1"],
  });
  await store("domains", slave, { master_ips: [] });
  const bad = await domain("bad.example");
  await create(`/domains/${bad}/records`, { type: "CNAME", name: "www", target: "example.org" });
  const a = await create(`/domains/${bad}/records`, { type: "A", name: "www", target: "192.0.2.1" });
  await store("records", a, { target: "no address" });

  const { code, stdout } = await run(["--out", "infra"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    `Domain bare.example (${bare}): no program can declare it: soaEmail is required, and the object has no value for it`,
  );
  expect(stdout).toContain(
    `DomainRecord A www (${bad}/${a}): no program can declare it: target must be an IPv4 address`,
  );
  const program = programIn("infra");
  expect(program.find(({ name }) => name === "slave.example")?.args).toMatchObject({ masterIps: [] });
  expect(program.map(({ name }) => name)).not.toContain("bare.example");
});

test("a busy object is left out with its status, and is written when it has ended", async () => {
  const id = await create("/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web" });
  await store("nodes", id, { status: "migrating" });
  const busy = await run(["--out", "infra"]);
  expect(busy).toMatchObject({ code: 0 });
  expect(busy.stdout).toContain(
    `Node web (${id}): its status is migrating: wait until that has ended, delete what this run has written, and run it again`,
  );
  expect(busy.stdout).toContain("Nothing was written");
  await store("nodes", id, { status: "offline" });
  expect(await run(["--out", "infra"])).toMatchObject({ code: 0 });
  expect(namesOf(programIn("infra"), "Node")).toEqual(["web"]);
});

test("what the ignore file names is left out with the reason until its last day", async () => {
  await domain("team.example", { tags: ["team-a"] });
  await domain("old.example");
  writeFileSync(
    join(folder, ".nodecloudignore"),
    "- { tags: team-a, reason: of another team }\n- { label: old.example, reason: soon gone, until: 2020-01-01 }\n",
  );
  const { stdout } = await run(["--out", "infra"]);
  expect(stdout).toMatch(/Domain team\.example \(\d+\): the ignore file names it: of another team\n/);
  expect(namesOf(programIn("infra"), "Domain")).toEqual(["old.example"]);
});

test("a reference to an object that is left out is its id", async () => {
  const zone = await domain("example.org");
  await create(`/domains/${zone}/records`, { type: "A", target: "192.0.2.1" });
  expect(await run(["--out", "infra", "--only", "domainrecordset"])).toMatchObject({ code: 0 });
  expect(programIn("infra")).toEqual([
    {
      type: "DomainRecordSet",
      name: "example.org",
      args: { domainId: zone, zoneFile: "$ORIGIN example.org.\n@ A 192.0.2.1\n" },
      options: {},
      imports: zone,
    },
  ]);
});

test.each([
  [
    ["--match", "*.example"],
    ["a.example", "b.example"],
  ],
  [
    ["--match", "tag:dns", "--match", "{b,nothing}.*"],
    ["b.example", "c.org"],
  ],
  [["--only", "Node"], []],
])("%j chooses the domains %j with their records", async (args, names) => {
  for (const name of ["a.example", "b.example", "c.org"]) {
    const zone = await domain(name, name === "c.org" ? { tags: ["dns"] } : {});
    await create(`/domains/${zone}/records`, { type: "A", target: "192.0.2.1" });
  }
  expect(await run(["--out", "infra", ...args])).toMatchObject({ code: 0, stderr: "" });
  if (names.length === 0) return expect(readdirSync(folder)).toEqual([]);
  const program = programIn("infra");
  expect(namesOf(program, "Domain")).toEqual(names);
  expect(namesOf(program, "DomainRecordSet")).toEqual(names);
});

test("no name has a star, which a target of the engine takes for a pattern", async () => {
  const zone = await domain("example.org");
  await create(`/domains/${zone}/records`, { type: "A", name: "*", target: "192.0.2.1" });
  expect(await run(["--out", "infra", "--style", "single"])).toMatchObject({ code: 0, stderr: "" });
  expect(namesOf(programIn("infra"), "DomainRecord")).toEqual(["wildcard.example.org-A"]);
});

test("--only reads the kinds that it names, and no others but those above them", async () => {
  await wholeAccount(emulator);
  emulator.reset("requests");
  expect(await run(["--out", "dns", "--only", "DomainRecord,Image"])).toMatchObject({ code: 0, stderr: "" });
  expect(Object.keys(await emulator.counts()).sort()).toEqual([
    "GET /v4/domains",
    "GET /v4/domains/:id/records",
    "GET /v4/images",
  ]);
});

test("with a read_only token, the summary says once which objects were not read, and the rest is written", async () => {
  await wholeAccount(emulator);
  const { code, stdout, stderr } = await run(["--out", "infra"], undefined, READER);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(
    `  the MysqlDatabaseBackup and PostgresqlDatabaseBackup objects at ${emulator.url} were not read: listing them needs the scope databases:read_write`,
  );
  expect(stdout.split("databases:read_write")).toHaveLength(2);
  expect(stdout).not.toContain("warning");
  const types = new Set(programIn("infra").map(({ type }) => type));
  expect(types).toContain("MysqlDatabase");
  expect(types).not.toContain("MysqlDatabaseBackup");
});

test("a folder that has only the files of a repository gets the program, and keeps these files", async () => {
  await domain("example.org");
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, "README.md"), "ours");
  writeFileSync(join(folder, ".gitignore"), "ours");
  expect(await run([])).toMatchObject({ code: 0, stderr: "" });
  const { "README.md": readme, ".gitignore": ignored, ...files } = filesIn(folder);
  expect([readme, ignored]).toEqual(["ours", "ours"]);
  expect(Object.keys(files)).toEqual([
    "Pulumi.yaml",
    "adopt.ts",
    "domains/example-org.ts",
    "index.ts",
    "package.json",
    "tsconfig.json",
  ]);
});
