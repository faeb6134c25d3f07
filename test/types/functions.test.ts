import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const schema = JSON.parse(readFileSync(join(__dirname, "../../schema.json"), "utf8")) as {
  readonly functions: Readonly<Record<string, unknown>>;
};

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

test("editors show a text for each argument of a data function", () => {
  const path = join(__dirname, "../../src/functions/index.ts");
  const program = ts.createProgram([path], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source && checker.getSymbolAtLocation(source);
  const functions = module === undefined ? [] : checker.getExportsOfModule(module).filter(isFunction);
  const argumentsOf = (symbol: ts.Symbol): ts.Symbol[] => {
    const [taken] = checker.getTypeOfSymbol(symbol).getCallSignatures()[0]?.parameters ?? [];
    if (taken === undefined) return [];
    const [first] = checker.getTypeArguments(checker.getTypeOfSymbol(taken) as ts.TypeReference);
    const shapes = first?.isUnion() ? first.types : [first].flatMap((type) => type ?? []);
    return shapes.flatMap((shape) => checker.getPropertiesOfType(shape));
  };
  const isGiven = (symbol: ts.Symbol) =>
    checker.typeToString(checker.getTypeOfSymbol(symbol)) !== "undefined";
  const silent = functions.flatMap((symbol) =>
    argumentsOf(symbol)
      .filter((argument) => isGiven(argument) && argument.getDocumentationComment(checker).length === 0)
      .map((argument) => `${symbol.name}: ${argument.name}`),
  );
  expect(functions.length).toBe(Object.keys(schema.functions).length);
  expect(functions.flatMap(argumentsOf).length).toBeGreaterThan(100);
  expect(silent).toEqual([]);
});

/** Whether a symbol is the form of a data function that takes plain values. */
const isFunction = ({ name }: ts.Symbol): boolean => /^get/.test(name) && !name.endsWith("Output");
