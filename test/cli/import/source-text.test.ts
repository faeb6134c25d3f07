import { runInNewContext } from "node:vm";
import fc from "fast-check";
import ts from "typescript";
import { fileOf, RESERVED, UniqueNames, variableOf } from "../../../src/cli/import/names";
import { Expression, sourceOf } from "../../../src/cli/import/source-text";
import { anyCharacter } from "../../helpers/characters";

/** What the compiler says of a text alone. */
function problemsIn(text: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, strict: true },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

test("every value reads back equal from its source", () => {
  const value = fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter });
  fc.assert(
    fc.property(value, (wanted) => {
      expect(JSON.stringify(runInNewContext(`(${sourceOf(wanted)})`))).toBe(
        JSON.stringify(wanted, (_, one: unknown) => (Object.is(one, -0) ? 0 : one)),
      );
    }),
    {
      numRuns: 40,
      examples: [["\u2028 ${a} `b` */ \\ \ud800 </script>"], [JSON.parse('{"__proto__":1,"a-b":[{}]}')]],
    },
  );
});

test("an expression is written as it is, in one line and in several", () => {
  const zone = new Expression("zone.id", "zone");
  expect(sourceOf({ a: zone, b: [zone] })).toBe("{ a: zone.id, b: [zone.id] }");
  expect(sourceOf({ a: zone, b: "x".repeat(100) })).toBe(
    `{\n  a: zone.id,\n  b: ${JSON.stringify("x".repeat(100))},\n}`,
  );
});

const labels = [
  ...[
    "web-1.prod",
    "1-old",
    "",
    "-",
    "ПРИВЕТ",
    "日本",
    "🎉",
    "ünï",
    "İstanbul",
    "ﬁ",
    "𝒳",
    "café",
    "Ꟛ",
    "webꟚᲊ",
    "cafe\u0301",
  ],
  ...["*/", "${x}", "`", '"', "\\", "a\nb", "__proto__", "constructor", "then", "ǅ", "ª", "٣"],
  ...RESERVED,
];

test("each label gives a variable that the compiler accepts, and no two are equal", () => {
  const names = new UniqueNames(RESERVED, "");
  const variables = [...labels, ...labels].map((label) => names.take(variableOf(label, "node")));
  expect(new Set(variables).size).toBe(variables.length);
  expect(problemsIn(variables.map((one) => `export const ${one} = 1;\n`).join(""))).toEqual([]);
  expect(variables.slice(0, 5)).toEqual(["web1Prod", "node1Old", "node", "node2", "привет"]);
});

test("any text gives a variable that the compiler accepts", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter }), { maxLength: 30 }), (all) => {
      const names = new UniqueNames(RESERVED, "");
      const variables = all.map((label) => names.take(variableOf(label, "node")));
      expect(problemsIn(variables.map((one) => `export const ${one} = 1;\n`).join(""))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("a file is named after its label, and no label makes a name that is too long or leaves the folder", () => {
  expect(labels.slice(0, 5).map((label) => fileOf(label, "12"))).toEqual([
    "web-1-prod",
    "1-old",
    "12",
    "12",
    "привет",
  ]);
  expect(fileOf("../../etc/passwd", "12")).toBe("etc-passwd");
  expect(Buffer.byteLength(`${fileOf("日".repeat(253), "12")}.zone`)).toBeLessThan(255);
});

test("12,000 equal names are numbered", () => {
  const names = new UniqueNames(["www", "www-3"]);
  const taken = Array.from({ length: 12_000 }, () => names.take("www"));
  expect([taken[0], taken[1], taken.at(-1)]).toEqual(["www-2", "www-4", "www-12002"]);
});
