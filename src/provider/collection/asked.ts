import { type ChangedInput } from "../state/changed-inputs";
import { leavesOf } from "../describe/fields";
import { REPLACE_ON } from "../state/hidden";
import { contains, meets, type Path, pathsIn } from "../state/property-paths";
import { hasUnknown, type Properties, UNKNOWN } from "../state/values";
import { type CollectionDescription, type Member } from "../describe/define-collection";
import { heldIn, wantedIn } from "./members";
import { differences, type Plan, planOf } from "./plan";

/** The place of a member without a key: no path names it but `*`. */
const SOMEWHERE = -1;

/** The members as a change that replaces, where a path of `replaceOnChanges` names something in them that the program changed. */
export function replacingMembers(
  collection: CollectionDescription,
  olds: Properties,
  news: Properties,
): ChangedInput[] {
  const { property, forms, fields } = collection;
  const value = news[property];
  const leaf = leavesOf(fields).find(({ path }) => path === property);
  const paths = pathsIn(news[REPLACE_ON]).map(([first, ...below]): Path => [
    forms.includes(String(first)) ? property : String(first),
    ...below,
  ]);
  if (leaf === undefined || paths.length === 0 || value === olds[property]) return [];
  const changes =
    value === UNKNOWN
      ? [{ path: [property], isKnown: false }]
      : changesOf(collection, planOf(collection, heldIn(collection, olds), wantedIn(collection, value)));
  const isCertain = changes.some(({ path, isKnown }) => isKnown && paths.some((one) => contains(one, path)));
  const isPossible = changes.some(({ path, isKnown }) => !isKnown && paths.some((one) => meets(one, path)));
  return isCertain || isPossible ? [{ leaf, change: "replace", value, isCertain, isAsked: true }] : [];
}

function changesOf(collection: CollectionDescription, plan: Plan): { path: Path; isKnown: boolean }[] {
  const placeOf = ({ key }: Member): Path => [collection.property, key ?? SOMEWHERE];
  // What a member that is not known yet will be may be one that the plan takes away.
  const allKnown = ![...plan.add, ...plan.change.map(({ wanted }) => wanted)].some(({ inputs }) =>
    hasUnknown(inputs),
  );
  const whole = (member: Member) =>
    Object.keys(member.inputs).map((field) => ({ path: [...placeOf(member), field], isKnown: allKnown }));
  return [
    ...[...plan.add, ...plan.remove].flatMap(whole),
    ...plan.change.flatMap((pair) =>
      differences(collection, pair).map(({ path, to }) => ({
        path: [...placeOf(pair.wanted), path],
        isKnown: !hasUnknown(to),
      })),
    ),
  ];
}
