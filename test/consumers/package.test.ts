import { existsSync } from "node:fs";
import { join } from "node:path";
import { engineEnvironment } from "../../scripts/environment.cjs";
import * as functions from "../../src/functions";
import * as resources from "../../src/sdk";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { installedVersion, npmInstall, packThis, type Project, userProject } from "../helpers/packed";

/** A user's project with the packed package, installed from its archive as from the registry. */
let project: Project;
let emulator: TestEmulator;

const write = (file: string, content: string) => project.write(file, content);
const run = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  project.run(command, args, { env });

beforeAll(async () => {
  project = userProject();
  project.write("package.json", { name: "consumer", version: "1.0.0", private: true });
  const versions = ["@pulumi/pulumi", "typescript", "@types/node"].map(
    (name) => `${name}@${installedVersion(name)}`,
  );
  await npmInstall(project, await packThis(project.path), ...versions);
  emulator = await startTestEmulator({ speed: 60_000 });
});

afterAll(async () => {
  await emulator?.stop();
  project?.remove();
});

const others = ["NodePool", "Provider", "adopt", "workspaceSettings"];
const exported = [...Object.keys(functions), ...Object.keys(resources), ...others].sort();

test("a CommonJS program can require every entry of the package", async () => {
  write(
    "entries.cjs",
    `const nodecloud = require("pulumi-nodecloud");
     const { createClient } = require("pulumi-nodecloud/api");
     const { startEmulator } = require("pulumi-nodecloud/emulator");
     console.log(JSON.stringify([Object.keys(nodecloud).sort(), typeof createClient, typeof startEmulator]));`,
  );
  expect(JSON.parse(await run("node", ["entries.cjs"]))).toEqual([exported, "function", "function"]);
});

test("an ES-module program can import every name from the package, and the client reaches the emulator", async () => {
  write(
    "entries.mjs",
    `import { ${exported.join(", ")} } from "pulumi-nodecloud";
     import { createClient } from "pulumi-nodecloud/api";
     import { startEmulator } from "pulumi-nodecloud/emulator";
     const emulator = await startEmulator();
     const client = createClient({ baseUrl: emulator.url, token: emulator.token });
     const regions = [];
     for await (const region of client.regions.list.all()) regions.push(region.id);
     await emulator.stop();
     console.log(JSON.stringify([[${exported.join(", ")}].map((entry) => typeof entry), regions.includes("us-east")]));`,
  );
  expect(JSON.parse(await run("node", ["entries.mjs"]))).toEqual([exported.map(() => "function"), true]);
});

test.each(["cts", "mts"])(
  "a TypeScript program in a .%s file compiles against the types of the package",
  async (kind) => {
    write(
      `main.${kind}`,
      `import * as nodecloud from "pulumi-nodecloud";
     import { createClient, isNotFound, type Client } from "pulumi-nodecloud/api";
     import { startEmulator } from "pulumi-nodecloud/emulator";
     const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
     new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
     export const memory: Promise<number | undefined> = nodecloud.getNode({ label: "web" }).then(({ specs }) => specs?.memory);
     export const records = nodecloud.getDomainRecordsOutput({ domainId: zone.id, filter: { type: ["A"] } }).records;
     // @ts-expect-error -- there is no such field
     void nodecloud.getNodes({ filter: { lable: "web" } });
     // @ts-expect-error -- there is no such type of record
     new nodecloud.DomainRecord("bad", { domainId: zone.id, type: "B" });
     // @ts-expect-error -- the region is required
     new nodecloud.Node("bad", { type: "g6-nanode-1" });
     export const name: Promise<string> = (createClient({ baseUrl: "" }) satisfies Client).domains
       .get({ domainId: 1 }).then(({ domain }) => domain, (error: unknown) => String(isNotFound(error)));
     export const url: Promise<string> = startEmulator().then((emulator) => emulator.url);`,
    );
    const compiler = "node_modules/typescript/bin/tsc";
    await run("node", [
      compiler,
      "--noEmit",
      "--strict",
      "--module",
      "node16",
      "--types",
      "node",
      `main.${kind}`,
    ]);
  },
);

test("the command nodecloud runs with npx, and checks the project", async () => {
  const env = { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url };
  const text = await run("npx", ["nodecloud", "doctor", "--format", "json"], env);
  const { checks } = JSON.parse(text) as { checks: { name: string; status: string }[] };
  const statuses = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
  expect(statuses).toMatchObject({ engine: "ok", settings: "ok", token: "ok" });
  // npm installs the newest SDK, which may be newer than the engine.
  expect(["ok", "warning"]).toContain(statuses["packages"]);
});

test("the package has the pages that the help of its commands names", async () => {
  const commands = ["check", "drift", "import", "report", "doctor", "recover"];
  const helps = await Promise.all(commands.map((command) => run("npx", ["nodecloud", command, "--help"])));
  const pages = helps.flatMap((help) => help.match(/docs\/[\w/-]+\.md/g) ?? []);
  expect(pages).toEqual(expect.arrayContaining(["docs/drift.md", "docs/import.md", "docs/recover.md"]));
  const folder = join(project.path, "node_modules/pulumi-nodecloud");
  expect(pages.filter((page) => !existsSync(join(folder, page)))).toEqual([]);
});

test("the emulator's command line runs with npx", async () => {
  expect(await run("npx", ["nodecloud-emulator", "--version"])).toContain(
    installedVersion("pulumi-nodecloud"),
  );
});

test("the emulator of the package serves its page, with the style and the script", async () => {
  const program = `
    const { startEmulator } = require("pulumi-nodecloud/emulator");
    startEmulator({ port: 0 }).then(async ({ url, stop }) => {
      const { origin } = new URL(url);
      const page = await (await fetch(origin)).text();
      const parts = [...page.matchAll(/(?:src|href)="([^"]*\\.(?:css|js|svg))"/g)].map(([, path]) => path);
      const answers = await Promise.all(parts.map((path) => fetch(origin + path)));
      console.log(answers.map(({ url, status }) => url.split("/").at(-1) + " " + status).join(", "));
      await stop();
    });`;
  expect((await run("node", ["-e", program])).trim()).toBe(
    "icon.svg 200, page.css 200, content.css 200, page.js 200",
  );
});

test("the engine deploys and destroys a program with the installed package", async () => {
  write("Pulumi.yaml", "name: consumer\nruntime: nodejs\nmain: program.cjs\n");
  write(
    "program.cjs",
    `const { Domain, Node } = require("pulumi-nodecloud");
     const zone = new Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
     const web = new Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
     exports.domain = zone.domain;`,
  );
  const [home, backend] = [join(project.path, "home"), join(project.path, "state")];
  const env = {
    ...engineEnvironment({ home, backend, passphrase: "test" }),
    NODECLOUD_TOKEN: emulator.token,
    NODECLOUD_BASE_URL: emulator.url,
  };
  const pulumi = (...args: string[]) => run("pulumi", [...args, "--non-interactive"], env);
  await pulumi("stack", "init", "test");
  await pulumi("up", "--yes", "--skip-preview");
  expect(await pulumi("stack", "output", "domain")).toContain("example.org");
  await pulumi("preview", "--expect-no-changes");
  await pulumi("destroy", "--yes", "--skip-preview");
  const left = await emulator.call("GET", "/node/instances");
  expect(left.body).toMatchObject({ results: 0 });
});
