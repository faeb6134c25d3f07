import { isCollection } from "../../provider/describe/define-collection";
import { nameInUrn, typeInUrn } from "../../provider/describe/urn";
import { type LiveObject } from "../account/list-account";
import { descriptionOf, typeName } from "../descriptions";
import { calledStack, type StackState } from "../stacks/read-stacks";
import { type PendingOperation } from "../stacks/state";
import { type Drift, type Finding, type Gap, type StackName } from "./findings";

/**
 * Leaves out what is not known while other runs change stacks.
 *
 * @param busy the stacks whose states have changed again since the account was read
 */
export function settled(drift: Drift, states: readonly StackState[], busy: readonly StackState[]): Drift {
  const pending = new Set(
    states.flatMap(({ stack, state }) => state.pending.map(({ urn }) => keyOf(stack, urn))),
  );
  const areBusy = new Set(busy.map(({ stack }) => calledStack(stack)));
  const open: Gap[] = busy.map(({ stack }) => ({
    what: calledStack(stack),
    reason: `another run changes it. ${AGAIN}`,
  }));
  const isSettled = ({ kind, resource }: Finding): boolean => {
    // An object that several resources manage has several owners in any case.
    if (resource === undefined || kind === "shared") return true;
    const { stack, urn } = resource;
    if (areBusy.has(calledStack(stack))) return false;
    if (!pending.has(keyOf(stack, urn))) return true;
    const what = `${typeName(typeInUrn(urn))} ${nameInUrn(urn)} of ${calledStack(stack)}`;
    open.push({ what, reason: `a run changes it, or was interrupted. ${AGAIN}` });
    return false;
  };
  const findings = drift.findings.filter(isSettled);
  return { ...drift, findings, gaps: [...drift.gaps, ...open] };
}

const AGAIN = "Run this again after that run, or `pulumi up` if none goes on";

const keyOf = (stack: StackName, urn: string): string => `${calledStack(stack)} ${urn}`;

/** Whether a run that a state names may be creating an object, or have created it before it was interrupted. */
export const isBeingCreated = (
  { description, ref, shown }: LiveObject,
  pending: readonly PendingOperation[],
): boolean =>
  pending.some(({ isCreation, type, inputs }) => {
    const one = isCreation ? descriptionOf(type) : undefined;
    if (one === undefined) return false;
    const item = isCollection(one) ? one.item : one;
    const isBelow = item.id.parent === undefined || isEqual(inputs[item.id.parent], ref.parent);
    if (item.type !== description.type || !isBelow) return false;
    return isCollection(one) || item.identity.every((path) => isEqual(inputs[path], shown[path]));
  });

const isEqual = (one: unknown, other: unknown): boolean => String(one ?? "") === String(other ?? "");
