import { type Description } from "../describe/define-resource";
import { inputAt, type Leaf, leavesOf } from "../describe/fields";
import { type Call, isAutomatic } from "../state/call";
import { keyOfParts } from "../base/key";
import { type NoteKind, type Notes } from "./notes";
import { hasUnknown, isObject, type Properties, stableJson } from "../base/values";

/** A creation whose result the state may not have. It holds ids and labels, no values. */
export type Creation = Noted & (Made | Asked);

/** The notes of creations. */
export type Journal = Notes<Creation>;

/** The facts about the resource in every note of a creation. */
export interface Noted {
  /** The name of the resource in messages. */
  readonly called?: string;
  /** The stack and the account, as a key. */
  readonly place?: string;
  /** The stack, as a key. */
  readonly stack?: string;
  /** The stack as messages name it, `project/stack`. Earlier versions did not note it. */
  readonly of?: string;
  /** The key of the creation, whichever backend keeps the stack. */
  readonly anywhere?: string;
  readonly type?: string;
  /** Where the object was requested, as states say it: the base URL, and digits of a hash of the token. Earlier versions did not note it. */
  readonly where?: string;
  /** The automatic name, so that the next run takes the same. */
  readonly name?: string;
  /** A hash of the inputs that no update changes and of those that identify the object. Earlier versions had it in the key. */
  readonly fixed?: string;
}

/** The object exists. */
export interface Made {
  readonly id: string;
  /** When it was created, if the service says it. */
  readonly created?: unknown;
}

/** The object was requested. Its id is not known yet. */
export interface Asked {
  /** The ids of the objects that existed before. */
  readonly before: readonly string[];
  /** Whether the service is known to have accepted the request. */
  readonly accepted: boolean;
  /** Whether all requests were answered, so that no object appears later. */
  readonly answered?: boolean;
  /** How far the service's clock was ahead of this machine's, in milliseconds, if its answers said so. */
  readonly ahead?: number;
}

export const creations: NoteKind<Creation> = {
  folder: "creations",
  isNote: (noted): noted is Creation & Properties => {
    const { id, before } = noted;
    return (
      typeof id === "string" || (Array.isArray(before) && before.every((one) => typeof one === "string"))
    );
  },
};

/** The part of a note that describes the resource. */
export function notedOf(description: Description, call: Call): Noted {
  const { autoname, type } = description;
  const name = autoname === undefined ? undefined : call.inputs[autoname.path];
  const fixed = fixedIn(description, call);
  return { type, ...(fixed === undefined ? {} : { fixed }), ...(typeof name === "string" ? { name } : {}) };
}

/** A hash of the inputs that no update changes and of those that identify the object, without an automatic name. Undefined if some are not known yet. */
export function fixedIn(description: Description, call: Call): string | undefined {
  const { inputs } = call;
  const fixed = fixedLeaves(description, call);
  if (fixed.some((leaf) => hasUnknown(inputAt(inputs, leaf)))) return undefined;
  return keyOfParts(...fixed.map((leaf) => [leaf.path, stableJson(inputAt(inputs, leaf) ?? null)]));
}

const fixedLeaves = ({ autoname, fields, identity }: Description, call: Pick<Call, "autonamed">): Leaf[] => {
  const automatic = isAutomatic(call) ? autoname?.path : undefined;
  return leavesOf(fields).filter(
    ({ path, notSent: local, awaited, change }) =>
      path !== automatic &&
      awaited !== true &&
      change !== "none" &&
      (local === true || change === "replace" || identity.includes(path)),
  );
};

/** Whether two calls have the same fixed inputs, apart from what the state of the other one encrypts. */
export const areAlike = (description: Description, one: Asking, other: Asking): boolean =>
  isAutomatic(one) === isAutomatic(other) &&
  fixedLeaves(description, one)
    .map((leaf) => [inputAt(one.inputs, leaf) ?? null, inState(other.inputs, leaf) ?? null])
    .every(([left, right]) => isEncrypted(right) || stableJson(left) === stableJson(right));

/** The fixed inputs of a program that the state of another call encrypts. */
export const encryptedIn = (description: Description, one: Asking, other: Asking): string[] =>
  fixedLeaves(description, one)
    .filter((leaf) => inputAt(one.inputs, leaf) !== undefined && isEncrypted(inState(other.inputs, leaf)))
    .map(({ path }) => path);

/** An input as a state has it: the whole object around it may be encrypted. */
const inState = (inputs: Properties, { path }: Leaf): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, name) => (isEncrypted(value) ? value : isObject(value) ? value[name] : undefined),
      inputs,
    );

export type Asking = Pick<Call, "inputs" | "autonamed">;

/** Whether a state has a value of the program as a secret. */
export const isEncrypted = (value: unknown): boolean => isObject(value) && "ciphertext" in value;

/** Whether a note is about an object with other inputs. */
export const isOther = ({ fixed }: Creation, wanted: string | undefined): boolean =>
  fixed !== undefined && wanted !== undefined && fixed !== wanted;

/** A stack, its backend and an account. */
export interface Place {
  readonly baseUrl: string;
  readonly backend: string;
  /** Empty if this process does not know it. */
  readonly stack: string;
}

/**
 * The key of the creation of a resource: the same for the same resource, stack and account, whatever its inputs are. A kind that keeps no URN is
 * identified by its name and its inputs.
 */
export function creationKey(
  { type, autoname }: Description,
  { baseUrl, backend, stack }: Place,
  call: Call,
): string {
  const who = call.urn ?? [call.name ?? "", stableJson(shownIn(call, autoname?.path))];
  return keyOfParts("creation", baseUrl, backend, stack, type, who);
}

/** The key of a note that an earlier version wrote. */
export const formerKey = ({ type, autoname }: Description, baseUrl: string, call: Call): string =>
  keyOfParts(baseUrl, type, call.urn ?? "", call.autonamed ?? "", stableJson(shownIn(call, autoname?.path)));

/** The inputs that a program sees, without an automatic name. */
function shownIn(call: Call, autoname: string | undefined): Properties {
  const automatic = isAutomatic(call) ? autoname : undefined;
  return Object.fromEntries(Object.entries(call.inputs).filter(([name]) => name !== automatic));
}
