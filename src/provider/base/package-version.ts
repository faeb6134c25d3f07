import { readFileSync } from "node:fs";
import { join } from "node:path";

let version: string | undefined;

/** The version of this package, which is also that of its plugin. */
export const packageVersion = (): string => (version ??= readVersion());

function readVersion(): string {
  const manifest = readFileSync(join(__dirname, "../../../package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
