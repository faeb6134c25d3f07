/**
 * Writes the generated files: registries, the interfaces of the API, the package's schema, classes and their outlines, the tables of the docs, the workflows of
 * examples/web-tier, and the API reports in etc. With --check it only names the files that are out of date. It fails if a file of a resource
 * or of a family of operations is missing, and names it.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { run } from "./child.mjs";
import { resultTypes } from "./generate/api/results.mjs";
import { readSchemas } from "./generate/api/schemas.mjs";
import { apiTypes } from "./generate/api/types.mjs";
import { effectPages } from "./generate/docs/effects.mjs";
import { functionPages } from "./generate/docs/functions.mjs";
import { operationPages } from "./generate/docs/operations.mjs";
import { outputPages } from "./generate/docs/outputs.mjs";
import { overviewPages } from "./generate/docs/overview.mjs";
import { resourcePages } from "./generate/docs/resources.mjs";
import { emulatorRegistries } from "./generate/emulator.mjs";
import { functionModules } from "./generate/functions.mjs";
import { loadDescriptions, loadFamilies, loadSources, loadUnmanaged, root } from "./generate/load.mjs";
import { missingFiles, missingParts } from "./generate/missing.mjs";
import { outlines } from "./generate/outlines.mjs";
import { registries } from "./generate/registries.mjs";
import { packageSchema, schemaFile } from "./generate/schema/package.mjs";
import { sdkModules } from "./generate/sdk/modules.mjs";
import { workflows } from "./generate/workflows.mjs";
import { write } from "./generate/write.mjs";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
/** Fails with what is missing, if anything is. @param {readonly string[]} lines */
function refuse(lines) {
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exit(1);
}

// The sources import the registries, the interfaces of the API, the data functions and the interfaces of their results.
const served = await emulatorRegistries(loadFamilies());
const schemas = readSchemas();
const staleImports = await write([...registries(), ...apiTypes(schemas), ...served], values.check);
refuse(await missingFiles(schemas.named));
const functions = functionModules([...Object.values(loadDescriptions()), ...loadUnmanaged()]);
staleImports.push(...(await write(functions, values.check)));
staleImports.push(...(await write(resultTypes(schemas), values.check)));
if (values.check && staleImports.length > 0) process.exit(1);
const sources = loadSources();
refuse(missingParts(sources));
const schema = packageSchema(sources);
const files = [
  schemaFile(schema),
  ...sdkModules(schema),
  ...outlines(sources),
  ...operationPages(sources),
  ...functionPages(sources, schema),
  ...resourcePages(sources, schema),
  ...effectPages(sources),
  ...outputPages(sources, schema),
  ...overviewPages(sources),
  ...workflows(),
];
const stale = await write(files, values.check);
if (values.check && stale.length > 0) process.exitCode = 1;

// The reports read the build, which includes the files above.
const check = values.check ? ["--check"] : [];
const report = ["scripts/bootstrap.mjs", "scripts/generate/api-report.mjs", ...check];
const { code } = await run(process.execPath, report, { cwd: fileURLToPath(root), stdio: "inherit" });
process.exitCode ||= code;
