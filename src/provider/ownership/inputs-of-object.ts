import { listed } from "../../api/text";
import { ownerTagsIn, withoutOwnerTags } from "../run/owner-tags";
import { SETTINGS } from "../settings/config";
import { checkInputs } from "../inputs/check-inputs";
import { type CollectionDescription } from "../describe/define-collection";
import { type Leaf, leavesOf, topLevel } from "../describe/fields";
import { type Description, type Ref } from "../describe/define-resource";
import { compact, isGiven, isObject, type Properties, same, setAt, valueAt } from "../base/values";

/** An object as the service shows it, with its properties in the program's spelling. */
export interface ShownObject {
  readonly description: Description;
  readonly ref: Ref;
  readonly shown: Properties;
}

/** An input that a program cannot set to the object's value. */
export interface Dropped {
  readonly path: string;
  readonly reason: string;
}

/** The inputs with which a program declares an object as it is. */
export interface DeclaredInputs {
  readonly inputs: Properties;
  readonly dropped: readonly Dropped[];
  /** Why no program can declare it. */
  readonly refused?: string;
  /** A required input for which the object has no value. A program that leaves it out can still adopt the object. */
  readonly missing?: string;
}

/**
 * The inputs of a resource that declares an object. Values that equal a documented default are left out, except those that
 * decide who can connect. So are the tags that name stacks.
 *
 * @param set the collection whose members are objects of this kind
 */
export function inputsOfObject(live: ShownObject, set?: CollectionDescription): DeclaredInputs {
  const { description } = live;
  const leaves = leavesOf(description.fields);
  const required = requiredPaths(live, leaves);
  const shown = withoutOwnerTags(live.shown);
  const inputs =
    set === undefined ? shownInputs({ ...live, shown }, leaves, required) : memberInputs(live, set);
  const owners = ownerTagsIn(live.shown);
  const dropped: Dropped[] = owners.length === 0 ? [] : [{ path: "tags", reason: ofStack(owners) }];
  // Each round removes an input, so that it ends.
  for (;;) {
    const { failures } = checkInputs(description, {}, { inputs }, { isAdopted: true });
    const [failure] = failures;
    if (failure === undefined) {
      const missing = required.find((path) => valueAt(inputs, path) === undefined);
      if (missing === undefined) return { inputs, dropped };
      return {
        inputs,
        dropped,
        missing,
        refused: `${missing} is required, and the object has no value for it`,
      };
    }
    const path = removablePath(leaves, required, inputs, failure.property);
    if (path === undefined) return { inputs, dropped, refused: `${failure.property} ${failure.reason}` };
    removeAt(inputs, path);
    dropped.push({ path, reason: failure.reason });
  }
}

const ofStack = (tags: readonly string[]): string =>
  `has the tag ${listed(tags, "and")} of the stack that created the object. Updates keep it only with ${SETTINGS.ownerTags.key}`;

function memberInputs({ description, ref, shown }: ShownObject, set: CollectionDescription): Properties {
  const { parent } = description.id;
  return { ...(parent === undefined ? {} : { [parent]: ref.parent }), ...set.inputsOf(shown) };
}

/** The inputs that only objects of other types require. */
function pathsOfOthers({ description, shown }: ShownObject): string[] {
  const { by = "", cases = [] } = description.variants ?? {};
  const others = cases.filter(({ is }) => is?.includes(String(shown[by])) === false);
  return others.flatMap(({ requires }) => requires ?? []);
}

/** The inputs that the types of TypeScript require, some of them by the type of the object. */
function requiredPaths({ description, shown }: ShownObject, leaves: readonly Leaf[]): string[] {
  const { id, variants: { by = "", cases = [] } = {} } = description;
  const ofType = cases.find(({ is }) => is?.includes(String(shown[by])));
  const always = leaves.filter(({ path, required }) => required !== undefined && path !== id.parent);
  return [...always.map(({ path }) => path), ...(ofType?.requires ?? [])];
}

function shownInputs(live: ShownObject, leaves: readonly Leaf[], required: readonly string[]): Properties {
  const { description, shown } = live;
  const ofOthers = pathsOfOthers(live);
  const inputs: Properties = {};
  for (const leaf of leaves) {
    const value = compact(valueAt(shown, leaf.path));
    if (ofOthers.includes(leaf.path) && !isGiven(value)) continue;
    if (isDeclared(leaf, value, description.id.parent, required)) setAt(inputs, leaf.path, value);
  }
  return inputs;
}

function isDeclared(
  leaf: Leaf,
  value: unknown,
  parent: string | undefined,
  required: readonly string[],
): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (leaf.path === parent || required.includes(leaf.path)) return true;
  if (leaf.notSent === true || leaf.action === true || leaf.secret === true) return false;
  // A program cannot stop a node. One that does not say that a node runs leaves its power state to others.
  if (leaf.path === "booted" || leaf.deprecated !== undefined) return false;
  return (
    leaf.default === undefined || decidesWhoConnects(leaf) || !same(leaf.comparison, leaf.default, value)
  );
}

/** Whether an input decides who has access, or whether the object serves anybody. Only an input of the program is compared later. */
const decidesWhoConnects = ({ comparison, interrupts }: Leaf): boolean =>
  comparison === "addresses" || interrupts !== undefined;

/** The inputs that no answer contains, such as passwords. */
export function hiddenInputs(
  { description }: Pick<ShownObject, "description">,
  all: readonly ShownObject[],
): string[] {
  return leavesOf(description.fields)
    .filter(({ notSent, action }) => notSent !== true && action !== true)
    .map(({ path }) => path)
    .filter((path) => all.every(({ shown }) => valueAt(shown, path) === undefined));
}

/** The input to remove because of a problem. Undefined if the program must set it. */
function removablePath(
  leaves: readonly Leaf[],
  required: readonly string[],
  inputs: Properties,
  property: string,
): string | undefined {
  const leaf = leaves.find(
    ({ path }) => property === path || property.startsWith(`${path}[`) || property.startsWith(`${path}.`),
  );
  const path = leaf?.path ?? topLevel(property);
  if (required.includes(path) || valueAt(inputs, path) === undefined) return undefined;
  return path;
}

function removeAt(inputs: Properties, path: string): void {
  const names = path.split(".");
  const last = names.pop() ?? "";
  const holder = names.length === 0 ? inputs : valueAt(inputs, names.join("."));
  if (isObject(holder)) Reflect.deleteProperty(holder, last);
}
