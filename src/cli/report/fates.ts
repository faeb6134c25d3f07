import { listed } from "../../api/text";
import { isCollection } from "../../provider/describe/define-collection";
import { exceptImportedBy, givenUpBy, LOSES } from "../../provider/describe/effects";
import { nameInUrn } from "../../provider/describe/urn";
import { addressOfOutputs } from "../../provider/engine/holders";
import { shortened } from "../../provider/kind/warnings";
import { type Properties } from "../../provider/base/values";
import { descriptionOf, typeName } from "../descriptions";
import { effectsOfReplacement } from "./effects";
import {
  addressesIn,
  addressOf,
  CREATING,
  declaredIn,
  type ManagedObject,
  membersLeftIn,
  objectsOf,
  takesOver,
} from "./other-owners";
import { isUnknown } from "./properties";
import { type Preview, type ShownState, type Step } from "./read-preview";

/** The fate of the object of a resource that leaves its stack, or that gives up members. */
export interface Fate {
  /** Why nothing is deleted: another resource takes it over, or it is a set without members. Of a set that is updated: the members that it gives up. */
  readonly kept?: string | undefined;
  /** Why it is deleted, although nothing deletes it by itself: the service has no operation for it, or `retainOnDelete` is set. */
  readonly end?: string;
  /** The unknown fact that decides whether it is deleted, if any. */
  readonly unless?: string;
  /** Another set that declares all members which an updated one gives up. It takes over what is there when it comes to it. */
  readonly declaredBy?: string | undefined;
  /** Why the run refuses to delete it. */
  readonly refused?: string | undefined;
}

export const DELETED_WITH = "deletedWith";

export type FateOf = (step: Step) => Fate;

/** The operations whose resource loses the object of its state. Their steps show whether that is certain; `delete-replaced` has no new state. */
const GOING = ["delete", "replace"];

/** Whether the steps of a resource delete its old object before its replacement is created. */
export function isDeletedFirst({ old }: Step, steps: readonly Step[]): boolean {
  const at = (op: string) => steps.findIndex((step) => step.op === op);
  const [deleted, created] = [at("delete-replaced"), at("create-replacement")];
  return old?.pendingReplacement === true || (deleted >= 0 && created > deleted);
}

/** The other resource that an object is deleted with, if the engine deletes both at the end of the run: only then it leaves this one out. */
function namedByDeletedWith(main: Step, steps: readonly Step[]): Step | undefined {
  const isLast = (step: Step) =>
    !isDeletedFirst(
      step,
      steps.filter((one) => one.urn === step.urn),
    );
  if (!isLast(main)) return undefined;
  return steps.find(
    (step) =>
      GOING.includes(step.op) && step.urn === main.old?.deletedWith && isCertain(step) && isLast(step),
  );
}

/** Finds in the other steps of a preview what becomes of the objects of resources that leave the stack. */
export function fatesIn(preview: Preview): FateOf {
  const { steps, diagnostics } = preview;
  const mayOverwrite = (one: string) =>
    diagnostics.some(({ urn, message }) => urn === one && message.includes(LOSES));
  const ofProviders = addressesIn(preview);
  // Of an import by the full plugin, only the update that follows it has the address.
  const addresses = new Map(
    steps.flatMap((step) => {
      const address = addressOf(step);
      return address === undefined ? [] : [[step.urn, address]];
    }),
  );
  const isSameAccount = (step: Step, other: ShownState): boolean => {
    const [here, there] = [addressOf(step) ?? addresses.get(step.urn), addressOfOutputs(other.outputs)];
    if (here !== undefined && there !== undefined) return here === there;
    return ofProviders.get((step.new ?? step.old)?.provider ?? "") === ofProviders.get(other.provider ?? "");
  };
  const fateOf: FateOf = (main) => {
    const { op, urn, old, new: now } = main;
    const description = old === undefined ? undefined : descriptionOf(old.type);
    if (old === undefined || description === undefined) return {};
    const others = steps.filter((step) => isAnother(step, urn, old.id) && isSameAccount(step, old));
    const objects = objectsOf(old);
    if (op === "update") {
      const left = membersLeftIn(old, now);
      const declaring = declaredBy(left, old, others);
      const areCertain = declaring?.every((step) => takesFrom(diagnostics, step, main)) === true;
      return {
        kept: areCertain ? takesOverFrom(declaring) : importersOf(diagnostics, left, urn, others),
        declaredBy: declaring && namesOf(declaring),
      };
    }
    if (isCollection(description) && objects?.length === 0 && old.outputs[description.property] === "")
      return { kept: "it manages nothing" };
    const declaresIt = (step: Step, { inputs }: ManagedObject) =>
      declares(step, old, inputs) && takesFrom(diagnostics, step, main);
    const heirs = objects?.map((object) =>
      others.find((step) => [takesOver, has, declaresIt].some((keeps) => keeps(step, object))),
    );
    const [first] = heirs ?? [];
    if (first !== undefined && heirs?.every((heir) => heir !== undefined) === true)
      return { kept: `${called(first)} takes the object over` };
    const { noun, overwrites, id, undeletable } = isCollection(description) ? description.item : description;
    const [parentId] = old.id.split("/");
    const isAbove = ({ op, old: other }: Step) =>
      GOING.includes(op) &&
      other !== undefined &&
      other.id === parentId &&
      !other.retainOnDelete &&
      typeName(other.type) === id.parentType;
    const above = others.find((step) => isAbove(step) && fateOf(step).kept === undefined);
    const skipped = namedByDeletedWith(main, steps);
    if (skipped !== undefined && above === undefined)
      return { kept: `${DELETED_WITH} names ${called(skipped)}, so nothing deletes the object` };
    if (undeletable === undefined && !old.retainOnDelete)
      return {
        refused: refusedFor(old, others),
      };
    if (above !== undefined) {
      const unless = isCertain(above)
        ? {}
        : { unless: `whether ${called(above)} is replaced is not known yet` };
      const what = isCollection(description) ? "what the set manages" : `the ${noun}`;
      return { end: `${what} is deleted with ${called(above)}`, ...unless };
    }
    if (undeletable === undefined) return {};
    const parent = id.parent ?? "";
    const made = others.filter(
      ({ op, new: now }) => overwrites !== undefined && CREATING.includes(op) && now?.type === old.type,
    );
    const over = made.find(({ new: now }) => String(now?.inputs[parent]) === parentId);
    const mayBe = made.find((step) => isUnknown(step.new?.inputs[parent]) && mayOverwrite(step.urn));
    const taker = over ?? mayBe;
    if (taker === undefined) return {};
    const end = `the ${noun} is overwritten by ${called(taker)}`;
    return over === undefined ? { end, unless: `${parent} of ${called(taker)} is not known yet` } : { end };
  };
  return fateOf;
}

/** Which resources stay below an object that goes: the service would delete them with it, so the provider refuses. */
function refusedFor({ type, id }: ShownState, others: readonly Step[]): string | undefined {
  const below = others.filter(({ op, new: now }) => {
    const description = now && !GOING.includes(op) ? descriptionOf(now.type) : undefined;
    const { parent = "", parentType } =
      (description && (isCollection(description) ? description.item : description))?.id ?? {};
    return parentType === typeName(type) && String(now?.inputs[parent]) === id;
  });
  return below.length === 0
    ? undefined
    : `while ${listed(shortened(below.map(called)), "and")} ${below.length === 1 ? "stays" : "stay"} below it`;
}

/** Whether the state has an object for a resource that stays: an interrupted run may have imported it. An update of a set may give it up. */
const has = ({ op, old }: Step, { type, id }: ManagedObject): boolean =>
  old !== undefined &&
  (op === "same" || (op === "update" && typeName(old.type) === typeName(type))) &&
  objectsOf(old)?.some((one) => one.type === type && one.id === id) === true;

/** Which sets import all objects that another one no longer declares. It waits for them: see `ImportingSets`. */
function importersOf(
  diagnostics: Preview["diagnostics"],
  objects: readonly ManagedObject[] | undefined,
  urn: string,
  others: readonly Step[],
): string | undefined {
  const imports = others.filter((step) =>
    diagnostics.some((one) => one.urn === urn && one.message.includes(exceptImportedBy(called(step)))),
  );
  const heirs = objects?.map((object) => imports.find((step) => takesOver(step, object)));
  if (heirs?.every((heir) => heir !== undefined) !== true || heirs.length === 0) return undefined;
  return takesOverFrom(heirs);
}

const namesOf = (steps: readonly Step[]): string => [...new Set(steps.map(called))].join(" and ");

const takesOverFrom = (steps: readonly Step[]): string =>
  `${namesOf(steps)} takes over what it no longer declares`;

/** Whether the preview is sure that a set takes over what another one gives up. */
const takesFrom = (diagnostics: Preview["diagnostics"], taker: Step, giver: Step): boolean =>
  diagnostics.some((one) => one.urn === taker.urn && one.message.includes(givenUpBy(called(giver))));

/** The sets that declare all of some members. */
function declaredBy(
  members: readonly ManagedObject[] | undefined,
  old: ShownState,
  others: readonly Step[],
): readonly Step[] | undefined {
  const declaring = members?.map(({ inputs }) => others.find((step) => declares(step, old, inputs)));
  const known = declaring?.flatMap((step) => step ?? []) ?? [];
  return known.length === 0 || known.length !== declaring?.length ? undefined : known;
}

/** Whether a step creates or changes a set below the same parent, which declares a member. */
function declares({ op, new: now }: Step, { type, id }: ShownState, inputs: Properties): boolean {
  const description = descriptionOf(type);
  if (now === undefined || description === undefined || !isCollection(description)) return false;
  const isSet = typeName(now.type) === typeName(type) && (CREATING.includes(op) || op === "update");
  const parent = now.inputs[description.item.id.parent ?? ""];
  return isSet && String(parent) === id && declaredIn(description, now)?.find(inputs) !== undefined;
}

/** Whether a step is about another object: what an earlier run has left to be deleted has the URN of a resource with another one. */
const isAnother = (step: Step, urn: string, id: string): boolean => step.urn !== urn || step.old?.id !== id;

/** Whether a deletion or replacement happens in any case. */
function isCertain({ old, new: now }: Step): boolean {
  const description = old === undefined ? undefined : descriptionOf(old.type);
  if (description === undefined || old === undefined || now === undefined) return true;
  return !effectsOfReplacement(description, old, now).may;
}

const called = ({ urn, old, new: now = old }: Step): string =>
  `${typeName(now?.type ?? "")} ${nameInUrn(urn)}`;
