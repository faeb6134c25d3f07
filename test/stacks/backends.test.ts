import { execFileSync } from "node:child_process";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Check } from "../../src/cli/doctor/check";
import { collectDrift } from "../../src/cli/drift/collect";
import { type Selection } from "../../src/cli/stacks/select-stacks";
import { folderBackend, restore, type TestBackend } from "../helpers/backends";
import { contextIn, nodecloud } from "../helpers/command-line";
import { findTool } from "../helpers/debian-tools";
import { type TestEmulator } from "../helpers/emulator";
import { startS3, type TestS3 } from "../helpers/s3";
import { type TestStack } from "../helpers/stack";
import { atNight } from "../helpers/whole";
import { stackForAllTests } from "../helpers/with-stack";

interface Resource {
  readonly urn: string;
  readonly id?: string;
}
interface Deployment {
  readonly manifest: { readonly time: string };
  readonly resources: readonly Resource[];
  readonly pending_operations?: readonly object[];
}

const HOUR = 3_600_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const STATE = ".pulumi/stacks/program/test.json";
const PROGRAM = `const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
  new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
  new nodecloud.DomainRecord("api", { domainId: zone.id, type: "A", name: "api", target: "192.0.2.2" });
  new nodecloud.DomainRecord("hidden", { domainId: zone.id, type: "TXT", name: "hidden", target: pulumi.secret("a-secret-text") });`;
const latestIn = (objects: ReadonlyMap<string, string>) =>
  (JSON.parse(objects.get(STATE) ?? "") as { checkpoint: { latest: Deployment } }).checkpoint.latest;
const isNamed = (name: string) => (resource: Resource) => resource.urn.endsWith(`::${name}`);

const go = findTool("go");
const backends = [
  { name: "a folder", isFolder: true },
  // Registered only if Go is installed.
  ...(go === undefined ? [] : [{ name: "a bucket of S3", isFolder: false }]),
];

describe.each(backends)("with a backend in $name,", ({ isFolder }) => {
  let emulator: TestEmulator;
  let stack: TestStack;
  let backend: TestBackend;
  let s3: TestS3 | undefined;
  let before: ReadonlyMap<string, string>;
  stackForAllTests(async (own) => {
    ({ emulator, stack } = own);
    s3 = isFolder ? undefined : await startS3(go ?? "");
    backend = s3 ?? folderBackend(join(stack.folder.path, ".state"));
    Object.assign(stack.env, backend.env);
    // A test waits for the command line without letting this process work, which has the stack's key otherwise.
    const ofKey = isFolder ? ["change-secrets-provider", "passphrase"] : ["init", "test"];
    expect(await stack.pulumi("stack", ...ofKey)).toMatchObject({ code: 0 });
    stack.program(PROGRAM);
    expect(await stack.pulumi("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    before = await backend.objects();
  });
  afterEach(() => restore(backend, before));
  afterAll(() => s3?.stop());

  const context = () => ({ directory: stack.folder.path, environment: stack.env });
  const run = (...args: string[]) => nodecloud(args, context());
  const lockAt = (name: string) => `.pulumi/locks/organization/program/test/${name}.json`;
  const lock = async (age: number, host = "ci-7.example.org") => {
    const content = { pid: 4711, username: "ada", hostname: host, timestamp: ago(age) };
    await backend.put(lockAt("0b1c"), JSON.stringify(content));
  };
  const locks = async () =>
    [...(await backend.objects()).keys()].filter((key) => key.startsWith(".pulumi/locks/"));
  const change = (to: (deployment: Deployment) => Deployment) =>
    backend.put(
      STATE,
      JSON.stringify({
        version: 3,
        checkpoint: { stack: "organization/program/test", latest: to(latestIn(before)) },
      }),
    );
  /** The state of a run that was killed while it created a record, an hour ago. */
  const killed = () =>
    change((latest) => ({
      ...latest,
      manifest: { ...latest.manifest, time: ago(HOUR) },
      resources: latest.resources.filter((one) => !isNamed("www")(one)),
      pending_operations: latest.resources
        .filter(isNamed("www"))
        .map(({ id: _, ...resource }) => ({ type: "creating", resource })),
    }));
  /** The state from before a run that has changed a record and made another one. */
  const outdated = () =>
    change(
      (latest) =>
        JSON.parse(
          JSON.stringify({
            ...latest,
            resources: latest.resources.filter((one) => !isNamed("api")(one)),
          }).replaceAll('"192.0.2.1"', '"192.0.2.7"'),
        ) as Deployment,
    );

  /** Compares the stacks. `meanwhile` runs when the account was read. */
  const drift = async (selection: Partial<Selection>, meanwhile: () => void = () => undefined) => {
    const show = (what: string) => {
      if (what === "looking for changes of other runs") meanwhile();
    };
    const { findings, gaps } = await collectDrift(
      contextIn(context()),
      { show, note: () => undefined },
      { directories: [], stacks: [], all: selection.states === undefined, ...selection },
    );
    return { kinds: findings.map(({ kind }) => kind).sort(), gaps };
  };
  /** Saves the state of the run, as it does at its end. */
  const save = () => {
    const { manifest, ...deployment } = latestIn(before);
    const ended = { version: 3, deployment: { ...deployment, manifest: { ...manifest, time: ago(0) } } };
    stack.folder.write("ended.json", JSON.stringify(ended));
    const args = ["stack", "import", "--stack", "test", "--file", "ended.json", "--non-interactive"];
    execFileSync("pulumi", args, { cwd: stack.folder.path, env: stack.env, stdio: "ignore" });
  };
  /** A command that copies the backend. */
  const copying = (to: string) => {
    const folder = join(stack.folder.path, to);
    return `rm -rf '${folder}' && mkdir '${folder}' && ${backend.copying(folder)}`;
  };

  test("what a run saves while the account is read is no finding, with the engine and with a copy", async () => {
    for (const selection of [{}, { states: ["copy"], sync: copying("copy") }]) {
      await outdated();
      expect(await drift(selection, save)).toEqual({ kinds: [], gaps: [] });
      await outdated();
      expect(await drift(selection)).toEqual({ kinds: ["changed", "unmanaged"], gaps: [] });
    }
  });

  test("a finding that depends on a locked stack is a gap with a copy, and with the engine if a folder shows the lock", async () => {
    await outdated();
    await lock(0);
    const isLocked = { kinds: [], gaps: [{ what: "stack test of ." }] };
    expect(await drift({ states: ["copy"], sync: copying("copy") })).toMatchObject(isLocked);
    expect(await drift({})).toMatchObject(
      isFolder ? isLocked : { kinds: ["changed", "unmanaged"], gaps: [] },
    );
  });

  test("a damaged state is a gap beside the other stacks and projects", async () => {
    await outdated();
    await backend.put(".pulumi/stacks/program/broken.json", "{");
    stack.folder.write("other/Pulumi.yaml", "name: other\nruntime: nodejs\n");
    const other = (before.get(STATE) ?? "")
      .replaceAll("::program::", "::other::")
      .replaceAll("/program/", "/other/");
    await backend.put(".pulumi/stacks/other/test.json", other);
    const { kinds, gaps } = await drift({ directories: [".", "other"] });
    // Both stacks have the zone and two records.
    expect(kinds).toEqual(["changed", "shared", "shared", "shared"]);
    const named = isFolder ? "stack broken of ." : "the stacks of . without a Pulumi.STACK.yaml";
    expect(gaps.map(({ what }) => what)).toEqual([named, "objects that no stack manages"]);
  });

  test("import leaves out what a run is creating", async () => {
    await killed();
    const { code, stdout } = await run("import", ".", "--all", "--out", "adopted", "--yes");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/left out, because the state/) as unknown,
    });
  });

  test("doctor names a lock: in a bucket beside a pending operation, and otherwise with --check-lock", async () => {
    const examine = async (...args: string[]) => {
      const { stdout } = await run("doctor", "--format", "json", ...args);
      const { checks } = JSON.parse(stdout) as { checks: Check[] };
      return checks.find(({ name }) => name === "lock");
    };
    expect(await examine("--check-lock")).toEqual({ name: "lock", status: "ok", finding: "none" });
    await lock(HOUR);
    const isLocked = {
      status: "warning",
      finding: expect.stringContaining(
        "the lock of ada@ci-7.example.org, process 4711, 60 min old",
      ) as unknown,
    };
    expect(await examine("--check-lock")).toMatchObject(isLocked);
    expect(await examine()).toMatchObject(isFolder ? isLocked : { status: "unknown" });
    await killed();
    expect(await examine()).toMatchObject(isLocked);
    expect(await locks()).toEqual([lockAt("0b1c")]);
  });

  // test/matrix/recover.test.ts proves more of a folder.
  (isFolder ? atNight : test)(
    "recover shows what a killed run has left, removes its lock when that is old, and resumes",
    async () => {
      await killed();
      await lock(3 * HOUR, hostname());
      expect(await run("recover", "--yes")).toMatchObject({
        code: 2,
        stdout: expect.stringMatching(
          /^kept the lock of ada@.* so (?:it|its run) may .*\ndid nothing else/,
        ) as unknown,
      });
      expect(await run("recover", "--all", "--dry-run", "--lock-older-than", "2h")).toMatchObject({
        code: 2,
        stdout: expect.stringMatching(/^(?:stack test of \.: would .*\n){3}$/) as unknown,
      });
      expect(await locks()).toEqual([lockAt("0b1c")]);
      emulator.reset("requests");
      expect(await run("recover", "--yes", "--lock-older-than", "2h")).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /^removed the lock of ada@.*\nran `pulumi up` of test with NODECLOUD_RESUME=true\nit put DomainRecord www \(\d+\/\d+\) into the state\ncleared the pending creation of DomainRecord www\n$/,
        ) as unknown,
      });
      expect(await locks()).toEqual([]);
      expect(await emulator.writes()).toEqual([]);
      expect(await drift({})).toEqual({ kinds: [], gaps: [] });
    },
  );
});
