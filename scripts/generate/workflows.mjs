/** The workflows of examples/web-tier, generated from those of examples/ci. */
import { readFileSync } from "node:fs";
import { root } from "./load.mjs";
import { whole } from "./write.mjs";

const ofOneProject = [
  "Copy this file and report.mjs into .github/workflows/ of your program's repository, and set",
  "Set",
];

/** @type {[RegExp, string]} */
const ofEachStack = [
  / +env:\n.*For several stacks.*\n +PULUMI_STACK: prod\n/,
  `    strategy:
      fail-fast: false
      matrix:
        stack: [dev, prod]
    env:
      PULUMI_STACK: $\{{ matrix.stack }}
`,
];

/** The differences from examples/ci, whose workflows are for one stack without policies. */
const changes = {
  "preview.yml": [
    ofOneProject,
    ofEachStack,
    ["      - run: npm ci\n", "      - run: npm ci\n      - run: npm run typecheck\n      - run: npm test\n"],
    ["pulumi preview --diff", "pulumi preview --policy-pack policy --diff"],
  ],
  "drift.yml": [ofOneProject, ofEachStack],
  "report.mjs": [],
};

export const workflows = () =>
  Object.entries(changes).map(([name, made]) =>
    whole(`examples/web-tier/.github/workflows/${name}`, changed(name, made)),
  );

/** @param {string} name @param {(string | RegExp)[][]} made */
function changed(name, made) {
  let text = readFileSync(new URL(`examples/ci/${name}`, root), "utf8");
  for (const [from = "", to = ""] of made) {
    const next = text.replace(from, () => String(to));
    if (next === text) throw new Error(`examples/ci/${name} no longer has ${from}`);
    text = next;
  }
  return text;
}
