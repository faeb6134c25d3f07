import { existsSync } from "node:fs";
import { join } from "node:path";
import { findTool } from "../../helpers/debian-tools";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";
import { programFolder, type ProgramFolder } from "../../helpers/programs";
import { nodecloudOnTerminal } from "../../helpers/typing";

const script = process.platform === "linux" ? findTool("script") : undefined;

let emulator: TestEmulator;
let folder: ProgramFolder;

beforeEach(async () => {
  emulator = await startTestEmulator();
  folder = programFolder();
  await emulator.call("POST", "/domains", {
    body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
  });
});

afterEach(async () => {
  folder.remove();
  await emulator.stop();
});

const QUESTION = "Write 1 file of a program to infra?";

/** Runs the command on a terminal, where somebody answers the question. */
async function importing(on: string, answer: string, ...more: string[]) {
  const outcome = await nodecloudOnTerminal(on, ["import", "--out", "infra", ...more], {
    directory: folder.path,
    env: { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url },
    after: QUESTION,
    keys: answer,
  });
  return { ...outcome, isWritten: existsSync(join(folder.path, "infra/index.ts")) };
}

if (script !== undefined) {
  test("yes writes the program", async () => {
    expect(await importing(script, "y")).toMatchObject({
      code: 0,
      printed: expect.stringContaining(QUESTION),
      isWritten: true,
    });
  });

  test.each([
    ["no", "n"],
    ["ctrl-C", "\u0003"],
  ])("%s writes nothing", async (_, answer) => {
    expect(await importing(script, answer)).toMatchObject({
      code: 130,
      printed: expect.stringMatching(/nothing was written\r?\n/),
      isWritten: false,
    });
  });

  test("--yes asks nothing", async () => {
    expect(await importing(script, "", "--yes")).toMatchObject({
      code: 0,
      printed: expect.not.stringContaining(QUESTION),
      isWritten: true,
    });
  });
}
