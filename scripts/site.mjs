/**
 * Builds the site of the docs in .cache/site/dist: `npm run docs`. Its generator is installed in .cache/site, so that this repository's own
 * packages stay few. Further arguments go to VitePress: `npm run docs -- --base /docs/`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError, npmCommand, step } from "./child.mjs";
import { brokenLinks } from "./site/check.mjs";
import { navigation } from "./site/navigation.mjs";
import { headingOf, pages } from "./site/pages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "site");
const place = join(root, ".cache", "site");
const stamp = join(place, "node_modules", ".lock.sha256");

/** Installs the generator, unless the installed one is that of the lock file. */
async function install() {
  const lock = createHash("sha256")
    .update(readFileSync(join(sources, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("Installing the generator of the site …");
  for (const name of ["package.json", "package-lock.json", ".npmrc"])
    cpSync(join(sources, name), join(place, name));
  const npm = npmCommand(["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]);
  await step(npm.command, npm.args, { cwd: place, shell: npm.shell, stdio: ["ignore", "pipe", "pipe"] });
  writeFileSync(stamp, lock);
}

/** Writes the pages, what they show and the navigation. */
function writePages() {
  for (const name of ["pages", "dist", ".vitepress"])
    rmSync(join(place, name), { recursive: true, force: true });
  cpSync(join(sources, ".vitepress"), join(place, ".vitepress"), { recursive: true });
  const site = pages(helpOf);
  for (const { path, text } of site.pages) write(join(place, "pages", `${path}.md`), text);
  for (const [path, file] of site.pictures)
    write(join(place, "pages", "public", path), readFileSync(join(root, file)));
  const headings = new Map(site.pages.map(({ path, text }) => [path, headingOf(text)]));
  write(join(place, "navigation.json"), JSON.stringify(navigation(headings)));
}

/** @param {readonly string[]} command */
function helpOf([program = "", ...args]) {
  const bin = join(root, "dist", "bin", `${program}.js`);
  const env = { ...process.env, NO_COLOR: "1", COLUMNS: "100" };
  return execFileSync(process.execPath, [bin, ...args, "--help"], { encoding: "utf8", env });
}

/** @param {string} file @param {string | Buffer} content */
function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** @param {string[]} args for VitePress. */
async function build(args) {
  mkdirSync(place, { recursive: true });
  await install();
  writePages();
  const vitepress = join(place, "node_modules", "vitepress", "bin", "vitepress.js");
  await step(process.execPath, [vitepress, "build", ".", ...args], {
    cwd: place,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const broken = brokenLinks(join(place, "dist"), args[args.indexOf("--base") + 1]);
  if (broken.length > 0) throw new Error(broken.join("\n"));
  console.log(join(place, "dist"));
}

try {
  await build(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof CommandError ? error.code : 1;
}
