import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { exampleProject, installedVersion, type Project } from "../helpers/packed";
import { expectPicture } from "../helpers/picture";
import { type Commands, commandsIn } from "../helpers/stack";

let emulator: TestEmulator;
let project: Project;
let env: Commands["env"];
let client: Client;

beforeAll(async () => {
  // As the README starts it, but on free ports.
  emulator = await startTestEmulator({ speed: 600, machines: true, dns: 0, zoneDelaySeconds: 600 });
  project = await exampleProject("blue-green");
  // Somebody may have tried the example here with their own settings.
  rmSync(join(project.path, "Pulumi.dev.yaml"), { force: true });
  ({ env } = commandsIn(project.path, emulator));
  // `npm run typecheck` checks the types already.
  env["PULUMI_NODEJS_TRANSPILE_ONLY"] = "true";
  await emulator.control("PUT", "/machines", JSON.parse(source("machines.json")));
});

afterAll(async () => {
  client?.process.kill();
  await emulator?.stop();
  project?.remove();
});

const source = (file: string) => readFileSync(join(project.path, file), "utf8");

/** Runs a command of the README. */
async function run(command: string): Promise<string> {
  expect(source("README.md")).toContain(`\n$ ${command}\n`);
  return project.run("sh", ["-c", command], { env });
}

interface Client {
  readonly process: ChildProcess;
  /** Interrupts it. */
  stop(): Promise<{ answered: number; failed: number; code: number }>;
}

/** Starts the client, and waits for the line that it prints every second. */
async function startClient(): Promise<Client> {
  const command = [join(project.path, "client.mjs"), "www.blue-green.example", emulator.dns ?? ""];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "ignore"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  return {
    process: child,
    stop: async () => {
      child.kill("SIGINT");
      const [code] = await closed;
      const [, answered, failed] = /.*answered (\d+), failed (\d+); now by .*\n$/.exec(printed) ?? [];
      return { answered: Number(answered), failed: Number(failed), code: Number(code) };
    },
  };
}

/** The images of the nodes, and how many have each. */
async function images(): Promise<Record<string, number>> {
  const { body } = await emulator.call<{ data: { image: string }[] }>("GET", "/node/instances");
  const counts: Record<string, number> = {};
  for (const { image } of body.data) counts[image] = (counts[image] ?? 0) + 1;
  return counts;
}

async function records(): Promise<readonly unknown[]> {
  const { body } = await emulator.control<{ data: unknown[] }>("GET", "/objects/records");
  return body.data;
}

test("its types pass, and its manifest names this version of the package", async () => {
  await project.run("npm", ["run", "typecheck"]);
  const archive = `file:vendor/pulumi-nodecloud-${installedVersion("pulumi-nodecloud")}.tgz`;
  expect(source("package.json")).toContain(`"${archive}"`);
});

test("it creates three nodes behind a name, and its client reaches them", async () => {
  await run("pulumi stack init dev");
  expect(await run("pulumi up --yes")).toContain("+ 9 created");
  expectPicture("blue-green", await project.run("pulumi", ["stack", "export"], { env }));
  expect(await images()).toEqual({ "node/debian12": 3 });
  client = await startClient();
});

test("a new image replaces them", async () => {
  const rolled = await run("pulumi config set image node/ubuntu24.04 && pulumi up --yes");
  expect(rolled).toContain("+-3 replaced");
  expect(await images()).toEqual({ "node/ubuntu24.04": 3 });
});

test("an image that never answers leaves the old nodes and their records", async () => {
  const before = await records();
  await expect(run("pulumi config set image node/debian11 && pulumi up --yes")).rejects.toThrow(
    "after 30 s it is not ready: http :8080",
  );
  expect(await images()).toEqual({ "node/ubuntu24.04": 3, "node/debian11": 3 });
  expect(await records()).toEqual(before);
});

test("a good image replaces both", async () => {
  await run("pulumi config set image node/alpine3.20 && pulumi up --yes");
  expect(await images()).toEqual({ "node/alpine3.20": 3 });
});

test("a smaller size deletes a node with its record", async () => {
  expect(await run("pulumi config set size 2 && pulumi up --yes")).toContain("- 2 deleted");
  expect(await images()).toEqual({ "node/alpine3.20": 2 });
  expect(await records()).toHaveLength(2);
});

test("all this time, no request failed", async () => {
  const { answered, failed, code } = await client.stop();
  expect({ failed, code }).toEqual({ failed: 0, code: 0 });
  expect(answered).toBeGreaterThan(500);
});

test("it leaves nothing behind, and then its client counts failures", async () => {
  await run("pulumi destroy --yes");
  expect(await images()).toEqual({});
  const { answered, failed, code } = await (await startClient()).stop();
  expect({ answered, code }).toEqual({ answered: 0, code: 1 });
  expect(failed).toBeGreaterThan(0);
  await run("pulumi stack rm --yes dev");
});
