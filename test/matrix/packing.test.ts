import { cpSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../helpers/programs";
import { type Project, userProject } from "../helpers/packed";

/** A clone of this checkout, with installed packages and without a build. */
let clone: Project;

interface Manifest {
  type?: string;
  exports: Record<string, string | { types: string; default: string }>;
}

const manifest = readFileSync(join(ROOT, "package.json"), "utf8");

beforeAll(() => {
  clone = userProject();
  const left = ["node_modules", "dist", ".git", ".cache"];
  for (const name of readdirSync(ROOT)) {
    if (!left.includes(name)) cpSync(join(ROOT, name), join(clone.path, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(clone.path, "node_modules"));
});

afterAll(() => clone?.remove());

const builtAt = () => statSync(join(clone.path, "dist", ".build.json")).mtimeMs;

test("npm pack builds a fresh clone first, and packs each entry with its types; a second npm pack builds nothing", async () => {
  await clone.run("npm", ["pack", "--loglevel=error"]);
  const archive = readdirSync(clone.path).find((name) => name.endsWith(".tgz")) ?? "";
  const packed = (await clone.run("tar", ["-tzf", archive])).split("\n");
  const entries = Object.values((JSON.parse(manifest) as Manifest).exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  );
  expect(packed).toEqual(expect.arrayContaining(entries.map((path) => path.replace("./", "package/"))));
  const built = builtAt();
  await clone.run("npm", ["pack", "--loglevel=error"]);
  expect(builtAt()).toBe(built);
});

test("npm run check:package finds no problem in this package", async () => {
  expect(await clone.run("npm", ["run", "--silent", "check:package"])).toBe("");
});

test.each<[string, (value: Manifest) => void, RegExp]>([
  ["has no type of module", (value) => delete value.type, /does not specify the "type" field/],
  [
    "names a file that is not packed",
    (value) => (value.exports["./api"] = "./src/api/index.ts"),
    /is missing/,
  ],
  [
    "gives an entry the types of another entry",
    (value) => (value.exports["./runtime"] = { types: "./dist/index.d.ts", default: "./dist/runtime.js" }),
    /pulumi-nodecloud\/runtime/,
  ],
])("npm run check:package refuses a package.json that %s", async (_, change, complaint) => {
  const value = JSON.parse(manifest) as Manifest;
  change(value);
  clone.write("package.json", value);
  await expect(clone.run("node", ["scripts/check-package.mjs"])).rejects.toThrow(complaint);
});
