import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { npmCommand, step } from "../child.mjs";
import { linked } from "./registry.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @param {string} folder @param {readonly string[]} args @returns {Promise<{ filename: string; files: { path: string }[] }>} */
async function npmPack(folder, ...args) {
  const npm = npmCommand(["pack", "--json", "--ignore-scripts", "--loglevel=error", ...args]);
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd: folder, stdio: ["ignore", "pipe", "inherit"], shell: npm.shell };
  const [packed] = JSON.parse(await step(npm.command, npm.args, options));
  return packed;
}

/**
 * Packs a copy of the files of the package, in which the links of the docs to what the package does not have lead to the repository.
 * @param {string} out
 * @returns {Promise<string>} the name of the archive
 */
export async function packForRelease(out) {
  const copy = mkdtempSync(join(tmpdir(), "nodecloud-package-"));
  try {
    const { files } = await npmPack(root, "--dry-run");
    const paths = files.map(({ path }) => path);
    /** @param {string} to a file or a folder */
    const isPacked = (to) => paths.some((path) => path === to || path.startsWith(`${to}/`));
    for (const path of paths) {
      cpSync(join(root, path), join(copy, path), { recursive: true });
      if (!/^docs\/.*\.md$/.test(path)) continue;
      const text = readFileSync(join(copy, path), "utf8");
      writeFileSync(join(copy, path), linked(text, posix.dirname(path), isPacked));
    }
    return (await npmPack(copy, "--pack-destination", out)).filename;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
