/** The workflows of examples/web-tier, generated from those of examples/ci/github. */
import { readFileSync } from "node:fs";
import { root } from "./load.mjs";
import { whole } from "./write.mjs";

const ofOneProject = [
  "Copy this file into .github/workflows/ of your program's repository. docs/ci.md of pulumi-nodecloud lists the secrets.",
  "docs/ci.md of pulumi-nodecloud lists the secrets.",
];

/** The differences from examples/ci/github, whose workflows are for one stack without policies. */
const changes = {
  "preview.yml": [
    ofOneProject,
    ["STACKS: prod\n", "STACKS: dev prod\n"],
    ["      - run: npm ci\n", "      - run: npm ci\n      - run: npm run typecheck\n      - run: npm test\n"],
    ['pulumi preview --stack "$stack"', 'pulumi preview --policy-pack policy --stack "$stack"'],
    ['pulumi preview --stack "$name"', 'pulumi preview --policy-pack policy --stack "$name"'],
  ],
  "drift.yml": [ofOneProject, ["stacks: prod\n", "stacks: dev prod\n"]],
};

export const workflows = () =>
  Object.entries(changes).map(([name, made]) =>
    whole(`examples/web-tier/.github/workflows/${name}`, changed(name, made)),
  );

/** @param {string} name @param {string[][]} made */
function changed(name, made) {
  let text = readFileSync(new URL(`examples/ci/github/${name}`, root), "utf8");
  for (const [from = "", to = ""] of made) {
    const next = text.replace(from, () => to);
    if (next === text) throw new Error(`examples/ci/github/${name} no longer has ${from}`);
    text = next;
  }
  return text;
}
