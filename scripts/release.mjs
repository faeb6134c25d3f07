/**
 * Does all that a release does up to the upload: `npm run release -- --dry-run`. It writes to `release` what is uploaded: the package, the archives of the plugin, the
 * wheel and the sdist, the notes, the bill of materials, the pages of the Registry, and the checksums. It installs each of them in an empty folder.
 *
 * Without --dry-run it fails if the version is not ready for the upload, as the workflow needs it. --only PLATFORM builds the archive of one platform, and --out DIR writes to another folder.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { run, step } from "./child.mjs";
import { ensureEngine } from "./engine.mjs";
import { filesIn } from "./files.mjs";
import { tryInstalls } from "./release/installs.mjs";
import { billOfMaterials } from "./release/materials.mjs";
import { packForRelease } from "./release/package.mjs";
import { buildPython } from "./release/python.mjs";
import { linked, writeRegistry } from "./release/registry.mjs";
import { digestOfPackage, lastTested } from "./release/tested.mjs";
import { changes, complaintsAbout, version } from "./release/versions.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const say = (/** @type {string} */ line) => console.log(line);
const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    out: { type: "string", default: join(root, "release") },
  },
});
const { out } = values;

/** @param {readonly string[]} args @returns {Promise<string>} */
const git = async (...args) => (await run("git", [...args], { cwd: root, stdio: "pipe" })).output.trim();

/** The problems that a dry run says and a release refuses. */
async function problems() {
  const tag = `v${version()}`;
  const digest = await digestOfPackage();
  const tested = lastTested();
  const tags = (await git("tag", "--points-at", "HEAD")).split("\n");
  return [
    ...complaintsAbout(version()),
    ...((await git("status", "--porcelain")) === "" ? [] : ["the tree has changes that no commit has"]),
    ...(tags.includes(tag) ? [] : [`the commit has no tag ${tag}`]),
    ...(tested === undefined
      ? ["no test run has noted its package: run .ci/run"]
      : tested === digest
        ? []
        : ["another package was tested than the one that is packed: run .ci/run"]),
  ];
}

async function notes() {
  const tag = await git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^");
  const range = /^v\d/.test(tag) ? [`${tag}..HEAD`] : [];
  const landed = range.length === 0 ? "" : await git("log", "--no-merges", "--format=- %s", ...range);
  return `${linked(changes())}\n${landed === "" ? "" : `\n## Commits since ${tag}\n\n${landed}\n`}`;
}

async function main() {
  const number = version();
  const found = await problems();
  if (found.length > 0) say(`== ${number} is not ready for the upload`);
  for (const one of found) say(`  ${one}`);
  if (found.length > 0 && !values["dry-run"]) return 1;

  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  say("== Package (npm pack)");
  const packed = await packForRelease(out);
  say(`  ${packed}`);
  say("== Bill of materials (npm sbom)");
  writeFileSync(join(out, "sbom.cdx.json"), await billOfMaterials());
  say("== Wheel and sdist (setuptools)");
  const python = await buildPython(out);
  say(python.map((name) => `  ${name}`).join("\n"));
  say("== Archives of the plugin");
  const platforms = values.only ?? [];
  await step(process.execPath, ["scripts/dist.mjs", "--out", out, ...platforms], {
    cwd: root,
    stdio: "inherit",
  });
  // All that is uploaded to GitHub. A list with other files could not be checked by those who download these.
  const files = filesIn(out).filter((name) => name !== "SHA256SUMS");
  const sums = files.map(
    (name) =>
      `${createHash("sha256")
        .update(readFileSync(join(out, name)))
        .digest("hex")}  ${name}\n`,
  );
  writeFileSync(join(out, "SHA256SUMS"), sums.join(""));

  say("== Notes, and the pages of the Registry");
  writeFileSync(join(out, "NOTES.md"), await notes());
  writeRegistry(join(out, "registry"));
  const engine = await ensureEngine({ log: say });
  const pulumi = engine.binDir === undefined ? "pulumi" : join(engine.binDir, "pulumi");
  await step(pulumi, ["schema", "check", join(out, "registry/schema.json")], { stdio: "inherit" });

  say("== Installations in empty folders");
  const named = (/** @type {RegExp} */ pattern) => join(out, files.find((name) => pattern.test(name)) ?? "");
  await tryInstalls(
    {
      npm: join(out, packed),
      wheel: named(/\.whl$/),
      sdist: named(/^pulumi_nodecloud.*\.tar\.gz$/),
      plugin: named(new RegExp(`-${platform}\\.tar\\.gz$`)),
      version: number,
    },
    { pulumi, say },
  );
  say(`${number} is in release: ${files.length} files`);
  return 0;
}

process.exitCode = await main();
