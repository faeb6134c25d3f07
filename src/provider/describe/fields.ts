import { type z } from "zod";
import { type Effect } from "./effects";
import { type Comparison, isObject, type Properties, snakePath, UNKNOWN } from "../base/values";
import { cached } from "../../api/cached";

/** The effect of a changed input on the resource. */
export type Change = "replace" | "update" | "none";

/** The reason why a value is invalid: the rest of a sentence that starts with the property. */
export interface FieldProblem {
  readonly reason: string;
  /** Whether the service would still accept the value. */
  readonly warns?: true;
}

/**
 * The effect of removing an input without a default: `replace` replaces the resource, `stays` keeps the current value with a warning in the preview,
 * `forgotten` sends nothing, after which the same value runs its action again, `nothing` has no effect, and `refused` fails with the reason of a rule.
 */
export type Removal = "replace" | "stays" | "forgotten" | "nothing" | "refused";

/** Facts about an input. Its limits are in its schema. */
export interface FieldOptions<Schema extends z.ZodType = z.ZodType> {
  /** Its meaning and unit, as sentences. Generation adds the limits, the default, and the effects of a change and a removal. */
  readonly doc: string;
  /** A value for its docs. An id, a boolean, listed values and objects need none. */
  readonly example?: z.input<Schema>;
  /** Why programs should no longer set it, as a sentence. */
  readonly deprecated?: string;
  /** The value that holds if the program omits it, unless `default` says it: a phrase without a period. */
  readonly omittedDoc?: string;
  /** The value of an input that the service does not show that means the same as its omission. */
  readonly omitted?: unknown;
  /** The effect of a change, if `change` does not say all of it: the rest of a sentence that starts with "A change", without the period. */
  readonly changeDoc?: string;
  /** The effect of a removal, if `removed` does not say all of it: the rest of a sentence that starts with "Removing it", without the period. */
  readonly removalDoc?: string;
  /** The TypeScript type of the input in programs, if it is not that of the schema. */
  readonly accepts?: string;
  /** Whether programs may give a file. The provider gets its path. */
  readonly file?: true;
  /** Whether the program must set it: always (`true`), or only for objects that it creates (`atCreation`), not for adopted ones. */
  readonly required?: true | "atCreation";
  /** The documented default. The input returns to it when the program removes it. */
  readonly default?: z.output<Schema> | null;
  /** The effect of a removal without a default. An optional input has this, a default, or an automatic name. */
  readonly removed?: Removal;
  /** How two values are compared. Default: as plain values. */
  readonly compare?: Comparison;
  /** How the service may rewrite the value: to another number, or to another spelling. A different live value may then still be the program's. */
  readonly rewritten?: "rounded" | "respelt";
  /** Whether its value is encrypted in the state and never shown. Such an input is write-only: no answer contains it. */
  readonly secret?: boolean;
  /** Its dotted path in request bodies, if that is not its own path in snake_case. */
  readonly wire?: string;
  /** Turns its value into the value for the request body. */
  readonly encode?: (value: unknown) => unknown;
  /** Whether users choose its keys. The keys are sent unchanged. */
  readonly opaque?: boolean;
  /** Whether no request body contains it: the steps of the resource use it. */
  readonly notSent?: boolean;
  /** Whether a change of it runs an operation. Such an input is not a property of the object, so it is known even after an adoption. */
  readonly action?: boolean;
  /** Whether it says what has to answer. It counts as sent once that has answered. */
  readonly awaited?: boolean;
  /** Whether a different live value is not drift, because the service changes it by itself. */
  readonly followsService?: boolean;
  /** Whether a creation with it makes a copy of another object, with that object's tags. */
  readonly copies?: boolean;
  /** Finds a problem of a value that fits the schema. It checks new and changed values, and in a list only new items. */
  readonly problem?: (value: unknown) => FieldProblem | string | undefined;
  /** Why a change of it replaces the resource, if the API has other means: the end of "it changed, …". */
  readonly replaceReason?: string;
  /** Its name in messages, if the provider derives it from an input of the program. */
  readonly called?: string;
  /** How a change in place interrupts the service that the object gives. */
  readonly interrupts?: Effect;
}

/** One input: its schema with the documented limits, and the effect of a change. */
export interface Field<Schema extends z.ZodType = z.ZodType> extends FieldOptions<Schema> {
  readonly schema: Schema;
  readonly change: Change | ((inputs: Properties) => Change);
  /** The value of another input that makes a change of this one replace the resource. */
  readonly replacesWith?: { readonly path: string; readonly value: string };
}

/** Inputs by name. An object with fixed properties is a tree itself: each of its properties is managed separately. */
export interface FieldTree {
  readonly [name: string]: Field | FieldTree;
}

const fieldWith =
  (facts: Pick<Field, "change" | "notSent" | "removed">) =>
  <Schema extends z.ZodType>(schema: Schema, options: FieldOptions<Schema>): Field<Schema> => ({
    schema,
    ...facts,
    ...options,
  });

/** An input whose change replaces the resource. */
export const replace = fieldWith({ change: "replace" });

/** An input whose change updates the resource in place. */
export const update = fieldWith({ change: "update" });

/** An input that only the provider uses. A change of it sends nothing. */
export const setting = fieldWith({ change: "none", notSent: true, removed: "nothing" });

/** An input whose change updates the resource in place, or replaces it if another input has a certain value. */
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

/** Facts about an object of inputs. */
export interface GroupFacts<Name extends string = string> {
  /** The name of its type in programs. */
  readonly type: string;
  readonly doc: string;
  /** The inputs that the program must set if it sets the object. */
  readonly requires?: readonly Name[];
}

const groups = new WeakMap<FieldTree, GroupFacts>();

/** An object of inputs. Each of them is managed separately. */
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

/** Whether a value of an input makes an operation wait. */
export const isAwaited = ({ awaited }: Leaf, value: unknown): boolean =>
  awaited === true && value != null && value !== false;

/** Whether two inputs are spellings of the same one: requests have them at the same place. */
export const isOtherSpelling = (one: Leaf, other: Leaf): boolean =>
  one.path !== other.path && one.wirePath === other.wirePath;

const knownLeaves = new WeakMap<FieldTree, readonly Leaf[]>();

/** All inputs of a tree, each with its path. They are computed once, because every call needs them. */
export const leavesOf = (tree: FieldTree): readonly Leaf[] =>
  cached(knownLeaves, tree, () => leavesBelow(tree, ""));

function leavesBelow(tree: FieldTree, prefix: string): readonly Leaf[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    const path = `${prefix}${name}`;
    return isField(node)
      ? [{ ...node, path, wirePath: node.wire ?? snakePath(path), comparison: node.compare ?? "value" }]
      : leavesBelow(node, `${path}.`);
  });
}

/** The properties that the tree does not have, as dotted paths. */
export function strangersIn(tree: FieldTree, value: Properties, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const node = Object.hasOwn(tree, name) ? tree[name] : undefined;
    if (node === undefined) return [`${prefix}${name}`];
    return !isField(node) && isObject(inner) ? strangersIn(node, inner, `${prefix}${name}.`) : [];
  });
}

/** Inputs without empty objects. `ignoreChanges` leaves an empty object if it names all properties of a new one. */
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
export const groupsOf = (tree: FieldTree, prefix = ""): string[] =>
  Object.entries(tree).flatMap(([name, node]) =>
    isField(node) ? [] : [`${prefix}${name}`, ...groupsOf(node, `${prefix}${name}.`)],
  );

/** The required inputs that are missing in objects of a program, as dotted paths. */
export function missingInGroups(tree: FieldTree, inputs: Properties, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    const value = inputs[name];
    if (isField(node) || !isObject(value)) return [];
    const below = `${prefix}${name}.`;
    const missing = (groupFacts(node)?.requires ?? []).filter((inner) => value[inner] == null);
    return [...missing.map((inner) => `${below}${inner}`), ...missingInGroups(node, value, below)];
  });
}

/** The value of an input. Undefined if it is not set or null. Everything below an unknown object is unknown. */
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

/** The parent's name in messages, from the input with its id: `domain`. */
export const parentNameOf = (path: string): string => path.replace(/Id$/, "");

/** The top-level property of a path, as the engine names it. */
export const topLevel = (path: string): string => path.split(".", 1)[0] ?? path;
