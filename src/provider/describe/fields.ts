import { type z } from "zod";
import { type Comparison, isObject, type Properties, snakePath, UNKNOWN } from "../state/values";

/** What a change of an input does to the resource. */
export type Change = "replace" | "update" | "none";

/** The reason why a value is invalid: the rest of a sentence that starts with the property. */
export interface Problem {
  readonly reason: string;
  /** Whether the service would still accept the value. */
  readonly warns?: true;
}

/**
 * What the removal of an input without a default does: `replace` replaces the resource, `stays` keeps the current value with a warning in the preview,
 * `forgotten` sends nothing, after which the same value runs its action again, `nothing` has no effect, and `refused` fails with the reason of a rule.
 */
export type Removal = "replace" | "stays" | "forgotten" | "nothing" | "refused";

/** Facts about an input. Its limits are in its schema. */
export interface FieldOptions<Schema extends z.ZodType = z.ZodType> {
  /** Its meaning and unit, as sentences. Generation adds the limits, the default, and the effects of a change and a removal. */
  readonly doc: string;
  /** Why programs should no longer set it, as a sentence. */
  readonly deprecated?: string;
  /** The value that holds if the program omits it, unless `default` says it: a phrase without a period. */
  readonly omitted?: string;
  /** What a change does, if `change` does not say all of it: the rest of a sentence that starts with "A change", without the period. */
  readonly changes?: string;
  /** What a removal does, if `removed` does not say all of it: the rest of a sentence that starts with "Removing it", without the period. */
  readonly removes?: string;
  /** The TypeScript type that programs may give instead of the schema's. */
  readonly accepts?: string;
  /** Whether programs may give a file, of which the path is handed over. */
  readonly file?: true;
  /** Whether the program must set it: always, or (`made`) when an object is created. An object that was adopted may lack the latter. */
  readonly required?: true | "made";
  /** The documented default. The input goes back to it when it is removed from the program. */
  readonly default?: z.output<Schema> | null;
  /** What its removal from the program does where there is no default. Every input has one of the two. */
  readonly removed?: Removal;
  /** How two values are compared. By default as plain values. */
  readonly compare?: Comparison;
  /** How the service may rewrite the value: to another number, or to another spelling. Then a live value may still be the program's. */
  readonly rewritten?: "rounded" | "respelt";
  /** Whether its value is encrypted in the state and never shown. Such an input is write-only: no answer holds it. */
  readonly secret?: boolean;
  /** Its dotted path in request bodies, where that is not its own path in snake_case. */
  readonly wire?: string;
  /** Turns its value into the value of the request body. */
  readonly encode?: (value: unknown) => unknown;
  /** Whether its keys are the user's own. They are sent unchanged. */
  readonly opaque?: boolean;
  /** Whether no request body holds it: the resource's own steps use it. */
  readonly local?: boolean;
  /** Whether a change of it runs an operation. Such an input is no property of the object, so an adoption leaves nothing about it unknown. */
  readonly action?: boolean;
  /** Whether a different live value is left alone, because the service changes it by itself. */
  readonly followsService?: boolean;
  /** Finds what is wrong with a value that fits its schema. It runs on a new or changed value; of a list, on each new item. */
  readonly problem?: (value: unknown) => Problem | string | undefined;
  /** Why a change of it replaces the resource, where the API could do otherwise: the end of "it changed, …". */
  readonly why?: string;
}

/** One input: its schema with the documented limits, and what a change of it does. */
export interface Field<Schema extends z.ZodType = z.ZodType> extends FieldOptions<Schema> {
  readonly schema: Schema;
  readonly change: Change | ((inputs: Properties) => Change);
  /** The value of another input that makes a change of this one replace the resource. */
  readonly replacesWith?: { readonly path: string; readonly value: string };
}

/** Inputs by name; an object of a fixed shape is a tree of its own, each of its properties managed by itself. */
export interface FieldTree {
  readonly [name: string]: Field | FieldTree;
}

/** An input whose change replaces the resource. */
export const replace = <Schema extends z.ZodType>(
  schema: Schema,
  options: FieldOptions<Schema>,
): Field<Schema> => ({ schema, change: "replace", ...options });

/** An input whose change updates the resource in place. */
export const update = <Schema extends z.ZodType>(
  schema: Schema,
  options: FieldOptions<Schema>,
): Field<Schema> => ({ schema, change: "update", ...options });

/** An input whose change updates the resource in place, or replaces it where another input has a value. */
export const updateOrReplace = <Schema extends z.ZodType>(
  schema: Schema,
  replacesWith: { readonly path: string; readonly value: string },
  options: FieldOptions<Schema>,
): Field<Schema> => ({
  schema,
  change: (inputs) =>
    [replacesWith.value, UNKNOWN].includes(String(inputAt(inputs, replacesWith))) ? "replace" : "update",
  replacesWith,
  ...options,
});

/** An input that only tells the provider what to do. A change of it sends nothing. */
export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  options: FieldOptions<Schema>,
): Field<Schema> => ({ schema, change: "none", local: true, removed: "nothing", ...options });

/** Facts about an object of inputs. */
export interface GroupFacts<Name extends string = string> {
  /** The name of its type in programs. */
  readonly type: string;
  readonly doc: string;
  /** Inputs of it that the program must set if it sets the object. */
  readonly requires?: readonly Name[];
}

const groups = new WeakMap<FieldTree, GroupFacts>();

/** An object of inputs, each of which is managed by itself. */
export function group<Fields extends FieldTree>(
  facts: GroupFacts<NoInfer<keyof Fields & string>>,
  fields: Fields,
): Fields {
  groups.set(fields, facts);
  return fields;
}

/** The facts about an object of inputs. */
export const groupFacts = (fields: FieldTree): GroupFacts | undefined => groups.get(fields);

/** An input of the tree with its dotted path. */
export interface Leaf extends Field {
  readonly path: string;
  readonly wirePath: string;
  readonly comparison: Comparison;
}

/** Whether a node of a tree is an input, and not an object of inputs. */
export const isField = (node: Field | FieldTree): node is Field =>
  typeof node["change"] !== "undefined" && "schema" in node;

const knownLeaves = new WeakMap<FieldTree, readonly Leaf[]>();

/** All inputs of a tree, each with its path: worked out once, for they are asked for with every call. */
export function leavesOf(tree: FieldTree): readonly Leaf[] {
  const leaves = knownLeaves.get(tree) ?? leavesBelow(tree, "");
  knownLeaves.set(tree, leaves);
  return leaves;
}

function leavesBelow(tree: FieldTree, prefix: string): readonly Leaf[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    const path = `${prefix}${name}`;
    return isField(node)
      ? [{ ...node, path, wirePath: node.wire ?? snakePath(path), comparison: node.compare ?? "value" }]
      : leavesBelow(node, `${path}.`);
  });
}

/** The property names of a tree that no field has, as dotted paths. */
export function strangersIn(tree: FieldTree, value: Properties, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name.startsWith("__")) return [];
    const node = Object.hasOwn(tree, name) ? tree[name] : undefined;
    if (node === undefined) return [`${prefix}${name}`];
    return !isField(node) && isObject(inner) ? strangersIn(node, inner, `${prefix}${name}.`) : [];
  });
}

/** Inputs without objects that set nothing. `ignoreChanges` leaves such a one of an object that is new, where it names all that is in it. */
export const withoutEmpty = (tree: FieldTree, inputs: Properties): Properties =>
  Object.fromEntries(
    Object.entries(inputs).flatMap(([name, value]): [string, unknown][] => {
      const node = Object.hasOwn(tree, name) ? tree[name] : undefined;
      if (node === undefined || isField(node) || !isObject(value)) return [[name, value]];
      const kept = withoutEmpty(node, value);
      return Object.values(kept).every((inner) => inner == null) ? [] : [[name, kept]];
    }),
  );

/** The dotted paths of the objects of a tree. */
export function groupsOf(tree: FieldTree, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([name, node]) =>
    isField(node) ? [] : [`${prefix}${name}`, ...groupsOf(node, `${prefix}${name}.`)],
  );
}

/** The inputs that an object of a program must set and does not, as dotted paths. */
export function missingInGroups(tree: FieldTree, inputs: Properties, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    const value = inputs[name];
    if (isField(node) || !isObject(value)) return [];
    const below = `${prefix}${name}.`;
    const missing = (groupFacts(node)?.requires ?? []).filter((inner) => value[inner] == null);
    return [...missing.map((inner) => `${below}${inner}`), ...missingInGroups(node, value, below)];
  });
}

/** The value of an input, or undefined where it is not set; null counts as not set. Below an unknown object all is unknown. */
export function inputAt(inputs: Properties, { path }: Pick<Leaf, "path">): unknown {
  let value: unknown = inputs;
  for (const name of path.split(".")) {
    if (value === UNKNOWN) return UNKNOWN;
    value = isObject(value) ? value[name] : undefined;
  }
  return value ?? undefined;
}

/** The greatest length of a text, if its schema has one. */
export function maxLengthOf(schema: z.ZodType): number | undefined {
  if ("unwrap" in schema) return maxLengthOf((schema as z.ZodOptional<z.ZodType>).unwrap());
  return (schema as Partial<z.ZodString>).maxLength ?? undefined;
}

/** The top-level property that holds a path, as the engine names it. */
export const topLevel = (path: string): string => path.split(".", 1)[0] ?? path;
