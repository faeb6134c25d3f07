import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root, Sandbox, write } from "./fakes";

describe("npm run lint", () => {
  let sandbox: Sandbox;
  /** The folder in which the sandbox runs commands. */
  let clone: string;

  beforeAll(() => {
    sandbox = new Sandbox();
    clone = sandbox.directory;
    const files = ["eslint.config.mjs", ".dependency-cruiser.mjs", "tsconfig.json", "scripts/layers.cjs"];
    for (const file of files) cpSync(join(root, file), join(clone, file));
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    write(join(clone, "package.json"), '{ "name": "small" }');
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `// ${index}\n`).join("");
    const longFunction = (body: number) => `export function long(): void {\n${lines(body)}}\n`;
    write(join(clone, "src/api/at-most.ts"), lines(320) + longFunction(78));
    write(join(clone, "src/api/file.ts"), lines(401));
    write(join(clone, "src/api/function.ts"), longFunction(79));
    write(
      join(clone, "src/api/circle.ts"),
      'import type { Half } from "./half";\nexport type Circle = Half[];\n',
    );
    write(
      join(clone, "src/api/half.ts"),
      'import type { Circle } from "./circle";\nexport type Half = Circle[0];\n',
    );
    write(join(clone, "src/provider/state/hidden-names.ts"), "export const SET = 1;\n");
    write(
      join(clone, "src/provider/state/handed.ts"),
      'import { SET } from "./hidden-names";\nexport const set = SET;\n',
    );
    write(
      join(clone, "src/provider/hooks/check.ts"),
      'export { SET } from "../state/hidden-names";\nexport { set } from "../state/handed";\n',
    );
    write(join(clone, "src/provider/base/low.ts"), 'export { type Check } from "../hooks/check";\n');
    write(
      join(clone, "src/cli/prefix.ts"),
      'export const isShown = (name: string) => name.indexOf("__") !== 0;\n',
    );
    write(join(clone, "src/emulator/store/table.ts"), 'export { app } from "../app";\n');
    write(join(clone, "src/emulator/app.ts"), 'export { attic as app } from "./attic/attic";\n');
    write(join(clone, "src/emulator/attic/attic.ts"), "export const attic = 1;\n");
    write(join(clone, "src/serve/dynamic.ts"), 'export { set } from "../provider/state/handed";\n');
  });

  afterAll(() => sandbox.remove());

  const tool = (script: string, ...args: string[]) =>
    sandbox.run([join(clone, "node_modules", script), ...args]);

  it("refuses files over 400 lines and functions over 80, including comments, and the prefix of hidden properties", async () => {
    const { code, stdout } = await tool("eslint/bin/eslint.js", "--format", "json", "src");
    const found = (JSON.parse(stdout) as { filePath: string; messages: { ruleId: string }[] }[]).map(
      ({ filePath, messages }) => [filePath.slice(clone.length + 1), messages.map(({ ruleId }) => ruleId)],
    );
    expect(code).toBe(1);
    expect(Object.fromEntries(found)).toEqual({
      "src/api/at-most.ts": [],
      "src/api/circle.ts": [],
      "src/api/file.ts": ["max-lines"],
      "src/api/function.ts": ["max-lines-per-function"],
      "src/api/half.ts": [],
      "src/cli/prefix.ts": ["no-restricted-syntax"],
      "src/emulator/app.ts": [],
      "src/emulator/attic/attic.ts": [],
      "src/emulator/store/table.ts": [],
      "src/provider/base/low.ts": [],
      "src/provider/hooks/check.ts": [],
      "src/provider/state/handed.ts": [],
      "src/provider/state/hidden-names.ts": [],
      "src/serve/dynamic.ts": [],
    });
  });

  it("refuses hooks that know hidden properties", async () => {
    const { stdout } = await tool("dependency-cruiser/bin/dependency-cruiser.mjs", "src");
    const refused = [...stdout.matchAll(/error (h\S+-properties): (.*)/g)].map(([, ...found]) => found);
    expect(refused.sort()).toEqual([
      ["handed-properties", "src/provider/hooks/check.ts → src/provider/state/handed.ts"],
      ["hidden-properties", "src/provider/hooks/check.ts → src/provider/state/hidden-names.ts"],
    ]);
  });

  it("refuses a room that uses one above it, and a room without a place", async () => {
    const { stdout } = await tool("dependency-cruiser/bin/dependency-cruiser.mjs", "src");
    const refused = [...stdout.matchAll(/error (order-of-rooms|unknown-room): (.*)/g)].map(
      ([, ...found]) => found,
    );
    expect(refused.sort()).toEqual([
      ["order-of-rooms", "src/emulator/store/table.ts → src/emulator/app.ts"],
      ["order-of-rooms", "src/provider/base/low.ts → src/provider/hooks/check.ts"],
      ["unknown-room", "src/emulator/app.ts → src/emulator/attic/attic.ts"],
    ]);
  });

  it("refuses import cycles, even of types, and shows the cycle", async () => {
    const { code, stdout } = await tool("dependency-cruiser/bin/dependency-cruiser.mjs", "src");
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/no-circular: src\/api\/(circle|half)\.ts →\s+src\/api\/(half|circle)\.ts/);
  });
});
