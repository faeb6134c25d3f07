import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { runInNewContext } from "node:vm";
import ts from "typescript";
import { isObject } from "../../src/provider/base/values";

/** A resource that a program declares. A reference is the text `Node 12`, with the type and the id of the object. */
export interface DeclaredResource {
  readonly type: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  /** The id that it imports, by `adopt` or by its option. */
  readonly imports?: string;
}

/** What stands for the outputs of an object besides its id. */
export type OutputsOf = (type: string, id: string) => Readonly<Record<string, unknown>>;

/** All files below a folder with their texts, without packages. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  const below = (path: string): string[] =>
    readdirSync(join(folder, path), { withFileTypes: true })
      .filter(({ name }) => name !== "node_modules")
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((entry) => {
        const at = join(path, entry.name);
        return entry.isDirectory() ? below(at) : [at];
      });
  return Object.fromEntries(below("").map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Runs the program of a folder with classes that only take down what it declares. Throws at a file that the compiler cannot parse. */
export function declaredBy(
  folder: string,
  start = "index.ts",
  outputsOf: OutputsOf = () => ({}),
): readonly DeclaredResource[] {
  const declared: DeclaredResource[] = [];
  const ids = new Map<string, string>();
  const adopt = (adopted: object) => Object.entries(adopted).forEach(([key, id]) => ids.set(key, String(id)));
  const classes = new Proxy(
    { adopt },
    { get: (own, type) => (type === "adopt" ? own.adopt : classOf(String(type), declared, ids, outputsOf)) },
  );
  const modules = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = modules.get(path);
    if (known !== undefined) return known.exports;
    const loaded = { exports: {} };
    modules.set(path, loaded);
    const wrapped = `(function (exports, require, module) { ${compiled(path)}\n})`;
    const run = runInNewContext(wrapped) as (exports: unknown, require: unknown, module: unknown) => void;
    run(loaded.exports, (name: string) => provide(name, path), loaded);
    return loaded.exports;
  };
  const provide = (name: string, from: string): unknown => {
    if (name === "pulumi-nodecloud" || name === "pulumi-nodecloud/plugin") return classes;
    if (name === "@pulumi/pulumi") return PULUMI;
    if (name === "node:fs")
      return { readFileSync: (file: string) => readFileSync(join(folder, file), "utf8") };
    return load(fileOf(resolve(dirname(from), name)));
  };
  load(join(folder, start));
  return plain(declared);
}

/** Arrays and objects of another context are no arrays and objects for `toEqual`. */
const plain = <Value>(value: Value): Value => structuredClone(value);

/** A component takes down only its type and what is around it. */
class Component {
  readonly parents: readonly string[];
  constructor(type: string, _name: string, _args: unknown, options?: { readonly parent?: Component }) {
    this.parents = [...(options?.parent?.parents ?? []), type];
  }
  registerOutputs(): void {
    // There is no engine.
  }
}

/** The parts of the SDK that programs with components use. The configuration is empty, and a required value stands for itself. */
const PULUMI = {
  ComponentResource: Component,
  output: (value: unknown) => value,
  Config: class {
    getSecret = () => undefined;
    getSecretNumber = () => undefined;
    getSecretBoolean = () => undefined;
    getSecretObject = () => undefined;
    requireSecret = (key: string) => `the secret ${key}`;
    requireSecretNumber = this.requireSecret;
    requireSecretObject = this.requireSecret;
  },
};

function classOf(
  type: string,
  declared: DeclaredResource[],
  ids: ReadonlyMap<string, string>,
  outputsOf: OutputsOf,
) {
  return class {
    readonly id: string;
    readonly called: string;
    constructor(name: string, args: unknown, given: unknown) {
      const texts = [args, given].map((one) => (isObject(one) ? one : {}));
      const { parent, dependsOn, ...options } = texts[1] ?? {};
      const parents = parent instanceof Component ? parent.parents : [];
      const above = parents.length === 0 ? ["pulumi:pulumi:Stack"] : parents;
      const keys = [`${[...above, type].join("$")} ${name}`, `${type} ${name}`];
      const [imports = options["import"]] = keys.flatMap((key) => ids.get(key) ?? []);
      this.id = `${type} ${String(imports)}`;
      this.called = `${type} ${name}`;
      for (const [output, value] of Object.entries(outputsOf(type, String(imports))))
        Object.assign(this, { [output]: liftedOf(value) });
      const after = Array.isArray(dependsOn)
        ? { dependsOn: dependsOn.map((one: { called: string }) => one.called) }
        : {};
      const imported = typeof imports === "string" ? { imports } : {};
      declared.push({
        type,
        name,
        args: texts[0] ?? {},
        options: { ...options, ...after },
        ...imported,
      });
    }
  };
}

/** A list with the method of an output. */
const liftedOf = (value: unknown): unknown =>
  Array.isArray(value) ? { apply: (use: (all: unknown) => unknown) => use(value) } : value;

const fileOf = (path: string): string => {
  const bare = path.replace(/\.[jt]s$/, "");
  const found = [`${bare}.ts`, join(bare, "index.ts")].find((file) => existsSync(file));
  if (found === undefined) throw new Error(`there is no module ${path}`);
  return found;
};

function compiled(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(readFileSync(path, "utf8"), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, strict: true },
  });
  const [first] = diagnostics;
  if (first === undefined) return outputText;
  throw new Error(
    `${relative(process.cwd(), path)}: ${ts.flattenDiagnosticMessageText(first.messageText, " ")}`,
  );
}
