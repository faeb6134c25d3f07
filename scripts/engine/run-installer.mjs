/** `node run-installer.mjs DIRECTORY VERSION`: installs the Pulumi CLI with the Automation API. It is a separate program, so that it can be stopped. */
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { SemVer } from "semver";

const [root = "", version = ""] = process.argv.slice(2);
try {
  await PulumiCommand.install({ root, version: new SemVer(version) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
