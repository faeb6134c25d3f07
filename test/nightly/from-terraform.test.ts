import { cpSync, readFileSync, rmSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { nodecloud } from "../helpers/command-line";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { expectSettled, stackForEachTest } from "../helpers/with-stack";
import { appliedConfiguration, CONFIGURATIONS } from "../helpers/written-programs";

const FOLDER = join(__dirname, "../cli/import/from");

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

/** Writes the program from a state, and puts it in the place of the stack's. */
async function writeProgram(option: string, state: string): Promise<void> {
  const { path } = stack.folder;
  stack.folder.write("own.json", state);
  emulator.reset("requests");
  const environment = { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url };
  const plugin = stack.way === "plugin" ? ["--plugin"] : [];
  const args = ["import", option, "own.json", "--out", "written", ...plugin];
  expect(await nodecloud(args, { directory: path, environment })).toMatchObject({ code: 0, stderr: "" });
  const written = join(path, "written");
  const isOfProgram = (from: string) => !/Pulumi\.yaml|package\.json$/.test(from);
  cpSync(written, path, { recursive: true, filter: isOfProgram });
  for (const one of ["index.js", "written"]) rmSync(join(path, one), { recursive: true });
  stack.folder.write("package.json", JSON.stringify({ name: "program", main: "index.ts" }));
}

/** Expects that `up` adopts all objects without a write, and that nothing is left to do. */
async function expectAdopted(): Promise<void> {
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  await expectSettled(stack);
  expect(await emulator.writes()).toEqual([]);
}

test.each(CONFIGURATIONS)(
  "up of the program of the Terraform state %s sends no write, and the next preview is empty",
  async (name) => {
    await writeProgram("--from-terraform", await appliedConfiguration(emulator, name));
    await expectAdopted();
  },
);

test("a stack of the bridged provider goes on with this package, after its resources were taken out of the state", async () => {
  const { body } = await emulator.call<{ id: number }>("POST", "/domains", {
    body: { domain: "stack.example", type: "master", soa_email: "dns@example.org", tags: ["shop"] },
  });
  const exported = readFileSync(join(FOLDER, "bridged-stack.json"), "utf8")
    .replaceAll("2310403", String(body.id))
    .replaceAll("urn:pulumi:prod::shop::", "urn:pulumi:test::program::")
    .replaceAll("shop-prod", "program-test");
  const state = JSON.parse(exported) as {
    deployment: {
      secrets_providers?: object;
      manifest: { magic: string; version: string };
      resources: { urn: string; type: string }[];
    };
  };
  const { manifest, resources } = state.deployment;
  manifest.magic = createHash("sha256").update(manifest.version).digest("hex");
  delete state.deployment.secrets_providers;
  const kept = /::zone$|^pulumi:(pulumi|providers)|:Site$/;
  state.deployment.resources = resources.filter(({ urn, type }) => kept.test(urn) || kept.test(type));
  const text = JSON.stringify(state).replaceAll(/\{"4dabf18193072939515e22adb298388d":[^}]*\}/g, '"token"');
  stack.folder.write("stack.json", text);
  expect(await stack.pulumi("stack", "import", "--file", "stack.json")).toMatchObject({ code: 0 });
  await writeProgram("--from-stack", text);
  for (const { urn } of state.deployment.resources.filter(({ type }) => type.startsWith("linode:")))
    expect(await stack.pulumi("state", "delete", urn, "--yes")).toMatchObject({ code: 0 });
  await expectAdopted();
});
