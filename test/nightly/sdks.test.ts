import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool } from "../helpers/debian-tools";
import { ROOT } from "../helpers/programs";

const go = findTool("go");
const python = findTool("python3");

/** A copy of what the generation reads and writes, in which a test can change files. */
function copied(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "nodecloud-sdks-"));
  for (const name of ["scripts", "tools", "sdks", "schema.json", "package.json"])
    cpSync(join(ROOT, name), join(path, name), { recursive: true });
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs the generation in a folder. */
const generate = (path: string, ...args: string[]) =>
  spawnSync(process.execPath, ["scripts/sdks.mjs", ...args], { cwd: path, encoding: "utf8" });

/** Changes a copy of the schema. */
function change(path: string, edit: (schema: Record<string, unknown>) => void): void {
  const file = join(path, "schema.json");
  const schema = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  edit(schema);
  writeFileSync(file, JSON.stringify(schema));
}

(go === undefined ? describe.skip : describe)("the SDKs for Python and Go", () => {
  test("are what the engine's generators make of the schema", () => {
    expect(generate(ROOT, "--check")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("are out of date after a change of the schema, until they are generated again", () => {
    const copy = copied();
    try {
      change(copy.path, (schema) => (schema["version"] = "9.8.7"));
      writeFileSync(join(copy.path, "sdks/python/old.py"), "");
      const { status, stdout } = generate(copy.path, "--check");
      expect(status).toBe(1);
      expect(stdout).toContain("sdks/python/pyproject.toml is out of date: run `npm run generate:sdks`");
      expect(stdout).toContain("sdks/python/old.py is no longer generated");
      expect(generate(copy.path)).toMatchObject({ status: 0 });
      expect(generate(copy.path, "--check")).toMatchObject({ status: 0, stdout: "" });
    } finally {
      copy.remove();
    }
  });

  test("are not written from a schema that the engine refuses, or warns of", () => {
    const copy = copied();
    try {
      change(copy.path, (schema) => {
        schema["config"] = { variables: { broken: { $ref: "#/types/nodecloud:index:Nothing" } } };
      });
      const { status, stderr } = generate(copy.path);
      expect(status).toBe(1);
      expect(stderr).toContain("nodecloud:index:Nothing");
    } finally {
      copy.remove();
    }
  });

  test("compile in Go", () => {
    const env = {
      ...process.env,
      CGO_ENABLED: "0",
      GOWORK: "off",
      GOFLAGS: "-mod=readonly",
      GOTOOLCHAIN: "auto",
    };
    execFileSync(go ?? "", ["vet", "./..."], { cwd: join(ROOT, "sdks/go/nodecloud"), env, stdio: "pipe" });
  });
});

(python === undefined ? test.skip : test)("the Python SDK compiles", () => {
  const code =
    "import ast, pathlib, sys\nfor p in pathlib.Path(sys.argv[1]).rglob('*.py'): ast.parse(p.read_text('utf-8'), p)";
  execFileSync(python ?? "", ["-c", code, join(ROOT, "sdks/python")], { stdio: "pipe" });
});
