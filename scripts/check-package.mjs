/**
 * Packs the package once and checks the archive: its files, its manifest (publint), and the types of each entry in every
 * resolution mode (attw). `npm test` runs it.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { npmCommand, run, step } from "./child.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {{ file: string; paths: string[] }} Archive `paths` are the paths of the packed files. */

/**
 * @param {string} directory where the archive is written.
 * @returns {Promise<Archive>}
 */
async function pack(directory) {
  // Bootstrap has built dist, so `prepack` has nothing to do.
  const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", directory];
  const npm = npmCommand(args);
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd: root, stdio: ["ignore", "pipe", "inherit"], shell: npm.shell };
  /** @type {{ filename: string; files: { path: string }[] }[]} */
  const [packed] = JSON.parse(await step(npm.command, npm.args, options));
  if (packed === undefined) throw new Error("npm pack wrote no archive");
  return { file: join(directory, packed.filename), paths: packed.files.map(({ path }) => path) };
}

/** @param {string[]} paths */
function missingFrom(paths) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  /** @type {string[]} */
  const targets = [...Object.values(manifest.exports), ...Object.values(manifest.bin)].flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  return [...targets, "LICENSE", "README.md", "CHANGELOG.md"]
    .map((path) => path.replace(/^\.\//, ""))
    .filter((path) => !paths.includes(path))
    .map((path) => `${path} is missing from the package`);
}

/** @param {string[]} paths */
function strangersIn(paths) {
  const isExpected = (/** @type {string} */ path) =>
    /^dist\/.+\.(js|d\.ts)$/.test(path) ||
    /^src\/(cli\/html|emulator\/page)\/browser\/\w+\.(css|js|svg)$/.test(path) ||
    /^docs\/[\w/-]+\.md$/.test(path) ||
    /^((package|schema)\.json|[A-Z]+\.md|LICENSE)$/.test(path);
  const machine = [root, homedir()]
    .filter((path) => path.length > 1)
    .map((path) => path.replace(/[/\\]$/, ""));
  return paths.flatMap((path) => {
    if (!isExpected(path) || /\.test\./.test(path)) return [`${path} does not belong in the package`];
    const text = readFileSync(join(root, path), "utf8");
    return machine
      .filter((directory) => text.includes(`${directory}/`))
      .map((directory) => `${path} names a directory of this machine: ${directory}`);
  });
}

function hostsInLockfiles() {
  return ["package-lock.json", "site/package-lock.json"].flatMap((file) => {
    const found = /"resolved": "https?:[^"]*"/.exec(readFileSync(join(root, file), "utf8"));
    return found === null ? [] : [`${file} names the registry that it was made with: ${found[0]}`];
  });
}

/** @param {Archive} archive */
async function manifestComplaints({ file }) {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(readFileSync(file)).buffer } });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** @param {Archive} archive */
async function typesComplaints({ file }) {
  const attw = join(root, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
  const { code, output } = await run(process.execPath, [attw, file], { stdio: ["ignore", "pipe", "pipe"] });
  return code === 0 ? [] : [output.trimEnd()];
}

const directory = mkdtempSync(join(tmpdir(), "nodecloud-package-"));
try {
  const archive = await pack(directory);
  const complaints = [
    ...missingFrom(archive.paths),
    ...strangersIn(archive.paths),
    ...hostsInLockfiles(),
    ...(await manifestComplaints(archive)),
    ...(await typesComplaints(archive)),
  ];
  for (const complaint of complaints) console.log(complaint.replace(/^/gm, "  "));
  if (complaints.length > 0) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
