import { type ChangedInput } from "../state/update-or-replace";
import { leavesOf } from "../describe/fields";
import { type Call, type State } from "../state/call";
import { contains, meets, type Path, pathsIn } from "../base/property-paths";
import { hasUnknown, UNKNOWN } from "../base/values";
import { type CollectionDescription, type Member } from "../describe/define-collection";
import { heldIn, wantedIn } from "../state/members";
import { differences, type Plan, planOf } from "./plan";

/** The place of a member without a key: only `*` in a path names it. */
const SOMEWHERE = -1;

/** The members as a change that replaces, if a path of `replaceOnChanges` names a part of them that the program changed. */
export function replacingMembers(
  description: CollectionDescription,
  state: State,
  { inputs, replaceOn }: Call,
): ChangedInput[] {
  const { property, forms, fields } = description;
  const value = inputs[property];
  const leaf = leavesOf(fields).find(({ path }) => path === property);
  const paths = pathsIn(replaceOn).map(([first, ...below]): Path => [
    forms.includes(String(first)) ? property : String(first),
    ...below,
  ]);
  if (leaf === undefined || paths.length === 0 || value === state.outputs[property]) return [];
  const changes =
    value === UNKNOWN
      ? [{ path: [property], isKnown: false }]
      : changesOf(description, planOf(description, heldIn(description, state), wantedIn(description, value)));
  const isCertain = changes.some(({ path, isKnown }) => isKnown && paths.some((one) => contains(one, path)));
  const isPossible = changes.some(({ path, isKnown }) => !isKnown && paths.some((one) => meets(one, path)));
  return isCertain || isPossible
    ? [{ leaf, change: "replace", value, isCertain, isAsked: true, isRespelt: false, isThere: false }]
    : [];
}

function changesOf(description: CollectionDescription, plan: Plan): { path: Path; isKnown: boolean }[] {
  const placeOf = ({ key }: Member): Path => [description.property, key ?? SOMEWHERE];
  // A member that is not known yet may turn out to be one that the plan removes.
  const allKnown = ![...plan.add, ...plan.change.map(({ wanted }) => wanted)].some(({ inputs }) =>
    hasUnknown(inputs),
  );
  const whole = (member: Member) =>
    Object.keys(member.inputs).map((field) => ({ path: [...placeOf(member), field], isKnown: allKnown }));
  return [
    ...[...plan.add, ...plan.remove].flatMap(whole),
    ...plan.change.flatMap((pair) =>
      differences(description, pair).map(({ path, to }) => ({
        path: [...placeOf(pair.wanted), path],
        isKnown: !hasUnknown(to),
      })),
    ),
  ];
}
