import { join } from "node:path";
import ts from "typescript";
import { isObject } from "../../../../src/provider/base/values";
import { ROOT } from "../../../helpers/programs";
import { CONFIGURATIONS, programsForAllTests, type WrittenPrograms } from "../../../helpers/written-programs";

let programs: WrittenPrograms;
let secret: WrittenPrograms;
programsForAllTests((all) => (programs = all));
programsForAllTests((all) => (secret = all), withAllSensitive);

/** A state in which all attributes are sensitive: lists by their items, as `show -json` has it. */
function withAllSensitive(state: string): string {
  return JSON.stringify(JSON.parse(state), (_, one: unknown) => {
    if (!isObject(one)) return one;
    const { attributes, values } = one;
    if (isObject(attributes)) {
      const sensitive_attributes = Object.keys(attributes).map((value) => [{ type: "get_attr", value }]);
      return { ...one, sensitive_attributes };
    }
    if (!isObject(values) || !("type" in one)) return one;
    const marks = Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? [true] : true]);
    return { ...one, sensitive_values: Object.fromEntries(marks) as unknown };
  });
}

test("the programs of all configurations compile, also if everything is sensitive", () => {
  const options = ts.convertCompilerOptionsFromJson(
    {
      ...{
        strict: true,
        noUnusedLocals: true,
        target: "es2022",
        module: "commonjs",
        moduleResolution: "node",
      },
      ...{ ignoreDeprecations: "6.0", noEmit: true, skipLibCheck: true, types: ["node"] },
      typeRoots: [join(ROOT, "node_modules/@types")],
      paths: {
        "pulumi-nodecloud": [join(ROOT, "src/index.ts")],
        "@pulumi/pulumi": [join(ROOT, "node_modules/@pulumi/pulumi")],
      },
    },
    ROOT,
  ).options;
  const folders = [programs.folder, secret.folder];
  const entries = folders.flatMap((folder) => CONFIGURATIONS.map((name) => join(folder, name, "index.ts")));
  const program = ts.createProgram(entries, options);
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => folders.some((folder) => fileName.startsWith(folder)));
  expect(own.length).toBeGreaterThan(4 * CONFIGURATIONS.length);
  const found = own.flatMap((file) => program.getSemanticDiagnostics(file));
  expect(
    found.map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    ),
  ).toEqual([]);
});
