/** Folders of the checkout. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
/** The folder of an example. @param {string} name */
export const exampleFolder = (name) => join(root, "examples", name);
export const windows = process.platform === "win32";
