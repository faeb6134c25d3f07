import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { type Case, CASES, compile, type Consumers, titleOf } from "../helpers/compilers";

const strictly = CASES.filter(
  ({ sdk, options }) => sdk === "newest" && options["strict"] === true && options["skipLibCheck"] === false,
);

/** A way to resolve the package's entries: the compiler's mode, and the kind of the importing module. */
const wayOf = ({ file, options }: Case) => `${String(options["moduleResolution"])} ${file}`;

/** Each way with the newest compiler, and two ways also with the oldest compiler. test/nightly has all others. */
const shown = [...new Set(strictly.map(wayOf))].flatMap((way) => {
  const cases = strictly.filter((one) => wayOf(one) === way);
  return ["node main.ts", "nodenext main.mts"].includes(way)
    ? [...cases.slice(0, 1), ...cases.slice(-1)]
    : cases.slice(-1);
});

let consumers: Consumers;

beforeAll(async () => {
  consumers = await compile(shown);
});

afterAll(() => consumers?.remove());

test("programs resolve the package in every mode, from both kinds of modules", () => {
  expect([...new Set(shown.map(wayOf))].sort()).toEqual([
    "bundler main.ts",
    "node main.ts",
    "node16 main.cts",
    "node16 main.mts",
    "nodenext main.cts",
    "nodenext main.mts",
  ]);
});

test.each(shown.map((one) => [one.compiler, titleOf(one), one] as const))(
  "TypeScript %s compiles a program and the package's declarations: %s",
  (_compiler, _title, one) => expect(consumers.complaints(one)).toEqual([]),
);

/** The external imports of all declarations that an entry reaches. */
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
    // A program with resources and data functions needs Node's types only for the SDK.
    if (entry === "index.d.ts") {
      expect([...importsFrom(join(dist, entry))].filter((name) => name.startsWith("node:"))).toEqual([]);
    }
  },
);
