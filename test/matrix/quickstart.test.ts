import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ROOT } from "../helpers/programs";

test("the quickstart goes up, finds the drift and nothing else, repairs it and leaves nothing", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/quickstart.mjs"], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  const said = stdout.split("\n").filter((line) => line.startsWith("→ "));
  expect(said).toContain("→ Just this one record, and an exit code that makes a nightly job fail.");
  expect(said.at(-1)).toBe("→ The account is empty again.");
});
