/**
 * Builds the archives of the full plugin that the engine downloads, one for each platform: `npm run dist [-- [--out DIR] PLATFORM…]`. Each contains the plugin and
 * Node, because Python and Go programs run on machines without it. Equal sources give equal archives. `SHA256SUMS` lists them.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { contentsOfPlugin } from "./plugin-archive/contents.mjs";
import { launcherFor } from "./plugin-archive/launcher.mjs";
import { nodeFor, platforms } from "./plugin-archive/node.mjs";
import { tarOf } from "./plugin-archive/tar.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const { values, positionals } = parseArgs({
  options: { out: { type: "string", default: join(root, "release") } },
  allowPositionals: true,
});
const wanted = positionals.length === 0 ? Object.keys(platforms) : positionals;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const contents = await contentsOfPlugin();
mkdirSync(values.out, { recursive: true });

const sums = [];
for (const platform of wanted) {
  const { binary, license } = await nodeFor(platform);
  const isWindows = platform.startsWith("windows");
  const archive = tarOf([
    ...contents,
    launcherFor(platform),
    { path: isWindows ? "node.exe" : "node", bytes: binary, isExecutable: true },
    { path: "LICENSE.node", bytes: license },
  ]);
  const name = `pulumi-resource-nodecloud-v${version}-${platform}.tar.gz`;
  writeFileSync(join(values.out, name), archive);
  sums.push(`${createHash("sha256").update(archive).digest("hex")}  ${name}\n`);
  console.log(`${name}  ${(archive.length / 1e6).toFixed(1)} MB`);
}
writeFileSync(join(values.out, "SHA256SUMS"), sums.sort().join(""));
