import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type ts from "typescript";
import { quietly } from "../../api/quietly";
import { unusableProgram } from "../errors";

/** The TypeScript compiler. */
export type Compiler = typeof ts;

/** Loads the compiler of a project: its own one, or the one that Pulumi runs its programs with. */
export function compilerOf(project: string): Compiler {
  const require = createRequire(join(project, "Pulumi.yaml"));
  const compiler = loaded(() => require("typescript")) ?? loaded(() => compilerOfPulumi(require));
  if (compiler !== undefined) return compiler;
  throw unusableProgram(
    `there is no TypeScript compiler in ${project}: install the packages of the project, or add typescript to them`,
  );
}

function loaded(load: () => unknown): Compiler | undefined {
  const compiler = quietly(load) as Partial<Compiler> | undefined;
  // A compiler that is a separate program has no functions to call.
  return typeof compiler?.createSourceFile === "function" ? (compiler as Compiler) : undefined;
}

function compilerOfPulumi(require: NodeJS.Require): unknown {
  const vendor = join(dirname(require.resolve("@pulumi/pulumi/package.json")), "vendor");
  const versions = readdirSync(vendor).filter((name) => name.startsWith("typescript@"));
  const file = versions.map((name) => join(vendor, name, "typescript.js")).find((path) => existsSync(path));
  return file && require(file);
}
