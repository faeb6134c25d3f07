import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findTool } from "../../helpers/debian-tools";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";
import { programFolder, type ProgramFolder } from "../../helpers/programs";

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
async function importing(answer: string, ...more: string[]) {
  const command = [process.execPath, resolve("dist/bin/nodecloud.js"), "import", "--out", "infra", ...more];
  const child = spawn(
    "script",
    [
      "--quiet",
      "--flush",
      "--return",
      "--command",
      `stty cols 100 rows 40 && exec ${command.join(" ")}`,
      "/dev/null",
    ],
    {
      cwd: folder.path,
      env: {
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        ...{ TERM: "xterm", SHELL: "/bin/sh", HOME: folder.path, NO_COLOR: "1" },
        ...{ NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url },
      },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const wasAsked = printed.includes(QUESTION);
    printed += text;
    if (!wasAsked && printed.includes(QUESTION)) child.stdin.write(answer);
  });
  const code = await new Promise<number | null>((ended, failed) =>
    child.on("error", failed).on("close", ended),
  );
  return { code, printed, isWritten: existsSync(join(folder.path, "infra/index.ts")) };
}

if (script !== undefined) {
  test("yes writes the program", async () => {
    expect(await importing("y")).toMatchObject({
      code: 0,
      printed: expect.stringContaining(QUESTION),
      isWritten: true,
    });
  });

  test.each([
    ["no", "n"],
    ["ctrl-C", "\u0003"],
  ])("%s writes nothing", async (_, answer) => {
    expect(await importing(answer)).toMatchObject({
      code: 130,
      printed: expect.stringMatching(/nothing was written\r?\n/),
      isWritten: false,
    });
  });

  test("--yes asks nothing", async () => {
    expect(await importing("", "--yes")).toMatchObject({
      code: 0,
      printed: expect.not.stringContaining(QUESTION),
      isWritten: true,
    });
  });
}
