import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..");
const json = <Value>(path: string): Value => JSON.parse(readFileSync(join(root, path), "utf8")) as Value;

interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
}

const OURS = "this package";
const FOLDER = "node_modules/";

const { packages } = json<{ packages: Readonly<Record<string, Locked>> }>("package-lock.json");

const neededBy = (folder: string): string[] => {
  const { dependencies, optionalDependencies } = packages[folder] ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies });
};

/** The folder that `require` finds for this name: next to the requiring package, or above it. */
function found(name: string, from: string): string {
  const above = from
    .split("/node_modules/")
    .map((_, end, parts) => parts.slice(0, end + 1).join("/node_modules/"));
  const places = ["", ...above.filter(Boolean).map((folder) => `${folder}/`)].map(
    (place) => `${place}${FOLDER}${name}`,
  );
  const folder = places.findLast((place) => place in packages);
  if (folder === undefined) throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
  return folder;
}

const nameOf = (folder: string) => folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length);

/**
 * Each package that these packages bring, with the names of those that need it. This checkout may have the same version in several folders, where a
 * package for development takes the place of the only one that users get.
 */
function treeOf(first: readonly string[]): Map<string, Set<string>> {
  const tree = new Map<string, Set<string>>();
  const seen = new Map<string, string>();
  const add = (folder: string, by: string) => {
    const same = seen.get(`${nameOf(folder)}@${packages[folder]?.version}`) ?? folder;
    const known = tree.get(same);
    if (known) return void known.add(by);
    seen.set(`${nameOf(folder)}@${packages[folder]?.version}`, folder);
    tree.set(folder, new Set([by]));
    for (const name of neededBy(folder)) add(found(name, folder), nameOf(folder));
  };
  for (const folder of first) add(folder, OURS);
  return tree;
}

const tree = treeOf(neededBy("").map((name) => found(name, "")));
const page = readFileSync(join(root, "docs/dependencies.md"), "utf8");
const listed = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((part) => part.trim()))
  .map(([, name = "", licence = "", by = "", reason = ""]) => ({
    name: name.replaceAll("`", ""),
    licence,
    by,
    reason,
  }));

test("docs/dependencies.md lists each installed package, with its licence and the packages that need it", () => {
  const installed = [...tree].map(([folder, by]) => ({
    name: nameOf(folder),
    licence: json<{ license: string }>(`${folder}/package.json`).license,
    by: [...by].sort().join(", "),
  }));
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
  expect(listed.map(({ reason: _reason, ...row }) => row)).toEqual(installed.sort(byName));
});

test("docs/dependencies.md gives a reason for each", () => {
  expect(listed.filter(({ reason }) => reason.length < 10)).toEqual([]);
});

test("docs/dependencies.md gives the number of packages, and of those that axios brings", () => {
  const [all, axios, forms] = [neededBy(""), ["axios"], ["form-data"]].map(
    (names) => treeOf(names.map((name) => found(name, ""))).size,
  );
  expect(page.replace(/\s+/g, " ")).toContain(`brings ${all} packages from the npm registry`);
  expect(page.replace(/\s+/g, " ")).toContain(
    `axios brings ${axios} of the ${all}, itself included: ${forms} of them are form-data`,
  );
});

test("no package runs a script at installation, and the lock file has the hash of each", () => {
  const locked = [...tree.keys()].map((folder) => ({ folder, ...packages[folder] }));
  expect(locked.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
  expect(locked.filter(({ integrity }) => !integrity?.startsWith("sha512-"))).toEqual([]);
});
