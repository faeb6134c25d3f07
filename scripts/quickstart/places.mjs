/** Folders of the checkout. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
/** The folder of the program. */
export const program = join(root, "examples", "quickstart");
export const windows = process.platform === "win32";
