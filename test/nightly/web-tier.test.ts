import { chmodSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { exampleProject, installedVersion, type Project } from "../helpers/packed";
import { expectPicture } from "../helpers/picture";
import { type Commands, commandsIn } from "../helpers/stack";

let emulator: TestEmulator;
/** A copy of the example, with the packed package installed from its archive. */
let project: Project;
let pulumi: Commands;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  project = await exampleProject("web-tier", ["package.json", "policy/package.json"]);
  pulumi = commandsIn(project.path, emulator);
  // `npm run typecheck` has checked the types already.
  pulumi.env["PULUMI_NODEJS_TRANSPILE_ONLY"] = "true";
  for (const stack of ["dev", "prod"]) {
    // Somebody may have tried the example here with their own passphrase.
    const settings = `Pulumi.${stack}.yaml`;
    project.write(settings, source(settings).replace(/^encryptionsalt:.*\n/m, ""));
    expect(await pulumi.pulumi("stack", "init", stack)).toMatchObject({ code: 0 });
  }
});

afterAll(async () => {
  await emulator?.stop();
  project?.remove();
});

const source = (file: string) => readFileSync(join(project.path, file), "utf8");

interface Thing {
  readonly id: number;
  readonly label: string;
  readonly domain: string;
  readonly type: string;
  readonly name: string;
  readonly target: string;
  readonly ipv4: readonly string[];
  readonly tags: readonly string[];
  readonly allow_list: readonly string[];
  readonly hosts: { readonly primary: string };
}

/** The account's objects at a path of the API. */
const all = async (path: string) =>
  (await emulator.call<{ data: Thing[] }>("GET", path)).body.data as readonly Thing[];
const NODES = "/node/instances";
const DATABASES = "/databases/mysql/instances";
const recordsOf = ({ id }: Thing) => all(`/domains/${id}/records`);
const only = <Item>([item, ...others]: readonly Item[]): Item => {
  if (item === undefined || others.length > 0) throw new Error("there is not exactly one");
  return item;
};
const contentsOf = (records: readonly Thing[]) =>
  records.map(({ type, name, target }) => [type, name, target].join(" ")).sort();

test("its types and its tests pass with its own commands", async () => {
  await project.run("npm", ["run", "typecheck"]);
  expect(await project.run("npm", ["test"])).toMatch(/fail 0\n/);
});

test("its manifests name this version of the package", () => {
  const version = installedVersion("pulumi-nodecloud");
  expect(source("package.json")).toContain(`"file:vendor/pulumi-nodecloud-${version}.tgz"`);
  expect(source("policy/package.json")).toContain(`"file:../vendor/pulumi-nodecloud-${version}.tgz"`);
});

describe("dev", () => {
  beforeAll(async () => {
    expect(await pulumi.up("--stack", "dev")).toMatchObject({ code: 0, steps: { create: 6 } });
  });

  test("has three nodes that can use the database, and a zone with records for all of them", async () => {
    const addresses = (await all(NODES)).map(({ ipv4: [address] }) => address ?? "");
    expect(addresses).toHaveLength(3);
    const database = only(await all(DATABASES));
    expect([...database.allow_list].sort()).toEqual([...addresses].sort());
    const zone = only(await all("/domains"));
    expect(zone.domain).toBe("web-tier-dev.example");
    expect(contentsOf(await recordsOf(zone))).toEqual(
      [
        ...addresses.map((address) => `A  ${address}`),
        "CNAME www web-tier-dev.example",
        `CNAME db ${database.hosts.primary}`,
      ].sort(),
    );
  });

  test("has the resources in the picture of its README", async () => {
    const args = ["stack", "export", "--stack", "dev"];
    expectPicture("web-tier", await project.run("pulumi", args, { env: pulumi.env }));
  });

  test("has an empty preview afterwards", async () => {
    const { code, messages } = await pulumi.preview("--stack", "dev", "--expect-no-changes");
    expect({ code, messages }).toEqual({ code: 0, messages: [] });
  });

  test("previews a new tag as an update of only the resources with tags", async () => {
    const program = source("index.ts");
    project.write("index.ts", program.replace("pulumi.getStack()]", 'pulumi.getStack(), "blue"]'));
    const { steps, order, messages } = await pulumi.preview("--stack", "dev");
    project.write("index.ts", program);
    expect([...order].sort()).toEqual(["web-1 update", "web-2 update", "web-3 update", "web-zone update"]);
    expect({ steps, messages }).toEqual({ steps: { update: 4, same: 2 }, messages: [] });
  });

  test("previews a fourth node as one new node, one more allowed address and one more record", async () => {
    await pulumi.pulumi("config", "set", "nodeCount", "4", "--stack", "dev");
    const { order, planned, printed } = await pulumi.preview("--stack", "dev", "--diff");
    await pulumi.pulumi("config", "rm", "nodeCount", "--stack", "dev");
    expect([...order].sort()).toEqual(["web-4 create", "web-db update", "web-records update"]);
    const { allow_list } = only(await all(DATABASES));
    expect(planned["web-db"]?.["allowList"]).toHaveLength(allow_list.length + 1);
    expect(printed).toContain("DomainRecordSet web-records: records: 1 to create");
  });

  test("finds that somebody opened the database and deleted a record, and repairs both", async () => {
    const { id, allow_list } = only(await all(DATABASES));
    const zone = only(await all("/domains"));
    const records = await recordsOf(zone);
    const www = only(records.filter(({ name }) => name === "www"));
    await emulator.call("PUT", `${DATABASES}/${id}`, { body: { allow_list: ["0.0.0.0/0"] } });
    await emulator.call("DELETE", `/domains/${zone.id}/records/${www.id}`);

    const found = await pulumi.pulumi(
      ...["refresh", "--preview-only", "--expect-no-changes", "--json", "--stack", "dev"],
    );
    expect(found.code).not.toBe(0);
    expect(found.drifted).toEqual(["web-db.allowList", "web-records.records"]);

    expect(await pulumi.up("--refresh", "--stack", "dev")).toMatchObject({ code: 0 });
    expect(only(await all(DATABASES)).allow_list).toEqual(allow_list);
    expect(contentsOf(await recordsOf(zone))).toEqual(contentsOf(records));
  });
});

describe("prod, in the same account", () => {
  /**
   * The language host that this repository builds cannot start policy packs: "could not read plugin [policy]: not supported". If a runtime
   * has no language host, the engine starts a program on PATH instead. Everything else is the same.
   */
  beforeAll(async () => {
    const launcher = "bin/pulumi-analyzer-policy-launched";
    const script = require.resolve("@pulumi/pulumi/cmd/run-policy-pack", { paths: [project.path] });
    project.write(launcher, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
    chmodSync(join(project.path, launcher), 0o755);
    pulumi.env["PATH"] = [join(project.path, "bin"), pulumi.env["PATH"]].join(delimiter);
    const manifest = source("policy/PulumiPolicy.yaml");
    project.write("policy/PulumiPolicy.yaml", manifest.replace("runtime: nodejs", "runtime: launched"));
  });

  test("is refused by its policies without backups and protection", async () => {
    const settings = source("Pulumi.prod.yaml");
    project.write("Pulumi.prod.yaml", settings.replaceAll(/(backups|protect): "true"/g, '$1: "false"'));
    const { code, printed } = await pulumi.pulumi("preview", "--stack", "prod", "--policy-pack", "policy");
    project.write("Pulumi.prod.yaml", settings);
    expect(code).not.toBe(0);
    const broken = [...printed.matchAll(/\[mandatory\] +(\S+) +\(\S+: (\S+)\)/g)].map(
      ([, rule, name]) => `${name} ${rule}`,
    );
    const nodes = ["web-1", "web-2", "web-3"];
    expect(broken.sort()).toEqual(
      [
        ...nodes.map((name) => `${name} nodes-are-backed-up`),
        ...[...nodes, "web-db", "web-zone"].map((name) => `${name} data-is-protected`),
      ].sort(),
    );
  });

  test("deploys beside dev with its own names, and follows its policies", async () => {
    const up = await pulumi.up("--stack", "prod", "--policy-pack", "policy");
    expect(up).toMatchObject({ code: 0, steps: { create: 6 } });
    for (const [path, count] of [
      [NODES, 6],
      [DATABASES, 2],
    ] as const) {
      const labels = (await all(path)).map(({ label }) => label);
      expect([labels.length, new Set(labels).size]).toEqual([count, count]);
    }
    expect((await all("/domains")).map(({ domain }) => domain)).toEqual([
      "web-tier-dev.example",
      "web-tier.example",
    ]);
  });

  test("can be destroyed only after it is unprotected, and then leaves nothing behind", async () => {
    const refused = await pulumi.destroy("--stack", "prod");
    expect(refused.code).not.toBe(0);
    expect(refused.printed).toContain("cannot be deleted");
    expect(await all(NODES)).toHaveLength(6);
    await pulumi.pulumi("state", "unprotect", "--all", "--yes", "--stack", "prod");
    for (const stack of ["prod", "dev"]) {
      expect(await pulumi.destroy("--stack", stack)).toMatchObject({ code: 0 });
    }
    for (const path of [NODES, DATABASES, "/domains"]) expect(await all(path)).toEqual([]);
  });
});
