import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @param {string} path */
const read = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
/** @param {string} path @returns {unknown} */
const versionIn = (path) => JSON.parse(read(path)).version;

/** The version to release: package.json is its place, and all other files follow it. */
export const version = () => String(versionIn("package.json"));

/** The newest section of the changelog that has a version, and the date of its release. */
const sections = () =>
  [
    ...read("CHANGELOG.md").matchAll(
      /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?\n([^]*?)(?=^## \[|(?![^]))/gm,
    ),
  ].map(([, name = "", date, text = ""]) => ({ name, date, text: text.trim() }));

/** The changelog's text about the version, or about what is not released yet. */
export const changes = () => {
  const all = sections();
  return (
    (all.find(({ name }) => name === version()) ?? all.find(({ name }) => name === "Unreleased"))?.text ?? ""
  );
};

/** Why a version cannot be released: a file has another one, each as `FILE has …`. @param {string} wanted @returns {string[]} */
export function complaintsAbout(wanted) {
  const [logged, date] = sections().flatMap(({ name, date }) => (/^\d/.test(name) ? [name, date] : []));
  /** @type {[where: string, found: unknown][]} */
  const places = [
    ["package.json", versionIn("package.json")],
    ["package-lock.json", versionIn("package-lock.json")],
    ["CHANGELOG.md", logged],
    ["schema.json", versionIn("schema.json")],
    ["sdks/go/nodecloud/pulumi-plugin.json", versionIn("sdks/go/nodecloud/pulumi-plugin.json")],
    ["sdks/python/pyproject.toml", /^ *version = "(.*)"$/m.exec(read("sdks/python/pyproject.toml"))?.[1]],
  ];
  const complaints = places
    .filter(([, found]) => found !== wanted)
    .map(([where, found]) => `${where} has ${found === undefined ? "no version" : `version ${found}`}`);
  if (logged === wanted && date === undefined) complaints.push("CHANGELOG.md has no date for it");
  return complaints;
}
