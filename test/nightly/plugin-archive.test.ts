import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodecloud } from "../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { testStack, type TestStack } from "../helpers/stack";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const PLATFORM = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
const NAME = `pulumi-resource-nodecloud-v${version}-${PLATFORM}.tar.gz`;

let out: string;
let emulator: TestEmulator;
let stack: TestStack;

const build = (folder: string) =>
  execFileSync(process.execPath, [join(ROOT, "scripts/dist.mjs"), "--out", join(out, folder), PLATFORM]);

const archive = (folder = "one") => join(out, folder, NAME);
const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** A program whose resources name the version of the plugin, as those of the SDKs do. */
const program = (options: object = {}) => `
const make = (type, name, args) =>
  new pulumi.CustomResource("nodecloud:index:" + type, name, args, ${JSON.stringify({ version, ...options })});
const zone = make("Domain", "zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
make("DomainRecordSet", "set", { domainId: zone.id, records: [{ type: "A", name: "www", target: "192.0.2.1" }] });
make("MysqlDatabase", "db", { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", label: "shop" });
make("Node", "web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", rootPass: "correct horse battery" });`;

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), "nodecloud-archive-"));
  build("one");
  emulator = await startTestEmulator({ speed: 60_000 });
});
afterAll(async () => {
  rmSync(out, { recursive: true });
  await emulator.stop();
});

beforeEach(async () => {
  stack = await testStack(emulator, program());
  // The engine must not find Node or another plugin for the plugin. Its own language host needs Node.
  stack.env["PULUMI_IGNORE_AMBIENT_PLUGINS"] = "true";
});
afterEach(() => stack.remove());

const plugin = () => join(stack.env["PULUMI_HOME"] ?? "", `plugins/resource-nodecloud-v${version}`);

const expectServed = async (meanwhile?: () => Promise<void>) => {
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.drift()).toMatchObject({ code: 0 });
  await meanwhile?.();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
};

test("equal sources give equal archives, whose checksums are listed", () => {
  build("two");
  expect(sha256(archive("two"))).toBe(sha256(archive()));
  expect(readFileSync(join(out, "one/SHA256SUMS"), "utf8")).toBe(`${sha256(archive())}  ${NAME}\n`);
  expect(statSync(archive()).size).toBeLessThan(60e6);
});

test("pulumi plugin install takes the archive, and its plugin runs where there is no Node", async () => {
  const install = ["plugin", "install", "resource", "nodecloud", `v${version}`, "--file", archive()];
  expect(await stack.pulumi(...install)).toMatchObject({ code: 0 });
  const executable = join(plugin(), "pulumi-resource-nodecloud");
  const told = execFileSync(executable, ["--version"], { env: { PATH: "/nowhere" }, encoding: "utf8" });
  expect(told).toBe(`${version}\n`);
  await expectServed(async () => {
    const context = { directory: stack.folder.path, environment: stack.env };
    const { stdout } = await nodecloud(["doctor", "--stack", "test"], context);
    expect(stdout).toMatch(
      new RegExp(`^ok +plugin +${version}, found by the installed plugins: .*${executable.slice(-60)}$`, "m"),
    );
  });
});

test("the engine downloads the archive of its platform from pluginDownloadURL", async () => {
  const asked: string[] = [];
  const server: Server = createServer(({ url = "" }, answer) => {
    asked.push(url);
    if (url !== `/files/${NAME}`) return void answer.writeHead(404).end();
    answer.setHeader("Content-Length", statSync(archive()).size);
    createReadStream(archive()).pipe(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    delete stack.env["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"];
    stack.program(program({ pluginDownloadURL: `http://127.0.0.1:${port}/files` }));
    await expectServed();
    expect(asked).toEqual([`/files/${NAME}`]);
    expect(existsSync(join(plugin(), "lib/schema.json"))).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
