import { posix } from "node:path";
import { fileOf, kebab, UniqueNames } from "../names";
import { Expression, sourceOf } from "../source-text";
import { adoptSource, ADOPT, indexSource, type WrittenProgram, type SourceOptions } from "../write-source";
import { type Composed, type Composition, isScope, type ComposedItem, nameOf } from "./compose";
import { type Adopted } from "./match";
import { type Placed, type Statement } from "./place";
import { PROGRAM } from "./source";

/** The file of the resources outside of modules. */
const MAIN = "main";

export function programOf(
  { classes }: Composition,
  placed: readonly Placed[],
  adopted: readonly Adopted[],
  taken: ReadonlyMap<string, ReadonlySet<string>>,
): Pick<WrittenProgram, "files" | "sources"> {
  const names = new UniqueNames([MAIN, ADOPT, "index"]);
  const pathOf = new Map(
    classes.map((one) => {
      const folder = one.instances[0]?.token === undefined ? "modules" : "components";
      return [one, one.called === "" ? MAIN : `${folder}/${names.take(fileOf(kebab(one.called), "module"))}`];
    }),
  );
  const ids = Object.fromEntries(adoptKeys(adopted, classes, taken));
  return {
    files: placed.map(({ of, statements }) => ({
      path: pathOf.get(of) ?? MAIN,
      statements: statements.length,
    })),
    sources: (options) =>
      new Map([
        ["index.ts", indexSource([MAIN], options)],
        [`${ADOPT}.ts`, adoptSource(ids, options)],
        ...placed.map((one) => {
          const path = pathOf.get(one.of) ?? MAIN;
          return [`${path}.ts`, fileSource(one, path, pathOf, options)] as const;
        }),
      ]),
  };
}

/** The keys of `adopt`. Those with the types of parents stand for one resource, whatever else has its class and name. */
function adoptKeys(
  adopted: readonly Adopted[],
  classes: readonly Composed[],
  taken: ReadonlyMap<string, ReadonlySet<string>>,
): [key: string, id: string][] {
  const tokenOf = new Map(
    classes.flatMap(({ token, instances }) => instances.map((scope) => [scope, token])),
  );
  const typesAbove = (scope = PROGRAM): string[] =>
    scope === PROGRAM ? [] : [...typesAbove(scope.above), tokenOf.get(scope) ?? ""];
  const short = ({ type, source }: Adopted) => `${type} ${source.name}`;
  const counts = Map.groupBy(adopted, short);
  return adopted.map((one) => {
    const { type, source, live } = one;
    const isAlone = counts.get(short(one))?.length === 1 && taken.get(type)?.has(source.name) !== true;
    const above = typesAbove(source.scope);
    const types = [...(above.length === 0 ? ["pulumi:pulumi:Stack"] : above), type];
    return [isAlone ? short(one) : `${types.join("$")} ${source.name}`, live.id];
  });
}

function fileSource(
  placed: Placed,
  path: string,
  pathOf: ReadonlyMap<Composed, string>,
  options: SourceOptions,
): string {
  const body = placed.of.called === "" ? programSource(placed, options) : classSource(placed, options);
  const used = new Set(
    placed.statements.flatMap(({ item }) => (typeof item.type === "string" ? [] : [item.type])),
  );
  const isUsed = (word: string) => new RegExp(`\\b${word}\\.`).test(body);
  const head = [
    ...(isUsed("pulumi") || isUsed("config") ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    ...(isUsed("nodecloud") ? [`import * as nodecloud from "${options.from}";`] : []),
    ...[...used].map((one) => importOf(one, placed, path, pathOf.get(one) ?? "", options)),
    ...(isUsed("config") ? ["", "const config = new pulumi.Config();"] : []),
  ];
  return `${head.join("\n")}\n\n${body}`;
}

function importOf(
  one: Composed,
  placed: Placed,
  path: string,
  from: string,
  { extension }: SourceOptions,
): string {
  const relative = posix.relative(posix.dirname(path), from);
  const isTyped = placed.args.some(({ type }) => type.includes(`${one.called}Args`));
  const names = [one.called, ...(isTyped ? [`type ${one.called}Args`] : [])];
  return `import { ${names.join(", ")} } from "${relative.startsWith(".") ? relative : `./${relative}`}${extension}";`;
}

/** The resources outside of modules. */
function programSource({ statements }: Placed, options: SourceOptions): string {
  const texts = statements.map((statement) => {
    const { item } = statement;
    const [member] = item.members.get(PROGRAM)?.values() ?? [];
    const name = JSON.stringify(member === undefined ? item.field : nameOf(member));
    const text = declaration(statement, name, [], options, 0);
    return hasName(item) ? `export const ${item.field} = ${text}` : text;
  });
  return texts.join("\n");
}

/** Whether the program needs a name for it. Records and the like have none without need. */
function hasName({ isReferred, members }: ComposedItem): boolean {
  const [member] = [...members.values()].flatMap((one) => [...one.values()]);
  if (isReferred || member === undefined || isScope(member)) return true;
  return member.live.description.id.parent === undefined;
}

function classSource({ of, args, statements }: Placed, options: SourceOptions): string {
  const { called, token, instances } = of;
  const [first] = instances;
  const what =
    first?.token === undefined
      ? `The module ${first?.kind.split("/").join(" > ") ?? ""}`
      : `The component ${token}`;
  const fields = statements
    .map(({ item }) => item)
    .filter((item) => hasName(item) || (item.isLoop && item.isReferred));
  const member = (item: ComposedItem) => {
    const type = typeof item.type === "string" ? `nodecloud.${item.type}` : item.type.called;
    return item.isLoop
      ? `  readonly ${item.field}: Record<string, ${type}> = {};`
      : `  readonly ${item.field}: ${type};`;
  };
  const isOptional = (values: ReadonlyMap<unknown, unknown>) =>
    [...values.values()].some((value) => value === undefined);
  const given = args.length === 0 ? "" : ` args: ${called}Args,`;
  return [
    ...(args.length === 0
      ? []
      : [
          `/** The values in which instances of {@link ${called}} differ, and values from outside. */`,
          `export interface ${called}Args {`,
          ...args.map(({ name, type, values }) => `  ${name}${isOptional(values) ? "?" : ""}: ${type};`),
          "}\n",
        ]),
    `/** ${what}. */`,
    `export class ${called} extends pulumi.ComponentResource {`,
    ...fields.map(member),
    ...(fields.length === 0 ? [] : [""]),
    `  constructor(name: string,${given} opts?: pulumi.ComponentResourceOptions) {`,
    `    super(${JSON.stringify(token)}, name, {}, opts);`,
    ...statements.map((statement) => statementSource(statement, options)),
    "    this.registerOutputs();",
    "  }",
    "}\n",
  ].join("\n");
}

function statementSource(statement: Statement, options: SourceOptions): string {
  const { item, elements } = statement;
  const { field, isPrefixed } = item;
  const parent = [["parent", new Expression("this", "this")]] as const;
  if (elements === undefined) {
    const [suffix = ""] = [...item.members.values()].flatMap((one) => [...one.keys()]);
    const name = isPrefixed ? `\`\${name}-${inTemplate(suffix)}\`` : JSON.stringify(suffix);
    const text = declaration(statement, name, parent, options, 2).trimEnd();
    return `    ${hasName(item) ? `this.${field} = ` : ""}${text}`;
  }
  const name = isPrefixed ? "`${name}-${key}`" : "key";
  const text = declaration(statement, name, parent, options, 3).trimEnd();
  return [
    `    for (const [key, inputs] of Object.entries(${elements.text})) {`,
    `      ${hasName(item) ? `this.${field}[key] = ` : ""}${text}`,
    "    }",
  ].join("\n");
}

const inTemplate = (text: string): string =>
  JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replace(/[`$]/g, "\\$&");

/** The width of a line. */
const WIDTH = 100;

function declaration(
  { item, inputs, dependsOn, elements }: Statement,
  name: string,
  more: readonly (readonly [string, unknown])[],
  { protect }: SourceOptions,
  depth: number,
): string {
  const isResource = typeof item.type === "string";
  const options = Object.fromEntries([
    ...more,
    ...(dependsOn === undefined ? [] : [["dependsOn", dependsOn] as const]),
    ...(protect && isResource ? [["protect", true] as const] : []),
  ]);
  const hasInputs = Object.keys(inputs).length > 0;
  const hasOptions = Object.keys(options).length > 0;
  const given =
    elements === undefined
      ? inputs
      : hasInputs
        ? { "...inputs": true, ...inputs }
        : new Expression("inputs", "inputs");
  const takesArgs = isResource || hasInputs || elements !== undefined;
  const args: unknown[] = [
    new Expression(name, "name"),
    ...(takesArgs ? [given] : []),
    ...(hasOptions ? [options] : []),
  ];
  const start = `new ${isResource ? `nodecloud.${item.type}` : item.type.called}(`;
  const source = (value: unknown, at: number, used = 0) =>
    sourceOf(value, at, used).replace('"...inputs": true', "...inputs");
  const line = `${start}${args.map((one) => source(one, 0, -Infinity)).join(", ")});\n`;
  const indent = "  ".repeat(depth);
  if (indent.length + line.length + item.field.length <= WIDTH) return line;
  return `${start}\n${args.map((one) => `${indent}  ${source(one, depth + 1)},\n`).join("")}${indent});\n`;
}
