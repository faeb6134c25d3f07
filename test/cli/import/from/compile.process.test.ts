import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../../../helpers/programs";
import { CONFIGURATIONS, programsForAllTests, type WrittenPrograms } from "../../../helpers/written-programs";

let programs: WrittenPrograms;
programsForAllTests((all) => (programs = all));

test("the programs of all configurations compile", () => {
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
  const { folder } = programs;
  const entries = CONFIGURATIONS.map((name) => join(folder, name, "index.ts"));
  const program = ts.createProgram(entries, options);
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  expect(own.length).toBeGreaterThan(2 * CONFIGURATIONS.length);
  const found = own.flatMap((file) => program.getSemanticDiagnostics(file));
  expect(
    found.map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    ),
  ).toEqual([]);
});
