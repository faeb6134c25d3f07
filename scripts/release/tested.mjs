import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmCommand, step } from "../child.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const record = join(root, ".cache/tested.json");

/** The digest of all files that the package and the SDKs have, by their paths and contents. */
export async function digestOfPackage() {
  const npm = npmCommand(["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"]);
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd: root, stdio: ["ignore", "pipe", "inherit"], shell: npm.shell };
  const [packed] = JSON.parse(await step(npm.command, npm.args, options));
  const own = packed.files.map((/** @type {{ path: string }} */ { path }) => path);
  // Not what Python writes beside them.
  const sdks = (await step("git", ["ls-files", "-z", "sdks"], { cwd: root, stdio: "pipe" })).split("\0");
  /** @type {string[]} */
  const paths = [...own, ...sdks.filter((path) => path !== "")].sort();
  const digest = createHash("sha256");
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    digest.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return digest.digest("hex");
}

/** Notes that the tests have passed with the package as it is. */
export async function noteTested() {
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, `${JSON.stringify({ digest: await digestOfPackage() })}\n`);
}

/** The digest of the package that passed the tests last. @returns {string | undefined} */
export const lastTested = () =>
  existsSync(record) ? JSON.parse(readFileSync(record, "utf8")).digest : undefined;
