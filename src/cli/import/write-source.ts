import { posix } from "node:path";
import { type ImportPlan, type PlannedFile, type PlannedResource } from "./plan-resources";
import { Expression, sourceOf } from "./source-text";

/** How a program is written. */
export interface SourceOptions {
  /** The extension in the program's imports of its files: empty, `.js` or `.ts`. */
  readonly extension: string;
  /** The module from which the classes are imported. */
  readonly from: string;
  /** Whether the resources are protected. */
  readonly protect: boolean;
}

/** The width of a line. */
const WIDTH = 100;

/** The name of the file with the ids to adopt. */
export const ADOPT = "adopt";

/** A program that is to be written, with what the summary says about it. */
export interface WrittenProgram extends Pick<
  ImportPlan,
  "texts" | "counts" | "leftOut" | "dropped" | "hidden"
> {
  readonly files: readonly { readonly path: string; readonly statements: number }[];
  /** How many ids it adopts. */
  readonly ids: number;
  /** Further lines about what was left out. */
  readonly said: readonly string[];
  /** The secrets that it reads from the configuration. */
  readonly secrets: readonly {
    readonly key: string;
    readonly what: string;
    readonly isRequired: boolean;
    /** Whether the account shows its value. */
    readonly isShown: boolean;
  }[];
  /** Steps with the state of the objects, before or after the `pulumi up`. */
  readonly steps: { readonly before?: string; readonly after?: string };
  sources(options: SourceOptions): ReadonlyMap<string, string>;
}

/** The program of a plan. */
export const programOf = (plan: ImportPlan): WrittenProgram => ({
  ...plan,
  files: plan.files.map(({ path, resources }) => ({ path, statements: resources.length })),
  ids: plan.files.reduce((sum, { resources }) => sum + resources.length, 0),
  ...{ said: [], secrets: [], steps: {} },
  sources: (options) => sourcesOf(plan, options),
});

/** The files of a program, by their paths. */
export function sourcesOf({ files, texts }: ImportPlan, options: SourceOptions): ReadonlyMap<string, string> {
  const paths = new Map(
    files.flatMap(({ path, resources }) =>
      resources.flatMap(({ variable }) => (variable === undefined ? [] : [[variable, path] as const])),
    ),
  );
  const ids = files
    .flatMap(({ resources }) => resources)
    .map(({ type, name, importId }) => [`${type} ${name}`, importId]);
  return new Map([
    [
      "index.ts",
      indexSource(
        files.map(({ path }) => path),
        options,
      ),
    ],
    [`${ADOPT}.ts`, adoptSource(Object.fromEntries(ids) as Record<string, string>, options)],
    ...files.map((file) => [`${file.path}.ts`, fileSource(file, paths, options)] as const),
    ...texts,
  ]);
}

/** The file that imports the ids and then these files. */
export const indexSource = (paths: readonly string[], { extension }: SourceOptions): string =>
  [ADOPT, ...paths].map((path) => `import "./${path}${extension}";\n`).join("");

/** The file with the ids to adopt, by their keys. */
export function adoptSource(ids: Readonly<Record<string, string>>, { from }: SourceOptions): string {
  return [
    "// Delete this file and its line in index.ts after the `pulumi up` that adopts these objects: other stacks would adopt them too.",
    `import * as nodecloud from "${from}";\n`,
    `nodecloud.adopt(${sourceOf(ids)});\n`,
  ].join("\n");
}

function fileSource(
  { path, resources }: PlannedFile,
  paths: ReadonlyMap<string, string>,
  options: SourceOptions,
): string {
  const values = resources.flatMap(({ inputs }) => Object.values(inputs));
  const used = new Set(values.flatMap((value) => (value instanceof Expression ? [value.variable] : [])));
  const elsewhere = Map.groupBy(
    [...used].filter((variable) => paths.has(variable) && paths.get(variable) !== path),
    (variable) => paths.get(variable) ?? "",
  );
  const imports = [
    ...(used.has("fs") ? ['import * as fs from "node:fs";'] : []),
    `import * as nodecloud from "${options.from}";`,
    ...[...elsewhere].sort().map(([from, variables]) => {
      const relative = posix.relative(posix.dirname(path), from);
      const place = relative.startsWith(".") ? relative : `./${relative}`;
      return `import { ${variables.sort().join(", ")} } from "${place}${options.extension}";`;
    }),
  ];
  return `${imports.join("\n")}\n\n${resources.map((one) => resourceSource(one, options)).join("\n")}`;
}

function resourceSource(
  { type, name, variable, inputs }: PlannedResource,
  { protect }: SourceOptions,
): string {
  const start = `${variable === undefined ? "" : `export const ${variable} = `}new nodecloud.${type}(`;
  const args = [name, inputs, ...(protect ? [{ protect }] : [])];
  const line = `${start}${args.map((one) => sourceOf(one, 0, -Infinity)).join(", ")});\n`;
  if (line.length <= WIDTH) return line;
  return `${start}\n${args.map((one) => `  ${sourceOf(one, 1)},\n`).join("")});\n`;
}
