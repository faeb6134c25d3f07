/**
 * Writes an API report for each entry that users import: every exported name with its types, as text to review.
 * It reads the declarations in dist. With --check it only names the reports that are out of date.
 */
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const reports = join(root, "api-reports");

/** The reports, by name, with the declarations that they read. */
const entries = {
  "pulumi-nodecloud": "dist/index.d.ts",
  "pulumi-nodecloud-plugin": "dist/plugin.d.ts",
  "pulumi-nodecloud-api": "dist/api/index.d.ts",
  "pulumi-nodecloud-emulator": "dist/emulator/index.d.ts",
};

/** @param {string} name @param {string} declarations @param {string} temporary where API Extractor writes the report first. */
const configOf = (name, declarations, temporary) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, declarations),
      compiler: { tsconfigFilePath: join(root, "tsconfig.build.json") },
      newlineKind: "lf",
      // Types that are not exported but that an export uses are part of the interface too.
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFileName: name,
        reportFolder: reports,
        reportTempFolder: temporary,
      },
      messages: { compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } } },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
  });

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const temporary = mkdtempSync(join(tmpdir(), "nodecloud-api-report-"));
try {
  mkdirSync(reports, { recursive: true });
  const configs = Object.entries(entries).map(([name, path]) => configOf(name, path, temporary));
  const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  const compilerState = CompilerState.create(/** @type {ExtractorConfig} */ (configs[0]), {
    additionalEntryPoints,
  });
  for (const config of configs) {
    const { apiReportChanged, errorCount } = Extractor.invoke(config, {
      compilerState,
      localBuild: !values.check,
      // API Extractor prints and counts messages that are not handled: the errors.
      messageCallback: (message) => (message.handled = message.logLevel !== ExtractorLogLevel.Error),
    });
    if (errorCount > 0) throw new Error("API Extractor cannot read the declarations in dist");
    if (!values.check || !apiReportChanged) continue;
    console.log(`${relative(root, config.reportFilePath)} is out of date: run \`npm run generate\``);
    process.exitCode = 1;
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
