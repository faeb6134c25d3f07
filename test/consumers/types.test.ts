import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { CASES, compile, type Consumers, titleOf } from "../helpers/compilers";

/** The oldest and the newest compiler that has each of these; all others are in test/matrix. */
const shown = ["node", "nodenext"].flatMap((resolution) => {
  const cases = CASES.filter(
    ({ sdk, file, options }) =>
      sdk === "newest" &&
      file !== "main.cts" &&
      options["moduleResolution"] === resolution &&
      options["strict"] === true &&
      options["skipLibCheck"] === false,
  );
  return [...cases.slice(0, 1), ...cases.slice(-1)];
});

let consumers: Consumers;

beforeAll(async () => {
  consumers = await compile(shown);
});

afterAll(() => consumers?.remove());

test.each(shown.map((one) => [one.compiler, titleOf(one), one] as const))(
  "TypeScript %s compiles a program and the package's declarations: %s",
  (_compiler, _title, one) => expect(consumers.complaints(one)).toEqual([]),
);

/** The declarations that an entry reaches, and what each imports besides relative files. */
function importsFrom(entry: string): Set<string> {
  const seen = new Set<string>();
  const imports = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { fileName } of ts.preProcessFile(readFileSync(file, "utf8"), true, true).importedFiles) {
      if (!fileName.startsWith(".")) {
        imports.add(fileName);
        continue;
      }
      const path = resolve(dirname(file), fileName);
      const found = [`${path}.d.ts`, join(path, "index.d.ts")].find(existsSync);
      if (found === undefined)
        throw new Error(`${relative(consumers.installed, file)} imports ${fileName}, which is missing`);
      visit(found);
    }
  };
  visit(entry);
  return imports;
}

test.each(["index.d.ts", "api/index.d.ts", "emulator/index.d.ts", "runtime.d.ts"])(
  "the declarations of %s import no library but the SDK",
  (entry) => {
    const dist = join(consumers.installed, "dist");
    expect(readdirSync(dist)).toContain("index.d.ts");
    const others = [...importsFrom(join(dist, entry))].filter(
      (name) => !name.startsWith("node:") && !/^@pulumi\/pulumi($|\/)/.test(name),
    );
    expect(others).toEqual([]);
    // A program of resources and data functions needs no types of Node but those that the SDK needs.
    if (entry === "index.d.ts") {
      expect([...importsFrom(join(dist, entry))].filter((name) => name.startsWith("node:"))).toEqual([]);
    }
  },
);
