import { readFileSync } from "node:fs";
import { join } from "node:path";

let version: string | undefined;

/** The version of this package, which is also that of its plugin. */
export function pluginVersion(): string {
  if (version === undefined) {
    const text = readFileSync(join(__dirname, "../../../package.json"), "utf8");
    ({ version } = JSON.parse(text) as { version: string });
  }
  return version;
}
