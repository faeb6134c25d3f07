/** Writes generated files, or names those that are out of date. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as prettier from "prettier";
import { root } from "./load.mjs";

/** @typedef {{ file: string; written: (old: string) => string | Promise<string> }} Generated `file` is a path from the root. */

/** @param {string} file @param {string} text @returns {Generated} */
export const whole = (file, text) => ({ file, written: () => text });

/** The file as prettier formats it. @param {string} file @param {string} text @returns {Generated} */
export const formatted = (file, text) => ({
  file,
  written: async () => {
    const path = fileURLToPath(new URL(file, root));
    return prettier.format(text, { ...(await prettier.resolveConfig(path)), filepath: path });
  },
});

/**
 * @param {readonly Generated[]} files Several may be parts of one file: each gets the text that the previous one has written.
 * @param {boolean} isCheck Whether to compare only.
 * @returns {Promise<string[]>} The files that were out of date.
 */
export async function write(files, isCheck) {
  /** @type {Map<string, { old: string; now: string }>} */
  const texts = new Map();
  for (const { file, written } of files) {
    const { old, now } = texts.get(file) ?? (await read(file));
    texts.set(file, { old, now: await written(now) });
  }
  const stale = [...texts].filter(([, { old, now }]) => old !== now);
  for (const [file, { now }] of stale) {
    if (isCheck) console.log(`${file} is out of date: run \`npm run generate\``);
    else await save(new URL(file, root), now);
  }
  return stale.map(([file]) => file);
}

/** @param {string} file */
async function read(file) {
  const path = new URL(file, root);
  const old = existsSync(path) ? await readFile(path, "utf8") : "";
  return { old, now: old };
}

/** @param {URL} path @param {string} text */
async function save(path, text) {
  await mkdir(dirname(fileURLToPath(path)), { recursive: true });
  await writeFile(path, text);
}
