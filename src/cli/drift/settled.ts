import { isCollection } from "../../provider/describe/define-collection";
import { nameInUrn, typeInUrn } from "../../provider/describe/urn";
import { type LiveObject } from "../account/list-account";
import { descriptionOf, typeName } from "../descriptions";
import { calledStack, type ReadStack } from "../stacks/stack-state";
import { type OpenOperation } from "../stacks/state";
import { type Drift, type DriftFinding } from "./findings";
import { type Gap, type StackName } from "../stacks/names-and-gaps";
import { type ComparedResource, type DriftPart } from "./part";

/** What is known of other runs. */
interface OtherRuns {
  readonly states: readonly ReadStack[];
  /** The stacks whose states have changed again since the account was read. */
  readonly busy?: readonly ReadStack[];
  /** The stacks that are locked, as `project/stack`. */
  readonly locked?: ReadonlySet<string> | undefined;
}

/** Leaves out what is not known while other runs change stacks. */
export function settled(part: DriftPart, { states, busy = [], locked }: OtherRuns): DriftPart {
  const pending = new Set(
    states.flatMap(({ stack, state }) => state.pending.map(({ urn }) => keyOf(stack, urn))),
  );
  const areBusy = new Set(busy.map(({ stack }) => calledStack(stack)));
  const open: Gap[] = busy.map(({ stack }) => ({
    what: calledStack(stack),
    reason: `another run changes it. ${AGAIN}, ${OR_UP}`,
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
    open.push({ what, reason: `a run changes it, or was interrupted. ${AGAIN}, ${OR_UP}` });
    return rest;
  });
  const isLocked = ({ name, project }: StackName) => locked?.has(`${project}/${name.split("/").at(-1)}`);
  const indexes = part.stacks.flatMap((stack, index) => (isLocked(stack) ? [index] : []));
  const ofLocks = indexes.length === 0 ? {} : { locked: indexes };
  return { ...part, ...ofLocks, resources, gaps: [...part.gaps, ...open] };
}

/** Leaves out the findings that depend on locked stacks: each of them may manage by now what none did. */
export function withoutLocked(drift: Drift, locked: readonly StackName[]): Drift {
  const ownersOf = (finding: DriftFinding) =>
    finding.kind === "unmanaged"
      ? locked.map(calledStack)
      : [finding.resource, ...(finding.others ?? [])].flatMap((one) => (one ? [calledStack(one.stack)] : []));
  const open = locked
    .map(calledStack)
    .filter((one) => drift.findings.some((finding) => ownersOf(finding).includes(one)));
  if (open.length === 0) return drift;
  return {
    ...drift,
    findings: drift.findings.filter((finding) => !ownersOf(finding).some((one) => open.includes(one))),
    gaps: [
      ...drift.gaps,
      ...open.map((what) => ({
        what,
        reason: `a run has locked it, and its state may lack what that run has done. ${AGAIN}, or \`nodecloud recover\` if none goes on`,
      })),
    ],
  };
}

const AGAIN = "Run this again after that run";
const OR_UP = "or `pulumi up` if none goes on";

const keyOf = (stack: StackName, urn: string): string => `${calledStack(stack)} ${urn}`;

/** Whether a run that a state names may be creating an object, or have created it before it was interrupted. */
export const isBeingCreated = (
  { description, ref, shown }: LiveObject,
  pending: readonly OpenOperation[],
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
