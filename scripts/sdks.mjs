/**
 * Writes the SDKs for Python and Go from schema.json to `sdks`, with the generators of the engine (tools/sdks). It needs Go. With --check it
 * only names the files that are out of date.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CommandError, step } from "./child.mjs";
import { filesIn } from "./files.mjs";
import { windows } from "./engine/find.mjs";
import { buildWithGo } from "./engine/go.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const sdks = join(root, "sdks");
const tool = join(root, "tools", "sdks");

/** It says from which schema the SDKs were generated, for a check that needs no Go. */
const stamp = "schema.sha256";

/** Files of the SDKs that are written by hand. */
const byHand = ["go/nodecloud/go.mod", "go/nodecloud/go.sum"];
/** The files that Python leaves beside its sources. */
const leftBehind = /(^|\/)(__pycache__|build|[^/]*\.egg-info|\.mypy_cache)\//;

/** @param {string} file */
const textOf = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

/** @param {string} generated a folder. @returns what differs from it in `sdks`. */
function difference(generated) {
  const wanted = filesIn(generated);
  const stale = wanted.filter((file) => textOf(join(sdks, file)) !== textOf(join(generated, file)));
  const extra = filesIn(sdks).filter(
    (file) => !wanted.includes(file) && !byHand.includes(file) && !leftBehind.test(file),
  );
  return { stale, extra };
}

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const temporary = mkdtempSync(join(tmpdir(), "nodecloud-sdks-"));
try {
  const generated = join(temporary, "sdks");
  const bin = join(temporary, "bin");
  mkdirSync(bin);
  await buildWithGo(tool, bin, { what: "." });
  await step(join(bin, windows ? "sdks.exe" : "sdks"), [join(root, "schema.json"), generated], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const schema = readFileSync(join(root, "schema.json"));
  writeFileSync(join(generated, stamp), `${createHash("sha256").update(schema).digest("hex")}\n`);
  const { stale, extra } = difference(generated);
  if (values.check) {
    for (const file of stale) console.log(`sdks/${file} is out of date: run \`npm run generate:sdks\``);
    for (const file of extra)
      console.log(`sdks/${file} is no longer generated: run \`npm run generate:sdks\``);
    if (stale.length + extra.length > 0) process.exitCode = 1;
  } else {
    for (const file of extra) rmSync(join(sdks, file));
    for (const file of stale) {
      mkdirSync(dirname(join(sdks, file)), { recursive: true });
      writeFileSync(join(sdks, file), readFileSync(join(generated, file)));
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof CommandError ? error.code : 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
