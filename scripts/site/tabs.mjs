/** An example in a tab for each language. */
import { examplesOf } from "./examples/index.mjs";

/** The tests are test/types/pages.test.ts, test/nightly/other-languages.test.ts and test/nightly/yaml.test.ts. */
const NOTE =
  "Tests compile the TypeScript, check the Python with mypy and the Go with `go vet`, and run the YAML on the emulator: [languages](/languages).";

/** @param {string} example TypeScript. @param {import("./examples/typed.mjs").Spec} schema */
export const tabs = (example, schema) =>
  [
    "::: code-group",
    ...examplesOf(example, schema).flatMap(({ language, title, code }) => [
      "",
      `\`\`\`${language} [${title}]`,
      code.trimEnd(),
      "```",
    ]),
    ":::",
    "",
    NOTE,
  ].join("\n");
