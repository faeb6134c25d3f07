import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(__dirname, "../..");

/** Runs code with the modules of `scripts/mutants`, and returns its result. */
function run<Result>(code: string): Result {
  const load = (name: string) =>
    JSON.stringify(pathToFileURL(join(root, `scripts/mutants/${name}.mjs`)).href);
  const text = `
    import ts from ${JSON.stringify(pathToFileURL(join(root, "node_modules/typescript/lib/typescript.js")).href)};
    import { edited, editsOf } from ${load("operators")};
    import { marked, placeAround } from ${load("places")};
    import { chanceFrom } from ${load("choose")};
    const parse = (text) => ts.createSourceFile("a.ts", text, ts.ScriptTarget.ES2023, true);
    console.log(JSON.stringify((() => { ${code} })()));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", text], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Result;
}

/** The texts of a file after each possible mistake. */
const mistakesIn = (text: string) =>
  run<string[]>(
    `const text = ${JSON.stringify(text)}; return editsOf(parse(text)).map((edit) => edited(text, edit));`,
  );

describe("mistakes", () => {
  test("are made only in code that runs: not in types, imports, comments or documentation", () => {
    expect(
      mistakesIn(
        'import { a } from "a";\n// A comment: 1 < 2\nexport type B = "b" | 1;\ninterface C { d: true }\nexport const e = { doc: "text" };\n',
      ),
    ).toEqual([]);
  });

  test("negate, swap and remove, and change literals and what is returned", () => {
    expect(mistakesIn("if (a && b) f();")).toEqual([
      "if (!(a && b)) f();",
      ";",
      "if (a || b) f();",
      "if (true && b) f();",
      "if (a && false) f();",
      "if (a && b) ;",
    ]);
    expect(mistakesIn("const f = (n) => n < 1;")).toEqual([
      "const f = (n) => undefined;",
      "const f = (n) => n <= 1;",
      "const f = (n) => n < (1 + 1);",
    ]);
    expect(mistakesIn("function g() { h(); return [a]; }")).toEqual([
      "function g() { return; h(); return [a]; }",
      "function g() { ; return [a]; }",
      "function g() { h(); return undefined; }",
      "function g() { h(); return []; }",
    ]);
  });
});

test("a seed chooses the same mistakes again, and another seed others", () => {
  const [one, again, other] = run<number[][]>(
    "return [7, 7, 8].map((seed) => { const chance = chanceFrom(seed); return [chance(), chance(), chance()]; });",
  );
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect([...(one ?? []), ...(other ?? [])].every((number) => number >= 0 && number < 1)).toBe(true);
});

test("a marked file tells which functions run, and a mistake is looked for where its function is", () => {
  const source = "const one = () => ({ a: 1 });\nfunction two() { return 2; }\none();\n";
  const { hits, places } = run<{ hits: string[]; places: string[] }>(`
    const source = parse(${JSON.stringify(source)});
    const hits = [];
    globalThis.mutantsHit = (place) => hits.push(place);
    new Function(ts.transpile(marked("a", source)))();
    const places = ["1 }", "return 2", "one();"].map((text) => placeAround("a", source, source.text.indexOf(text)));
    return { hits, places };`);
  expect(hits).toEqual([places[2], places[0]]);
  expect(new Set(places).size).toBe(3);
});
