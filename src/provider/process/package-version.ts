import { readFileSync } from "node:fs";
import { join } from "node:path";

let version: string | undefined;

/** The version of this package, which is also that of its plugin. */
export function packageVersion(): string {
  if (version === undefined) {
    const manifest = readFileSync(join(__dirname, "../../../package.json"), "utf8");
    ({ version } = JSON.parse(manifest) as { version: string });
  }
  return version;
}
