import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programFolder, ROOT } from "../helpers/programs";

test("the example of docs/testing.md passes without an account, and fails for a different program", () => {
  const page = readFileSync(join(ROOT, "docs/testing.md"), "utf8");
  const examples = [...page.matchAll(/<!-- example: (\S+) -->\n+```ts\n([^]*?)```/g)];
  const compilerOptions = {
    target: "es2022",
    module: "commonjs",
    moduleResolution: "node10",
    ignoreDeprecations: "6.0",
  };
  const folder = programFolder({ "tsconfig.json": JSON.stringify({ compilerOptions }) });
  for (const [, file = "", code = ""] of examples) folder.write(file, code);
  const settings = Object.entries(process.env).filter(
    ([name]) => !/^(PULUMI|NODECLOUD)_|^NODE_TEST|^NODE_OPTIONS/.test(name),
  );
  const run = () =>
    execFileSync(
      process.execPath,
      ["--require", join(ROOT, "node_modules/ts-node/register/transpile-only"), "--test", "index.test.ts"],
      {
        cwd: folder.path,
        env: {
          ...Object.fromEntries(settings),
          NO_COLOR: "1",
          TS_NODE_COMPILER: join(ROOT, "node_modules/typescript"),
        },
        encoding: "utf8",
      },
    );
  try {
    expect(run()).toMatch(/pass 1\b[^]*fail 0\b/);
    const program = examples.find(([, file]) => file === "index.ts")?.[2] ?? "";
    folder.write("index.ts", program.replace("domainId: zone.id", 'domainId: "13"'));
    expect(run).toThrow(/Command failed/);
  } finally {
    folder.remove();
  }
});
