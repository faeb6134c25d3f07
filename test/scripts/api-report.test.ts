import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root, Sandbox, write } from "./fakes";

describe("scripts/generate/api-report.mjs", () => {
  let sandbox: Sandbox;
  let clone: string;

  const declare = (text: string) => write(join(clone, "dist", "index.d.ts"), text);
  const run = (...args: string[]) =>
    sandbox.run([join(clone, "scripts/generate/api-report.mjs"), ...args]).then(({ code, stdout }) => ({
      code,
      stdout,
    }));
  const report = () => readFileSync(join(clone, "api-reports", "pulumi-nodecloud.api.md"), "utf8");

  beforeEach(() => {
    sandbox = new Sandbox();
    clone = join(sandbox.directory, "clone");
    const script = "scripts/generate/api-report.mjs";
    cpSync(join(root, script), join(clone, script));
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    write(join(clone, "package.json"), '{ "name": "small", "version": "1.0.0" }');
    write(
      join(clone, "tsconfig.build.json"),
      '{ "compilerOptions": { "types": [] }, "files": ["dist/index.d.ts"] }',
    );
    for (const entry of ["api", "emulator"])
      write(join(clone, "dist", entry, "index.d.ts"), `export declare const ${entry}: string;\n`);
    write(join(clone, "dist", "plugin.d.ts"), "export declare const plugin: string;\n");
    declare('import { type Inner } from "./inner";\nexport interface Outer {\n  inner: Inner;\n}\n');
    write(join(clone, "dist", "inner.d.ts"), "export interface Inner {\n  size: number;\n}\n");
  });

  afterEach(() => sandbox.remove());

  it("writes the exports of each entry, and the types that it uses without exporting them", async () => {
    expect(await run()).toEqual({ code: 0, stdout: "" });
    expect(report()).toContain("export interface Outer");
    expect(report()).toMatch(/interface Inner \{[^}]*size: number;/);
    expect(readFileSync(join(clone, "api-reports/pulumi-nodecloud-api.api.md"), "utf8")).toContain(
      "const api: string",
    );
  });

  it("with --check names each report that is out of date, and writes none", async () => {
    await run();
    expect(await run("--check")).toEqual({ code: 0, stdout: "" });
    const before = report();
    write(join(clone, "dist", "inner.d.ts"), "export interface Inner {\n  size: string;\n}\n");
    const complaint = "api-reports/pulumi-nodecloud.api.md is out of date: run `npm run generate`\n";
    expect(await run("--check")).toEqual({ code: 1, stdout: complaint });
    expect(report()).toBe(before);
  });

  it("fails if an entry exports a missing name", async () => {
    declare('export * from "./nothing";\n');
    expect((await run()).code).not.toBe(0);
  });
});
