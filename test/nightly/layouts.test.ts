import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { engineEnvironment } from "../../scripts/environment.cjs";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import {
  installedVersion,
  npmInstall,
  pack,
  packThis,
  packThisAs,
  type Project,
  type RunOptions,
  userProject,
} from "../helpers/packed";

const PLAIN = 'exports.handler=()=>require("pulumi-nodecloud/runtime").Domain';
const sdk = { "@pulumi/pulumi": installedVersion("@pulumi/pulumi") };

let emulator: TestEmulator;
/** The archives of this package, of an older version of it, and of component packages that depend on each. */
let archives: { readonly own: string; readonly components: string; readonly olderComponents: string };
let store: Project;
const projects: Project[] = [];

const newProject = (): Project => {
  const project = userProject();
  projects.push(project);
  return project;
};

const components = `const pulumi = require("@pulumi/pulumi");
const nodecloud = require("pulumi-nodecloud");
exports.Zone = class extends pulumi.ComponentResource {
  constructor(name) {
    super("acme:index:Zone", name);
    const domain = name + ".example";
    this.zone = new nodecloud.Domain(name, { domain, type: "master", soaEmail: "dns@example.org" }, { parent: this });
  }
};`;
const usesComponents = `const { Zone } = require("@acme/components"); new Zone("zone");`;
const usesThePackage = `const { Domain } = require("pulumi-nodecloud");
  new Domain("zone", { domain: "zone.example", type: "master", soaEmail: "dns@example.org" });`;

const manifestOfComponents = (dependency: string) => ({
  name: "@acme/components",
  version: "1.0.0",
  dependencies: { "pulumi-nodecloud": dependency },
  peerDependencies: { "@pulumi/pulumi": "*" },
});

async function packComponents(name: string, dependency: string): Promise<string> {
  store.write(`${name}/package.json`, manifestOfComponents(`file:${dependency}`));
  store.write(`${name}/index.js`, components);
  return pack(join(store.path, name), join(store.path, name));
}

beforeAll(async () => {
  emulator = await startTestEmulator();
  store = newProject();
  const own = await packThis(store.path);
  const older = await packThisAs("0.0.1", store.path);
  archives = {
    own,
    components: await packComponents("components", own),
    olderComponents: await packComponents("older-components", older),
  };
});

afterAll(async () => {
  await emulator?.stop();
  for (const project of projects) project.remove();
});

/** Writes a program with its project file and its manifest. */
function writeProgram(
  project: Project,
  folder: string,
  source: string,
  manifest: object,
  { main }: { main?: string } = {},
): void {
  project.write(join(folder, "package.json"), {
    name: "program",
    version: "1.0.0",
    main: "index.js",
    ...manifest,
  });
  project.write(
    join(folder, "Pulumi.yaml"),
    `name: program\nruntime: nodejs\n${main === undefined ? "" : `main: ${main}\n`}`,
  );
  project.write(join(folder, main ?? ".", "index.js"), source);
}

/** The text of the zone's provider in the state after the creation. Afterwards the zone is previewed, refreshed and deleted. */
async function deployAndRemove(
  project: Project,
  { folder = ".", env = {} }: RunOptions = {},
): Promise<string> {
  const state = join(project.path, ".state", folder);
  const settings = {
    ...engineEnvironment({ home: join(project.path, ".home"), backend: state, passphrase: "test" }),
    ...env,
    NODECLOUD_TOKEN: emulator.token,
    NODECLOUD_BASE_URL: emulator.url,
  };
  const pulumi = (...args: string[]) =>
    project.run("pulumi", [...args, "--non-interactive"], { folder, env: settings });
  const zones = async () =>
    (await emulator.call<{ data: { domain: string }[] }>("GET", "/domains")).body.data.map(
      ({ domain }) => domain,
    );

  await pulumi("stack", "init", "test");
  await pulumi("up", "--yes", "--skip-preview");
  expect(await zones()).toEqual(["zone.example"]);
  await pulumi("preview", "--expect-no-changes");
  await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  const { deployment } = JSON.parse(await pulumi("stack", "export")) as {
    deployment: { resources: { type: string; outputs: { __provider: string } }[] };
  };
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(await zones()).toEqual([]);
  const zone = deployment.resources.find(({ type }) => type.endsWith(":Domain"));
  return zone?.outputs.__provider ?? "";
}

/** A package manager from the registry, in its own folder. */
async function packageManager(name: string, version: string, script: string) {
  const place = newProject();
  place.write("package.json", { private: true });
  await npmInstall(place, `${name}@${version}`);
  return join(place.path, "node_modules", name, script);
}

describe("npm", () => {
  let project: Project;

  beforeAll(async () => {
    project = newProject();
    project.write("package.json", { private: true, workspaces: ["packages/*"] });
    const direct = { dependencies: { "pulumi-nodecloud": `file:${archives.own}`, ...sdk } };
    writeProgram(project, "packages/infra", usesThePackage, { ...direct, name: "infra" });
    writeProgram(project, "packages/deep", usesThePackage, { ...direct, name: "deep" }, { main: "src" });
    const both = { ...direct.dependencies, "@acme/components": `file:${archives.olderComponents}` };
    writeProgram(project, "packages/both", usesComponents, { dependencies: both, name: "both" });
    await npmInstall(project);
  });

  test.each(["infra", "deep"])(
    "a program in a monorepo finds the package at its root with the short text: packages/%s",
    async (name) => {
      expect(await deployAndRemove(project, { folder: `packages/${name}` })).toBe(PLAIN);
    },
  );

  test("a program with its own copy of the package can use a component package that has another copy", async () => {
    const copies = await project.run("npm", ["ls", "pulumi-nodecloud", "--all", "--parseable", "--long"]);
    expect(copies).toContain("pulumi-nodecloud@0.0.1");
    expect(copies).toContain(`pulumi-nodecloud@${installedVersion("pulumi-nodecloud")}`);
    expect(await deployAndRemove(project, { folder: "packages/both" })).toBe(PLAIN);
  });

  test("a program finds the package nested in a component package", async () => {
    const nested = newProject();
    const dependencies = { "@acme/components": `file:${archives.components}`, ...sdk };
    writeProgram(nested, ".", usesComponents, { dependencies });
    await npmInstall(nested, "--install-strategy=nested");
    expect(await deployAndRemove(nested)).not.toBe(PLAIN);
  });
});

test("a program that pnpm installs without hoisting finds its own package, or that of a component package in the workspace", async () => {
  const pnpm = await packageManager("pnpm", "12.21.0", "bin/pnpm.mjs");
  const project = newProject();
  project.write("package.json", { private: true });
  project.write(
    "pnpm-workspace.yaml",
    `packages: ["packages/*"]\nhoist: false\nstoreDir: ${JSON.stringify(join(store.path, "pnpm"))}\n`,
  );
  const own = { "pulumi-nodecloud": `file:${archives.own}`, ...sdk };
  writeProgram(project, "packages/direct", usesThePackage, { name: "direct", dependencies: own });
  const shared = { "@acme/components": "workspace:*", ...sdk };
  writeProgram(project, "packages/shared", usesComponents, { name: "shared", dependencies: shared });
  project.write("packages/components/package.json", {
    ...manifestOfComponents(`file:${archives.own}`),
    devDependencies: sdk,
  });
  project.write("packages/components/index.js", components);
  await project.run(process.execPath, [pnpm, "install", "--ignore-scripts"], { env: { CI: "true" } });
  expect(await deployAndRemove(project, { folder: "packages/direct" })).toBe(PLAIN);
  expect(await deployAndRemove(project, { folder: "packages/shared" })).not.toBe(PLAIN);
});

test("a program that Yarn installs with Plug'n'Play finds the package of a component package", async () => {
  const yarn = await packageManager("@yarnpkg/cli-dist", "4.18.1", "bin/yarn.js");
  const registry = (await store.run("npm", ["config", "get", "registry"])).trim();
  const project = newProject();
  const dependencies = { "@acme/components": `file:${archives.components}`, ...sdk };
  writeProgram(project, ".", usesComponents, { dependencies });
  project.write("yarn.lock", "");
  const env = {
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_ENABLE_GLOBAL_CACHE: "false",
    YARN_ENABLE_TELEMETRY: "false",
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  };
  await project.run(process.execPath, [yarn, "install"], { env });
  // The value that `yarn exec pulumi` sets.
  const loader = pathToFileURL(join(project.path, ".pnp.loader.mjs")).href;
  const NODE_OPTIONS = `--require ${join(project.path, ".pnp.cjs")} --experimental-loader ${loader}`;
  expect(await deployAndRemove(project, { env: { NODE_OPTIONS } })).not.toBe(PLAIN);
});
