import { type CollectionDescription, isCollection } from "../../provider/describe/define-collection";
import { calledIn, PROVIDERS } from "../../provider/describe/urn";
import {
  addressOfOutputs,
  addressOfProvider,
  type Holder,
  type Managing,
  managingIn,
  membersOf,
} from "../../provider/engine/holders";
import { shortened } from "../../provider/kind/warnings";
import { ObjectPool } from "../../provider/matching/object-pool";
import { cached } from "../../api/cached";
import { quietly } from "../../api/quietly";
import { addressIn } from "../../provider/settings/whereabouts";
import { isHidden, keptInputs, stateIn } from "../../provider/state/codec";
import { callIn, toldIn } from "../../provider/state/handed";
import { heldIn, linesOf, wantedIn } from "../../provider/state/members";
import { formsOf } from "../../provider/state/packed-members";
import { hasUnknown, isObject, type Properties } from "../../provider/base/values";
import { descriptionOf } from "../descriptions";
import { type StackInFile } from "../stacks/state-files";
import { SECRET } from "./mask";
import { isUnknown } from "./properties";
import { type Preview, type ShownState, type Step } from "./read-preview";

/** The resources of other stacks that manage what the steps of a resource take over or delete, each as a sentence. `isGone`: a replacement that was not finished has deleted the old object. */
export type OtherOwners = (steps: readonly Step[], isGone: boolean) => readonly string[];

/** A stack with the resources that manage objects. */
interface OtherStack {
  readonly name: string;
  readonly managing: readonly Managing[];
}

/** Finds owners in the states of other stacks. */
export function otherOwnersIn(states: readonly StackInFile[], preview: Preview): OtherOwners {
  const stacks = states.map(({ name, deployment }) => ({ name, managing: managingIn(deployment) }));
  const addresses = addressesIn(preview);
  /** Whether a resource of another stack may be in the same account. What neither names is in the environment. */
  const isThere = (step: Step, { address }: Holder) => {
    const own = addresses.get((step.new ?? step.old)?.provider ?? "") ?? addressOf(step);
    return own === undefined || address === undefined || own === address;
  };
  return (steps, isGone) => {
    const taking = steps.flatMap((step) =>
      step.new !== undefined && TAKING.includes(step.op)
        ? [{ step, now: step.new, importId: importIdOf(step.op, step.new) }]
        : [],
    );
    // In the engine's events, only the result of an import has the id.
    const found = taking.find((one) => one.importId !== undefined) ?? taking[0];
    const here = (step: Step) =>
      stacks.map(({ name, managing }) => ({
        name,
        managing: managing.filter(({ holder }) => isThere(step, holder)),
      }));
    const taken = found === undefined ? [] : ownersOfTaken(found, here(found.step));
    if (taken.length > 0) return taken;
    const lines = steps.flatMap((step) => {
      const { op, old } = step;
      if (old === undefined) return [];
      if (op === "update") return ownersOfObjects(membersLeftBy(step, preview), here(step));
      const isDeleted = DELETING.includes(op) && !(op === "replace" && isGone);
      return isDeleted && !old.retainOnDelete ? ownersOfDeleted(old, here({ ...step, new: undefined })) : [];
    });
    return [...new Set(lines)];
  };
}

interface Taking {
  readonly now: ShownState;
  readonly importId: string | undefined;
}

function ownersOfTaken({ now, importId }: Taking, stacks: readonly OtherStack[]): readonly string[] {
  const description = descriptionOf(now.type);
  if (description === undefined) return [];
  if (isCollection(description)) return ownersOfMembers(description, now, importId, stacks);
  if (importId !== undefined) return ownersOf(description.type, importId, stacks);
  const { overwrites, type, id } = description;
  const parent = now.inputs[id.parent ?? ""];
  return overwrites === undefined || isUnknown(parent)
    ? []
    : ownersBelow(stacks, ({ kind }) => kind === type, String(parent), "is overwritten");
}

/** The owners of an object that a step deletes, or of the members of a collection: the state of one of the stacks may be a copy. */
function ownersOfDeleted(
  { type, id, outputs }: ShownState,
  stacks: readonly OtherStack[],
): readonly string[] {
  const description = descriptionOf(type);
  if (description === undefined) return [];
  if (!isCollection(description)) {
    const isBelow = ({ kind }: Managing) => kind !== description.type && kind.startsWith(description.type);
    return [
      ...ownersOf(description.type, id, stacks),
      ...ownersBelow(stacks, isBelow, id, `goes with the ${description.noun}`),
    ];
  }
  const own = [...membersOf(id, outputs)];
  return [...new Set(own.flatMap((member) => ownersOf(description.item.type, member, stacks)))];
}

/** The members that an update of a collection deletes: no other resource takes them over. */
const membersLeftBy = ({ old, new: now, urn }: Step, { steps }: Preview): readonly ManagedObject[] =>
  (old && membersLeftIn(old, now))?.filter(
    (member) => !steps.some((step) => step.urn !== urn && takesOver(step, member)),
  ) ?? [];

const ownersOfObjects = (objects: readonly ManagedObject[], stacks: readonly OtherStack[]) =>
  objects.flatMap(({ type, id }) => ownersOf(type, id, stacks));

/** A replacement deletes the old object. Previews do not show that step. */
const DELETING = ["delete", "delete-replaced", "replace"];

export const CREATING = ["create", "create-replacement", "replace"];

const addressAsked = (inputs: Properties): string | undefined => {
  const { askedAt } = keptInputs(inputs);
  return askedAt && addressIn(askedAt);
};

/** The address at which the object of a step is or will be. A preview does not list a provider that stays as it is. */
export const addressOf = ({ op, old, new: now }: Step): string | undefined =>
  (now !== undefined && CREATING.includes(op) ? addressAsked(now.inputs) : undefined) ??
  addressOfOutputs(now?.outputs) ??
  addressOfOutputs(old?.outputs);

/** The addresses of the providers in a preview that name one. */
export const addressesIn = ({ steps }: Preview): ReadonlyMap<string, string | undefined> =>
  new Map(
    steps.flatMap(({ urn, old, new: now = old }) =>
      now?.type.startsWith(PROVIDERS) === true ? [[urn, addressOfProvider(now)]] : [],
    ),
  );

/** An object that a resource manages. */
export interface ManagedObject {
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
}

/** The objects that a resource manages. Undefined if its members cannot be read, for example because they are secret. */
export function objectsOf({ type, id, inputs, outputs }: ShownState): readonly ManagedObject[] | undefined {
  const description = descriptionOf(type);
  if (description === undefined) return undefined;
  if (!isCollection(description)) return [{ type: description.type, id, inputs: callIn(inputs).inputs }];
  const [parent] = id.split("/");
  const members = quietly(() => heldIn(description, stateIn(outputs)));
  return members?.map((one) => ({
    type: description.item.type,
    id: `${parent}/${one.id}`,
    inputs: one.inputs,
  }));
}

/** The members that an update of a set gives up. Undefined for single resources, and if they cannot be read. */
export function membersLeftIn(
  old: ShownState,
  now: ShownState | undefined,
): readonly ManagedObject[] | undefined {
  const description = descriptionOf(old.type);
  if (now === undefined || description === undefined || !isCollection(description)) return undefined;
  const declared = declaredIn(description, now);
  if (declared === undefined) return undefined;
  return objectsOf(old)?.filter(({ inputs }) => declared.find(inputs) === undefined);
}

/** Whether a step takes an object over: by an import, or as a member of a collection that imports or owns what exists. */
export function takesOver({ op, new: now }: Step, { type, id, inputs }: ManagedObject): boolean {
  const description = now === undefined ? undefined : descriptionOf(now.type);
  if (now === undefined || description === undefined || !TAKING.includes(op)) return false;
  const importId = importIdOf(op, now);
  if (!isCollection(description)) return description.type === type && importId === id;
  if (description.item.type !== type) return false;
  const scope = importId === undefined ? now.inputs : description.fromId(importId);
  if (importId === undefined && now.inputs[description.exclusive] !== true) return false;
  if (scope?.[description.item.id.parent ?? ""] !== id.split("/")[0]) return false;
  return declaredIn(description, now)?.find(inputs) !== undefined;
}

/** The operations that may take an object over. */
const TAKING = ["create", "create-replacement", "import", "import-replacement", "update", "replace"];

function importIdOf(op: string, now: ShownState): string | undefined {
  if (op.startsWith("import")) return now.importId;
  return op === "create" ? toldIn(now.inputs).importId : undefined;
}

const ownersOf = (type: string, importId: string, stacks: readonly OtherStack[]): readonly string[] =>
  shortened(
    stacks.flatMap(({ name, managing }) =>
      managing
        // The type of a collection begins with the type of its members.
        .filter(
          ({ kind, id, members }) =>
            (kind === type && id === importId) || (kind.startsWith(type) && members.has(importId)),
        )
        .map(({ holder }) => `${calledIn(holder)} of the stack ${name} manages it too`),
    ),
  );

/** The objects that other stacks manage below a parent. The type of what is below an object begins with its type. */
const ownersBelow = (
  stacks: readonly OtherStack[],
  isMeant: (one: Managing) => boolean,
  parent: string,
  fate: string,
): readonly string[] =>
  shortened(
    stacks.flatMap(({ name, managing }) =>
      managing
        .filter((one) => isMeant(one) && one.id.split("/")[0] === parent)
        .map(({ holder }) => `what ${calledIn(holder)} of the stack ${name} manages ${fate}`),
    ),
  );

/** The owners of the members that a collection imports, or of all that it covers if it is exclusive. */
function ownersOfMembers(
  description: CollectionDescription,
  now: ShownState,
  importId: string | undefined,
  stacks: readonly OtherStack[],
): readonly string[] {
  const { inputs } = now;
  const isExclusive = inputs[description.exclusive] === true;
  const scope = importId === undefined ? inputs : description.fromId(importId);
  const parent = scope?.[description.item.id.parent ?? ""];
  if (scope === undefined || parent === undefined || isUnknown(parent)) return [];
  if (!isExclusive && importId === undefined) return [];
  const declared = isExclusive ? undefined : declaredIn(description, now);
  /** A member whose values are secret may be any. */
  const isTaken = (member: Properties | undefined) =>
    member === undefined ||
    (description.covers(scope, member) && (declared === undefined || declared.find(member) !== undefined));
  const lines = stacks.flatMap(({ name, managing }) =>
    managing.flatMap((one) => {
      const taken = shownMembersOf(description, one, String(parent)).filter(isTaken).length;
      const owner = `${calledIn(one.holder)} of the stack ${name}`;
      return taken === 0 ? [] : [`${owner} manages ${taken} of its ${description.property} too`];
    }),
  );
  return shortened(lines);
}

const pools = new WeakMap<ShownState, { readonly declared: ObjectPool | undefined }>();

/** The declared members of a collection. Undefined if they cannot be read, for example because they are secret. */
export const declaredIn = (description: CollectionDescription, now: ShownState): ObjectPool | undefined =>
  cached(pools, now, () => ({ declared: declaredBy(description, now.inputs[description.property]) }))
    .declared;

function declaredBy(description: CollectionDescription, given: unknown): ObjectPool | undefined {
  const { item, property, sameBy } = description;
  if (JSON.stringify(given)?.includes(SECRET) !== false) return undefined;
  const isText = typeof given === "string" && (given === "" || given.endsWith("\n"));
  return quietly(() => {
    const { entries, failures } = isText
      ? { entries: wantedIn(description, given), failures: [] }
      : description.entries(formsOf(description, { [property]: given }));
    const known = entries.map(({ inputs }) => inputs).filter((inputs) => !hasUnknown(inputs));
    const matching = { by: sameBy, shown: (inputs: Properties) => inputs };
    return failures.length > 0 ? undefined : new ObjectPool(item, known, matching);
  });
}

/** The members below a parent that a resource manages. Undefined stands for one whose values are secret. */
function shownMembersOf(
  description: CollectionDescription,
  { kind, id, members, resource: { inputs, outputs } }: Managing,
  parent: string,
): readonly (Properties | undefined)[] {
  if (id.split("/")[0] !== parent) return [];
  if (kind === description.item.type) return [isObject(inputs) && !hasSecret(inputs) ? inputs : undefined];
  if (kind !== description.type || !isObject(outputs)) return [];
  const state = stateIn(outputs);
  const isReadable = linesOf(state.outputs[description.property]).length > 0;
  const held = isReadable ? quietly(() => heldIn(description, state).map((one) => one.inputs)) : undefined;
  return held ?? [...members].map(() => undefined);
}

const hasSecret = (inputs: Properties): boolean =>
  Object.entries(inputs).some(([name, value]) => !isHidden(name) && isObject(value));
