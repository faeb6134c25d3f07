/** An example in a tab for each language. */
import { examplesOf } from "./examples/index.mjs";

/** What was run of the examples. Their tests are test/types/pages.test.ts, test/scripts/site.test.ts and test/nightly/site-examples.test.ts. */
const NOTE =
  "The TypeScript is compiled with the package, the Python is checked with mypy and the Go with `go vet`. The YAML is only compared with the schema: [no program in YAML has run](/languages#yaml).";

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
