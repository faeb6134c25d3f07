import { isCollection } from "../../provider/describe/define-collection";
import { nameInUrn } from "../../provider/describe/urn";
import { quietly } from "../../provider/process/quietly";
import { stateIn } from "../../provider/state/codec";
import { callIn } from "../../provider/state/handed";
import { heldIn } from "../../provider/state/members";
import { descriptionOf, typeName } from "../descriptions";
import { baseUrlsIn, type ManagedObject, takesOver } from "./other-owners";
import { isUnknown } from "./properties";
import { type Preview, type ShownState, type Step } from "./read-preview";

/** What becomes of the object of a resource that leaves its stack. */
export interface Fate {
  /** The resource that takes it over, so that it is not deleted. */
  readonly heir?: string;
  /** Why it is deleted, although the service has no operation for it. */
  readonly end?: string;
}

export type FateOf = (step: Step) => Fate;

const CREATING = ["create", "create-replacement", "replace"];

/** Finds in the other steps of a preview what becomes of the objects of resources that leave the stack. */
export function fatesIn(preview: Preview): FateOf {
  const { steps } = preview;
  const urls = baseUrlsIn(preview);
  const isSameAccount = (one: ShownState | undefined, other: ShownState) =>
    urls.get(one?.provider ?? "") === urls.get(other.provider ?? "");
  const fateOf: FateOf = ({ urn, old }) => {
    const description = old === undefined ? undefined : descriptionOf(old.type);
    if (old === undefined || description === undefined) return {};
    const others = steps.filter((step) => step.urn !== urn && isSameAccount(step.new ?? step.old, old));
    const heirs = objectsOf(old)?.map((object) => others.find((step) => takesOver(step, object)));
    const [first] = heirs ?? [];
    if (first !== undefined && heirs?.every((heir) => heir !== undefined) === true)
      return { heir: called(first) };
    if (isCollection(description) || description.undeletable === undefined || old.retainOnDelete) return {};
    const { noun, overwrites, id } = description;
    const [parentId] = old.id.split("/");
    const isAbove = ({ op, old: other }: Step) =>
      op === "delete" &&
      other !== undefined &&
      other.id === parentId &&
      !other.retainOnDelete &&
      typeName(other.type) === id.parentType;
    const above = others.find(isAbove);
    if (above !== undefined && fateOf(above).heir === undefined)
      return { end: `the ${noun} is deleted with ${called(above)}` };
    const isOver = ({ op, new: now }: Step) =>
      overwrites !== undefined &&
      CREATING.includes(op) &&
      now?.type === old.type &&
      !isUnknown(now.inputs[id.parent ?? ""]) &&
      String(now.inputs[id.parent ?? ""]) === parentId;
    const over = others.find(isOver);
    return over === undefined ? {} : { end: `the ${noun} is overwritten by ${called(over)}` };
  };
  return fateOf;
}

/** The objects that a resource manages. Undefined if its members cannot be read, for example because they are secret. */
function objectsOf({ type, id, inputs, outputs }: ShownState): readonly ManagedObject[] | undefined {
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

const called = ({ urn, old, new: now = old }: Step): string =>
  `${typeName(now?.type ?? "")} ${nameInUrn(urn)}`;
