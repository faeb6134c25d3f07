import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ROOT } from "../helpers/programs";

/** Variables of a user's shell that would select another account or backend. */
const ELSEWHERE = {
  PULUMI_BACKEND_URL: "file:///nowhere",
  PULUMI_CONFIG_PASSPHRASE_FILE: "/nowhere",
  PULUMI_STACK: "nowhere",
  NODECLOUD_BASE_URL: "http://127.0.0.1:1/v4",
  NODECLOUD_TOKEN: "wrong-token",
};

test.each([
  ["dynamic resources", "typescript"],
  ["the full plugin", "typescript-plugin"],
])(
  "the quickstart with %s deploys, finds exactly the drift, repairs it, and leaves nothing behind",
  async (_, language) => {
    const args = ["scripts/quickstart.mjs", "--language", language];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...ELSEWHERE },
      maxBuffer: 64 * 1024 * 1024,
    });
    const said = stdout.split("\n").filter((line) => line.startsWith("→ "));
    expect(said).toContain("→ Only this record has changed, and the exit code makes a nightly job fail.");
    expect(said.at(-1)).toBe("→ The account is empty again.");
  },
);
