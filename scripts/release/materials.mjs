import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodesOfArchives } from "../plugin-archive/node.mjs";
import { npmCommand, step } from "../child.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The bill of materials of what an installation of the package brings, in the versions of the lock file, and of the archives, which have Node too. `npm sbom --omit dev` leaves out what a development
 * dependency needs too, so it is asked about a manifest without these.
 */
export async function billOfMaterials() {
  const temporary = mkdtempSync(join(tmpdir(), "nodecloud-materials-"));
  try {
    const { name, version, license, dependencies } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );
    // npm names the bill after the folder.
    const folder = join(temporary, name);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, license, dependencies }));
    for (const file of ["package-lock.json", ".npmrc"]) cpSync(join(root, file), join(folder, file));
    /** @param {string[]} args */
    const npm = (...args) => {
      const { command, args: all, shell } = npmCommand([...args, "--package-lock-only"]);
      return step(command, all, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], shell });
    };
    await npm("install", "--ignore-scripts", "--loglevel=error");
    const { components, ...bill } = JSON.parse(await npm("sbom", "--sbom-format", "cyclonedx"));
    return JSON.stringify({ ...bill, components: [...components, ...nodesOfArchives()] }, undefined, 2);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
