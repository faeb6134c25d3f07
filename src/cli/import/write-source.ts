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

/** The file with the ids to adopt. */
export const ADOPT = "adopt";

/** The files of a program, by their paths. */
export function sourcesOf({ files, texts }: ImportPlan, options: SourceOptions): ReadonlyMap<string, string> {
  const paths = new Map(
    files.flatMap(({ path, resources }) =>
      resources.flatMap(({ variable }) => (variable === undefined ? [] : [[variable, path] as const])),
    ),
  );
  const index = [ADOPT, ...files.map(({ path }) => path)].map(
    (path) => `import "./${path}${options.extension}";\n`,
  );
  return new Map([
    ["index.ts", index.join("")],
    [`${ADOPT}.ts`, adoptSource(files, options)],
    ...files.map((file) => [`${file.path}.ts`, fileSource(file, paths, options)] as const),
    ...texts,
  ]);
}

function adoptSource(files: readonly PlannedFile[], { from }: SourceOptions): string {
  const ids = files
    .flatMap(({ resources }) => resources)
    .map(({ type, name, importId }) => [`${type} ${name}`, importId]);
  return [
    "// After the `pulumi up` that adopts these objects, delete this file and its line in index.ts, or leave them.",
    `import * as nodecloud from "${from}";\n`,
    `nodecloud.adopt(${sourceOf(Object.fromEntries(ids))});\n`,
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
