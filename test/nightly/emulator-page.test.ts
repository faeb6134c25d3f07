import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startTestEmulator } from "../helpers/emulator";
import { programFolder, ROOT } from "../helpers/programs";
import { commandsIn } from "../helpers/stack";

test("the test of docs/emulator.md deploys a program with the engine, and fails if a deployment leaves something to do", async () => {
  const page = readFileSync(join(ROOT, "docs/emulator.md"), "utf8");
  const code = /<!-- example: stack\.test\.ts -->\n+```ts\n([^]*?)```/.exec(page)?.[1] ?? "";
  const compilerOptions = { target: "es2022", module: "commonjs", moduleResolution: "node10" };
  const tsconfig = { compilerOptions: { ...compilerOptions, ignoreDeprecations: "6.0" } };
  const folder = programFolder({ "tsconfig.json": JSON.stringify(tsconfig) });
  // The test starts its own emulator, and this one shows that it uses no other.
  const other = await startTestEmulator();
  const { env } = commandsIn(folder.path, other);
  const settings = Object.fromEntries(Object.entries(env).filter(([name]) => !/^NODE_TEST/.test(name)));
  const run = async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--require", join(ROOT, "node_modules/ts-node/register/transpile-only"), "--test", "stack.test.ts"],
      { cwd: folder.path, env: { ...settings, TS_NODE_COMPILER: join(ROOT, "node_modules/typescript") } },
    );
    return stdout;
  };
  try {
    folder.write("stack.test.ts", code);
    expect(await run()).toMatch(/pass 1\b[^]*fail 0\b/);
    expect(await other.writes()).toEqual([]);
    folder.write("stack.test.ts", code.replace("await stack.up();", ""));
    await expect(run()).rejects.toThrow("Command failed");
  } finally {
    folder.remove();
    await other.stop();
  }
});
