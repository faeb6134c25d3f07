import { type z } from "zod";
import { type Comparison, isObject, type Properties, snakePath, UNKNOWN } from "../state/values";

/** What a change of an input does to the resource. */
export type Change = "replace" | "update" | "none";

/** What is wrong with a value, as the end of a sentence that starts with the property. */
export interface Problem {
  readonly reason: string;
  /** Whether the service would take the value all the same. */
  readonly warns?: true;
}

/**
 * What the removal of an input without a default does: `replace` makes the resource anew, `stays` leaves it as it is, of which the preview warns,
 * `forgotten` sends nothing and lets the same value ask for its action again, `nothing` has no effect that the service could show, and `refused` is what a rule says of it.
 */
export type Removal = "replace" | "stays" | "forgotten" | "nothing" | "refused";

export interface FieldOptions {
  /** Whether the program must set it: always, or where an object is made, after which it is not taken away. Then objects without it may be there. */
  readonly required?: true | "made";
  /** The documented default, to which the input goes back when it is removed from the program. */
  readonly default?: unknown;
  /** What its removal from the program does where there is no default. Every input has the one or the other. */
  readonly removed?: Removal;
  /** How two values are compared; as plain values unless said. */
  readonly compare?: Comparison;
  /** What the service may make of its value: another number, or another spelling. Then the account's value may come from the program's. */
  readonly rewritten?: "rounded" | "respelt";
  /** Whether its value is encrypted in the state and never shown. Such an input is write-only: no answer holds it. */
  readonly secret?: boolean;
  /** Its dotted path in request bodies, where that is not its own path in snake_case. */
  readonly wire?: string;
  /** Turns its value into what the wire takes. */
  readonly encode?: (value: unknown) => unknown;
  /** Whether its keys are the user's own and stay as they are on the wire. */
  readonly opaque?: boolean;
  /** Whether it is never part of a request's body: the resource's own steps act on it. */
  readonly local?: boolean;
  /** Whether a change of it runs an operation: it is no property of the object, so nothing about it is unknown after an adoption. */
  readonly action?: boolean;
  /** Whether a different live value is left alone: the service moves it by itself. */
  readonly followsService?: boolean;
  /** What is wrong with a value that its schema takes. It is asked for a new or changed value, of a list for each new item; a type that is not its own is the schema's affair. */
  readonly problem?: (value: unknown) => Problem | string | undefined;
  /** Why a change of it replaces the resource, where that is not for want of an operation: the end of "it changed, …". */
  readonly why?: string;
}

/** One input: its schema with the documented limits, and what a change of it does. */
export interface Field extends FieldOptions {
  readonly schema: z.ZodType;
  readonly change: Change | ((inputs: Properties) => Change);
}

/** Inputs by name; an object of a fixed shape is a tree of its own, each of its properties managed by itself. */
export interface FieldTree {
  readonly [name: string]: Field | FieldTree;
}

/** An input whose change replaces the resource. */
export const replace = (schema: z.ZodType, options: FieldOptions = {}): Field => ({
  schema,
  change: "replace",
  ...options,
});

/** An input whose change updates the resource in place. */
export const update = (schema: z.ZodType, options: FieldOptions = {}): Field => ({
  schema,
  change: "update",
  ...options,
});

/** An input that only tells the provider what to do: a change of it touches nothing. */
export const setting = (schema: z.ZodType, removed: Removal = "nothing"): Field => ({
  schema,
  change: "none",
  local: true,
  removed,
});

/** An input of the tree with its dotted path. */
export interface Leaf extends Field {
  readonly path: string;
  readonly wirePath: string;
  readonly comparison: Comparison;
}

const isField = (node: Field | FieldTree): node is Field =>
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

/** The value of an input, or undefined where it is not set; null counts as not set. Below an unknown object all is unknown. */
export function inputAt(inputs: Properties, { path }: Pick<Leaf, "path">): unknown {
  let value: unknown = inputs;
  for (const name of path.split(".")) {
    if (value === UNKNOWN) return UNKNOWN;
    value = isObject(value) ? value[name] : undefined;
  }
  return value ?? undefined;
}

/** The top-level property that holds a path, as the engine names it. */
export const topLevel = (path: string): string => path.split(".", 1)[0] ?? path;
