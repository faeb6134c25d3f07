import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findTool } from "../helpers/debian-tools";
import { ROOT } from "../helpers/programs";

// Registered only if the program that makes a terminal is installed: a skipped test would look forgotten.
if (findTool("script") !== undefined) {
  test("the pictures of README.md show exactly what the preview of its program prints", async () => {
    const args = [join(ROOT, "scripts/picture.mjs"), "--check"];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe("");
  });
}
