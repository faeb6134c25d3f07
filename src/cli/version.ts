import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this package. */
export function versionOfPackage(): string {
  const manifest = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version;
}
