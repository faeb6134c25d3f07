import { isCollection } from "../../provider/describe/define-collection";
import { nameInUrn, typeInUrn } from "../../provider/describe/urn";
import { type LiveObject } from "../account/list-account";
import { descriptionOf, typeName } from "../descriptions";
import { calledStack, type StackState } from "../stacks/stack-state";
import { type PendingOperation } from "../stacks/state";
import { type Gap, type StackName } from "../stacks/names-and-gaps";
import { type ComparedResource, type Part } from "./part";

/**
 * Leaves out what is not known while other runs change stacks.
 *
 * @param busy the stacks whose states have changed again since the account was read
 */
export function settled(part: Part, states: readonly StackState[], busy: readonly StackState[]): Part {
  const pending = new Set(
    states.flatMap(({ stack, state }) => state.pending.map(({ urn }) => keyOf(stack, urn))),
  );
  const areBusy = new Set(busy.map(({ stack }) => calledStack(stack)));
  const open: Gap[] = busy.map(({ stack }) => ({
    what: calledStack(stack),
    reason: `another run changes it. ${AGAIN}`,
  }));
  const resources = part.resources.map((resource): ComparedResource => {
    const { finding, ...rest } = resource;
    const stack = part.stacks[resource.stack];
    if (finding === undefined || stack === undefined) return resource;
    const called = calledStack(stack);
    if (areBusy.has(called)) return rest;
    const { urn } = resource;
    if (!pending.has(keyOf(stack, urn))) return resource;
    const what = `${typeName(typeInUrn(urn))} ${nameInUrn(urn)} of ${called}`;
    open.push({ what, reason: `a run changes it, or was interrupted. ${AGAIN}` });
    return rest;
  });
  return { ...part, resources, gaps: [...part.gaps, ...open] };
}

const AGAIN = "Run this again after that run, or `pulumi up` if none goes on";

const keyOf = (stack: StackName, urn: string): string => `${calledStack(stack)} ${urn}`;

/** Whether a run that a state names may be creating an object, or have created it before it was interrupted. */
export const isBeingCreated = (
  { description, ref, shown }: LiveObject,
  pending: readonly PendingOperation[],
): boolean =>
  pending.some(({ operation, type, inputs }) => {
    const one = operation === "creating" ? descriptionOf(type) : undefined;
    if (one === undefined) return false;
    const item = isCollection(one) ? one.item : one;
    const isBelow = item.id.parent === undefined || isEqual(inputs[item.id.parent], ref.parent);
    if (item.type !== description.type || !isBelow) return false;
    return isCollection(one) || item.identity.every((path) => isEqual(inputs[path], shown[path]));
  });

const isEqual = (one: unknown, other: unknown): boolean => String(one ?? "") === String(other ?? "");
