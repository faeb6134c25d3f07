/**
 * Writes the generated files: registries, the package's schema, classes and their outlines, the tables of the docs, the workflows of
 * examples/web-tier, and the API reports in etc. With --check it only names the files that are out of date.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { run } from "./child.mjs";
import { functionPages } from "./generate/docs/functions.mjs";
import { operationPages } from "./generate/docs/operations.mjs";
import { outputPages } from "./generate/docs/outputs.mjs";
import { resourcePages } from "./generate/docs/resources.mjs";
import { emulatorRegistries } from "./generate/emulator.mjs";
import { loadSources, root } from "./generate/load.mjs";
import { outlines } from "./generate/outlines.mjs";
import { registries } from "./generate/registries.mjs";
import { packageSchema, schemaFile } from "./generate/schema/package.mjs";
import { sdkModules } from "./generate/sdk/modules.mjs";
import { workflows } from "./generate/workflows.mjs";
import { whole, write } from "./generate/write.mjs";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
// The sources import the registries.
const staleRegistries = await write(registries(), values.check);
const sources = loadSources();
const schema = packageSchema(sources);
const files = [
  schemaFile(schema),
  ...sdkModules(schema),
  ...outlines(sources),
  ...operationPages(sources),
  ...functionPages(sources),
  ...resourcePages(sources, schema),
  ...outputPages(sources, schema),
  ...workflows(),
  ...(await emulatorRegistries()).map(({ file, content }) => whole(file, content)),
];
const stale = await write(files, values.check);
if (values.check && staleRegistries.length + stale.length > 0) process.exitCode = 1;

// The reports read the build, which includes the files above.
const check = values.check ? ["--check"] : [];
const report = ["scripts/bootstrap.mjs", "scripts/generate/api-report.mjs", ...check];
const { code } = await run(process.execPath, report, { cwd: fileURLToPath(root), stdio: "inherit" });
process.exitCode ||= code;
