import { type Failure, isNew, refused } from "../describe/define-resource";
import { type Owner } from "../notes/owner";
import { type ObjectKind } from "../kind/kind";
import { hasUnknown, type Properties, UNKNOWN } from "../base/values";

interface Declaring {
  readonly owner: Owner;
  /** The URN of the parent's resource. */
  readonly within: string | undefined;
  readonly isAdopted: boolean;
}

/** Fails if another resource of the program declares the same object. */
export function declaredTwiceFailures(
  { run, type, description: { contentIdentity } }: ObjectKind,
  olds: Properties,
  inputs: Properties,
  { owner, within, isAdopted }: Declaring,
): Failure[] {
  if (contentIdentity === undefined) return [];
  const place = placeOf(type, contentIdentity.within, inputs, within);
  const identity = identityBy(contentIdentity.by, inputs);
  if (place === undefined || identity === undefined) return [];
  const isThere =
    isAdopted ||
    (!isNew(olds) &&
      olds[contentIdentity.within] === inputs[contentIdentity.within] &&
      identityBy(contentIdentity.by, olds) === identity);
  const rival = run.declared.declare(place, identity, owner, !isThere);
  return rival === undefined ? [] : refused("", declaredTwice(rival), "DECLARED_TWICE");
}

/** The parent of objects: its id, or the URN of its resource while the id is not known. */
export function placeOf(
  type: string,
  path: string,
  inputs: Properties,
  within: string | undefined,
): string | undefined {
  const parent = inputs[path];
  const known = typeof parent === "string" && parent !== UNKNOWN ? parent : within;
  return known === undefined ? undefined : `${type} ${known}`;
}

/** The identity of an object among others. Undefined if it is not known yet. */
export function identityBy(paths: readonly string[], inputs: Properties): string | undefined {
  const values = paths.map((path) => inputs[path] ?? null);
  return hasUnknown(values) ? undefined : JSON.stringify(values);
}

/** The message for an object that two resources declare. */
export const declaredTwice = ({ name }: Owner): string =>
  `${name} in this program declares the same object. The provider cannot distinguish the two: remove one of them`;
