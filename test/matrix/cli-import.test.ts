import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nodecloud, type Printed } from "../helpers/command-line";
import { AT_ONCE, startTestEmulator, type TestEmulator, withEmulator } from "../helpers/emulator";
import { userProject } from "../helpers/packed";
import { programFolder, type ProgramFolder, ROOT } from "../helpers/programs";
import { type Commands, commandsIn } from "../helpers/stack";
import { wholeAccount, type WholeAccount } from "../helpers/whole-account";

const run = ({ token, url }: TestEmulator, directory: string, ...args: string[]): Promise<Printed> =>
  nodecloud(args, { directory, environment: { NODECLOUD_TOKEN: token, NODECLOUD_BASE_URL: url } });

/** What compiles the program with its own settings. */
const compiled = (folder: string) =>
  userProject().run("node", [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", folder]);

describe.each(["set", "single"])("an account of every kind that is imported with --style %s", (style) => {
  let emulator: TestEmulator;
  let folder: ProgramFolder;
  let stack: Commands;
  let account: WholeAccount;

  beforeAll(async () => {
    emulator = await startTestEmulator();
    account = await wholeAccount(emulator);
    folder = programFolder({}, ROOT);
    emulator.reset("requests");
    const printed = await run(emulator, folder.path, "import", "--out", "infra", "--style", style);
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    expect(await emulator.writes()).toEqual([]);
    stack = commandsIn(join(folder.path, "infra"), emulator);
    await stack.init("test");
  });

  afterAll(async () => {
    folder.remove();
    await emulator.stop();
  });

  test("compiles", async () => {
    expect(await compiled(join(folder.path, "infra"))).toBe("");
  });

  test("is adopted as a whole, and nothing is created or changed", async () => {
    emulator.reset("requests");
    const preview = await stack.preview();
    expect(preview).toMatchObject({ code: 0, messages: [] });
    const adopted = await stack.up();
    expect(adopted).toMatchObject({ code: 0, messages: [] });
    expect(await emulator.writes()).toEqual([]);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
    expect(await stack.drift()).toMatchObject({ code: 0 });
    expect(Object.keys(account).length).toBe(17);
  });
});
