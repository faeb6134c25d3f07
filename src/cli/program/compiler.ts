import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type ts from "typescript";
import { CliError } from "../errors";

/** The TypeScript compiler. */
export type Compiler = typeof ts;

/** Loads the compiler of a project: its own one, or the one that Pulumi runs its programs with. */
export function compilerOf(project: string): Compiler {
  const require = createRequire(join(project, "Pulumi.yaml"));
  const candidates = [() => require.resolve("typescript"), () => compilerOfPulumi(require)];
  for (const candidate of candidates) {
    const compiler = loaded(require, candidate);
    if (compiler !== undefined) return compiler;
  }
  throw new CliError(
    `there is no TypeScript compiler in ${project}: install the packages of the project, or add typescript to them`,
  );
}

function loaded(require: NodeJS.Require, path: () => string | undefined): Compiler | undefined {
  try {
    const file = path();
    const compiler = file === undefined ? undefined : (require(file) as Partial<Compiler>);
    // A compiler that is a program of its own has no functions to call.
    return typeof compiler?.createSourceFile === "function" ? (compiler as Compiler) : undefined;
  } catch {
    return undefined;
  }
}

function compilerOfPulumi(require: NodeJS.Require): string | undefined {
  const vendor = join(dirname(require.resolve("@pulumi/pulumi/package.json")), "vendor");
  const versions = readdirSync(vendor).filter((name) => name.startsWith("typescript@"));
  return versions.map((name) => join(vendor, name, "typescript.js")).find((file) => existsSync(file));
}
