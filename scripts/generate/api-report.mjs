/**
 * Writes an API report for each entry that users import: every exported name with its types, as text to review.
 * It reads the declarations in dist. With --check it only names the reports that are out of date.
 */
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The reports, by name, with the declarations that they read. */
const entries = {
  "pulumi-nodecloud": "dist/index.d.ts",
  "pulumi-nodecloud-plugin": "dist/plugin.d.ts",
  "pulumi-nodecloud-api": "dist/api/index.d.ts",
  "pulumi-nodecloud-emulator": "dist/emulator/index.d.ts",
};

/**
 * @param {string} name
 * @param {string} declarations
 * @param {string} directory where API Extractor writes the report.
 */
const configOf = (name, declarations, directory) =>
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
        reportFolder: directory,
        reportTempFolder: join(directory, "temp"),
      },
      messages: { compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } } },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
  });

/**
 * @param {string} directory
 * @returns {Map<string, string>} each report, by its path from the root.
 */
function reports(directory) {
  const configs = Object.entries(entries).map(([name, path]) => configOf(name, path, directory));
  const [first, ...others] = configs;
  if (first === undefined) return new Map();
  const additionalEntryPoints = others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  const compilerState = CompilerState.create(first, { additionalEntryPoints });
  for (const config of configs) extract(config, compilerState);
  return new Map(
    Object.keys(entries).map((name) => {
      const file = `${name}.api.md`;
      return [`api-reports/${file}`, readFileSync(join(directory, file), "utf8")];
    }),
  );
}

/**
 * @param {ExtractorConfig} config
 * @param {CompilerState} compilerState
 */
function extract(config, compilerState) {
  const { succeeded } = Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    // API Extractor prints and counts messages that are not handled: the errors.
    messageCallback: (message) => (message.handled = message.logLevel !== ExtractorLogLevel.Error),
  });
  if (!succeeded) throw new Error("API Extractor cannot read the declarations in dist");
}

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const directory = mkdtempSync(join(tmpdir(), "nodecloud-api-report-"));
try {
  mkdirSync(join(root, "api-reports"), { recursive: true });
  for (const [file, now] of reports(directory)) {
    const path = join(root, file);
    if (existsSync(path) && readFileSync(path, "utf8") === now) continue;
    if (values.check) {
      console.log(`${file} is out of date: run \`npm run generate\``);
      process.exitCode = 1;
    } else {
      writeFileSync(path, now);
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
