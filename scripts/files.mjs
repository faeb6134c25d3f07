import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** The files in a folder and its subfolders, as sorted paths within it. A folder that does not exist has none. @param {string} folder */
export const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
        .sort()
    : [];
