import { hintFor } from "../provider/base/nearest-name";
import { isObject, type Properties } from "../provider/base/values";
import { type IdForm, type ParentDeclaration } from "./declarations";

const WHOLE_NUMBER: IdForm = { form: "a whole number, such as 12", pattern: /^\d+$/ };

/**
 * The arguments that have a value. Throws if one is unknown.
 *
 * @param unsuited arguments of other functions, which the caller refuses with a reason
 */
export function checkedArguments(
  args: unknown,
  known: readonly string[],
  unsuited: readonly string[] = [],
): Properties {
  if (args === undefined) return {};
  if (!isObject(args)) throw new Error("the arguments must be an object");
  for (const name of Object.keys(args)) {
    if (known.includes(name) || unsuited.includes(name)) continue;
    throw new Error(`${name} is not an argument of this function; ${hintFor(name, known, "arguments")}`);
  }
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** The id of a parent, as the service has it. */
export function parentId({ property, id = WHOLE_NUMBER }: ParentDeclaration, args: Properties): string {
  const value = args[property];
  if (value === undefined) throw new Error(`${property} is required`);
  return idText(property, value, id);
}

/** The string of an id. Throws if its form is wrong. The error does not repeat the id, as it may be secret. */
export function idText(property: string, value: unknown, { form, pattern }: IdForm = WHOLE_NUMBER): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !pattern.test(text)) throw new Error(`${property} must be ${form}`);
  return text;
}

/** Splits the id of an item into its own part and its parent's. */
export function childId(
  parent: ParentDeclaration,
  args: Properties,
): { readonly parent?: string; readonly id: string } {
  const [own = "", above] = idText("id", args["id"], {
    form: `a whole number with ${parent.property}, or the id of the resource, such as 12/345`,
    pattern: /^(\d+\/)?\d+$/,
  })
    .split("/")
    .reverse();
  const named = args[parent.property] === undefined ? undefined : parentId(parent, args);
  const id = above ?? named;
  if (id === undefined)
    throw new Error(`${parent.property} is required unless id contains it, as in 12/${own}`);
  if (named !== undefined && named !== id)
    throw new Error(`id belongs to another ${parent.noun} than ${parent.property}`);
  return { parent: id, id: own };
}

/** A boolean argument. It defaults to false. */
export function flag(args: Properties, name: string): boolean {
  const value = args[name] ?? false;
  if (typeof value !== "boolean") throw new Error(`${name} must be true or false`);
  return value;
}
