import { type AnyDescription, isCollection } from "../../provider/describe/define-collection";
import { DELETED_FIRST, DELETES } from "../../provider/describe/effects";
import { leavesOf } from "../../provider/describe/fields";
import { nameInUrn, stackInUrn, typeInUrn } from "../../provider/describe/urn";
import { PLUGIN_TYPE_PREFIX } from "../../provider/describe/type-token";
import { writtenAs } from "../../provider/state/describe-changes";
import { isAutomatic } from "../../provider/state/call";
import { callIn, importIn, toldIn } from "../../provider/state/handed";
import { type Properties } from "../../provider/base/values";
import { descriptionOf, typeName } from "../descriptions";
import {
  type ReportedChange,
  type ReportedOperation,
  type PropertyChange,
  type Section,
  SECTIONS,
} from "./changes";
import {
  detailsBetween,
  effectsIn,
  effectsOfReplacement,
  effectsOfUpdate,
  failureByKeptName,
  OWN_MEMBERS,
} from "./effects";
import { DELETED_WITH, type FateOf, isDeletedFirst } from "./fates";
import { type Mask, SECRET, withoutSecrets } from "./mask";
import { asGiven, type GivenMembers, givenIn, membersOnce } from "./members";
import { isUnknown, propertyChanges } from "./properties";
import { type OtherOwners } from "./other-owners";
import { type ShownState, type Step } from "./read-preview";
import { isHidden } from "../../provider/state/codec";

/** The engine's operations by what they do with a resource. The first that fits counts: the deletion of an earlier copy can come with a creation. */
const OPS: readonly (readonly [ReportedOperation, readonly string[]])[] = [
  ["replacement", ["replace", "create-replacement", "import-replacement", "read-replacement"]],
  ["import", ["import"]],
  ["deletion", ["delete", "delete-replaced", "discard-replaced"]],
  ["creation", ["create"]],
  ["update", ["update"]],
];

type Facts = Pick<ReportedChange, "operation" | "losses" | "interruptions" | "may" | "reason">;

const NOTHING = { losses: [], interruptions: [], may: false } as const;

/** Tells what the other steps of a preview, and other stacks, say about a change. */
export interface Surroundings {
  readonly otherOwners: OtherOwners;
  readonly fateOf: FateOf;
}

/** The change that the steps of a resource make, in their order. Undefined if they change nothing. */
export function changeOf(
  urn: string,
  steps: readonly Step[],
  messages: readonly string[],
  mask: Mask,
  { otherOwners, fateOf }: Surroundings,
): ReportedChange | undefined {
  // With --refresh, steps follow what was found of the same resource.
  const planned = steps.filter(({ isFound }) => !isFound);
  const found = steps.filter(({ op, isFound }) => isFound && op !== "same");
  const [operation, ops] =
    OPS.find(([, some]) => planned.some(({ op }) => some.includes(op))) ??
    (found.length > 0 ? (["drift", undefined] as const) : []);
  if (operation === undefined) return undefined;
  const fitting = ops === undefined ? found : planned.filter(({ op }) => ops.includes(op));
  const whole = fitting.find((step) => step.old !== undefined && step.new !== undefined);
  const main = whole ?? (fitting[0] as Step);
  const type = (main.new ?? main.old)?.type ?? typeInUrn(urn);
  const subject = `${mask(typeName(type))} ${mask(nameInUrn(urn))}`;
  const given = givenIn(descriptionOf(type), main.detailed, messages, subject);
  const properties = asGiven(propertiesOf(main, type, operation, mask), given);
  if (operation === "drift" && main.op === "refresh" && properties.length === 0) return undefined;
  // A provider is no object of the account, and neither is a component, which has no id.
  const isComponent = descriptionOf(type) === undefined && main.old?.id === "";
  if (operation === "deletion" && (isComponent || type.startsWith("pulumi:providers:"))) return undefined;
  const said = effectsIn(messages, subject);
  const planFacts = (): Facts =>
    said.madeAgain === undefined
      ? factsOf(operation, main, type, planned, fateOf, given)
      : { ...NOTHING, operation: "creation", reason: `because ${said.madeAgain}` };
  const facts = operation === "drift" ? driftOf(main) : planFacts();
  const gone = facts.operation === "deletion" ? membersDeleted(main, type, mask) : [];
  const shared = otherOwners(steps, said.madeAgain !== undefined).map(mask);
  const mayReplace = facts.operation === "replacement" && !facts.may ? said.mayReplace : undefined;
  const isKept = operation === "replacement" && isRetained(main, fateOf);
  // The full plugin cannot tell that `replaceOnChanges` turns an update into a replacement.
  const { losses: lost, interruptions: interrupted } = isKept ? effectsInPlace(main, type) : NOTHING;
  const losses = joined(facts.losses, without(said.losses, lost));
  const interruptions = joined(facts.interruptions, without(said.interruptions, interrupted));
  const { kept, declaredBy } = operation === "update" && said.deletions.length > 0 ? fateOf(main) : {};
  const deletions = said.deletions.flatMap((line) => {
    if (!OWN_MEMBERS.test(line)) return [line];
    if (isKept || kept !== undefined) return [];
    return declaredBy === undefined
      ? [line]
      : [
          `may ${line.replace(DELETES, "delete")}, which ${declaredBy} declares, and takes over if it comes first`,
        ];
  });
  const reason = facts.reason ?? kept;
  return {
    ...facts,
    losses,
    interruptions,
    deletions,
    shared,
    may: facts.may || mayReplace !== undefined,
    reason: mayReplace ?? (reason && mask(reason)),
    urn: mask(urn),
    stack: mask(stackInUrn(urn) ?? ""),
    type: mask(typeName(type)),
    name: mask(nameInUrn(urn)).replaceAll("\n", " "),
    section: sectionOf({ ...facts, losses, interruptions, deletions, shared }),
    ...membersOnce(subject, {
      properties: [...properties, ...gone],
      messages: messages.filter((text) => ![...lost, ...interrupted].some((line) => text.endsWith(line))),
    }),
  };
}

/** The lines that the steps show, and the provider's other lines. */
const joined = (shown: readonly string[], said: readonly string[]): string[] => [
  ...shown,
  ...without(said, shown),
];

/** The lines that are not among others. What one of the two calls possible is the same effect. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const own = (line: string) => line.replace(/^.* so this may happen: /, "");
  return lines.filter((line) => !others.some((one) => own(one) === own(line)));
}

/** The effects that the changes of a step would have in place. */
function effectsInPlace({ old, new: now }: Step, type: string): Pick<Facts, "losses" | "interruptions"> {
  const description = descriptionOf(type);
  return description === undefined || old === undefined || now === undefined
    ? NOTHING
    : effectsOfUpdate(description, old, now);
}

const isRetained = (step: Step, fateOf: FateOf): boolean =>
  step.old?.retainOnDelete === true && fateOf(step).end === undefined;

const driftOf = ({ op }: Step): Facts => ({
  ...NOTHING,
  operation: "drift",
  reason: op === "delete" ? "does not exist any more" : "was changed outside Pulumi",
});

function factsOf(
  operation: ReportedOperation,
  main: Step,
  type: string,
  steps: readonly Step[],
  fateOf: FateOf,
  given: GivenMembers | undefined,
): Facts {
  const { old, new: now } = main;
  const description = descriptionOf(type);
  if (old !== undefined && isOpenImport(old)) {
    if (operation === "update") return adopting(old.id);
    if (operation === "deletion")
      return { ...NOTHING, operation: "kept", reason: "its import into this stack did not succeed" };
  }
  if (operation === "update" && old !== undefined && now !== undefined)
    return { ...NOTHING, ...(description && effectsOfUpdate(description, old, now, given)), operation };
  if (operation === "deletion" && old !== undefined) return deletionFacts(description, main, old, fateOf);
  if (operation === "replacement") return replacementFacts(description, main, steps, fateOf);
  const imported = operation === "import" ? now?.importId : toldIn(now?.inputs ?? {}).importId;
  if (typeof imported !== "string") return { ...NOTHING, operation };
  return adopting(imported);
}

const adopting = (id: string): Facts => ({
  ...NOTHING,
  operation: "import",
  reason: `adopts the existing object ${id}`,
});

/** Whether the full plugin has read an object for an import that a later run completes: only until then the state has the id among the inputs. */
const isOpenImport = ({ type, id, inputs }: ShownState): boolean =>
  type.startsWith(PLUGIN_TYPE_PREFIX) && importIn(inputs).importId === id;

function deletionFacts(
  description: AnyDescription | undefined,
  step: Step,
  old: ShownState,
  fateOf: FateOf,
): Facts {
  const one = description === undefined || isCollection(description) ? undefined : description;
  const loss = one?.lostByDeletion ?? one?.lossOfData;
  const fate = fateOf(step);
  const { end, unless } = fate;
  if (end !== undefined) {
    const isLoss = (loss ?? one?.undeletable) !== undefined;
    const told = isLoss ? { losses: [end], reason: unless } : { reason: unless ?? `because ${end}` };
    return { ...NOTHING, ...told, operation: "deletion", may: unless !== undefined };
  }
  const kept = fate.kept ?? (old.retainOnDelete ? "retainOnDelete keeps the object" : one?.undeletable);
  if (kept !== undefined) return { ...NOTHING, operation: "kept", reason: kept };
  const refused = fate.refused === undefined ? undefined : `the run refuses this ${fate.refused}`;
  return {
    ...NOTHING,
    operation: "deletion",
    losses: loss === undefined ? [] : [loss],
    may: refused !== undefined,
    reason: refused,
  };
}

const KEPT = "retainOnDelete keeps the old object";

function replacementFacts(
  description: AnyDescription | undefined,
  main: Step,
  steps: readonly Step[],
  fateOf: FateOf,
): Facts {
  const { old, new: now, reasons } = main;
  const isMaybe =
    old !== undefined && reasons.length > 0 && reasons.every((key) => isUnknown(now?.inputs[key]));
  const { losses, may, replacement } =
    description === undefined || old === undefined || now === undefined
      ? { ...NOTHING, may: isMaybe, replacement: undefined }
      : effectsOfReplacement(description, old, now);
  const isKept = isRetained(main, fateOf);
  const { kept, refused } = fateOf(main);
  // The engine decides it when it comes to the deletion.
  const left = kept?.startsWith(DELETED_WITH) === true ? `; the old object may stay: ${kept}` : "";
  const above = refused === undefined ? "" : `; the run refuses to delete the old object ${refused}`;
  const reason = `${reasonOf(replacement, may, reasons)}${left}${above}`;
  const isFirst = isDeletedFirst(main, steps);
  const failure =
    isKept && description !== undefined && old !== undefined && now !== undefined
      ? failureByKeptName(description, old, now)
      : undefined;
  // What depends on the object is deleted before the creation fails.
  const vain =
    failure !== undefined && isFirst ? [`what depends on the object is deleted, and ${failure}`] : [];
  const keeps = failure === undefined || isFirst ? KEPT : `${KEPT}; ${failure}`;
  return {
    operation: "replacement",
    losses: isKept ? vain : losses,
    interruptions: !isKept && isFirst ? [DELETED_FIRST] : [],
    may,
    reason: isKept ? `${reason}; ${keeps}` : reason,
  };
}

/** The reason of a replacement: what the description says, then what the engine says. */
function reasonOf(described: string | undefined, may: boolean, reasons: readonly string[]): string {
  const said = described?.replace(/^replacing it, because |^may be replaced: /, "");
  if (said !== undefined) return may ? said : `because ${said}`;
  // The engine gives the id as the reason of `--replace`.
  const inputs = reasons.filter((name) => name !== "id");
  if (inputs.length > 0) {
    return may ? `${inputs.join(", ")} not known yet` : `because ${inputs.join(", ")} changed`;
  }
  return inputs.length < reasons.length
    ? "because the command asks for it"
    : "because of an option such as replaceOnChanges, a resource that it depends on, or an earlier replacement that was not finished";
}

function sectionOf({
  operation,
  losses,
  interruptions,
  deletions,
  shared,
}: Facts & Pick<ReportedChange, "shared" | "deletions">): Section {
  if (losses.length > 0) return "data-loss";
  if (interruptions.length > 0) return "interruption";
  if (shared.length > 0) return "shared";
  if (deletions.length > 0 && operation !== "replacement") return "deletion";
  return SECTIONS.find((name) => name === operation) ?? "creation";
}

/** The members of a set that is deleted, as the state has them: also those that an exclusive set has taken over. */
function membersDeleted({ old }: Step, type: string, mask: Mask): PropertyChange[] {
  const description = descriptionOf(type);
  if (old === undefined || description === undefined || !isCollection(description)) return [];
  const { property } = description;
  const { [property]: members } = withoutSecrets(old, old.outputs, property);
  return members === SECRET
    ? []
    : propertyChanges({ [property]: members }, { [property]: "" }, { mask, orderless: () => true });
}

function propertiesOf(step: Step, type: string, operation: ReportedOperation, mask: Mask): PropertyChange[] {
  const { old, new: now, detailed, reasons } = step;
  if (old === undefined || now === undefined || operation === "import" || isOpenImport(old)) return [];
  const description = descriptionOf(type);
  const holds = description !== undefined && isCollection(description) ? description.property : undefined;
  const orderless = new Set(
    (description === undefined ? [] : leavesOf(description.fields)).flatMap(({ path, comparison }) =>
      comparison === "value" ? [] : [path],
    ),
  );
  const [before, after] = [withoutSecrets(old, old.inputs, holds), withoutSecrets(now, now.inputs, holds)];
  const changes = asWritten(
    propertyChanges(before, after, { mask, orderless: (path) => orderless.has(path) }),
    description === undefined || isCollection(description) ? {} : description,
  );
  const secret = new Set([...secretNames(before), ...secretNames(after)]);
  const isShown = (name: string) => changes.some(({ path }) => topOf(path) === mask(name));
  const compared = [...new Set(detailed.filter((path) => !isHidden(path)))];
  const named = new Set([...compared, ...reasons].map(topOf));
  const secrets = [...named].filter((name) => secret.has(name) && !isShown(name));
  if (secrets.length > 0) return [...changes, ...secrets.map(secretChange)];
  if (changes.length > 0 || operation === "drift") return changes;
  if (compared.length > 0) return compared.map((path) => ({ path: mask(path) }));
  const auto = description === undefined || isCollection(description) ? undefined : description.autoname;
  if (auto !== undefined && isAutomatic(callIn(old.inputs)) !== isAutomatic(callIn(now.inputs)))
    return [{ path: auto.path }];
  // The engine has the inputs of a run that failed, and shows no difference to what was not carried out.
  const undone =
    operation === "update" && description !== undefined ? detailsBetween(description, old, now) : [];
  if (undone.length > 0) return undone.map(({ path }) => ({ path: mask(path) }));
  return operation === "update" ? secretNames(after).map(secretChange) : [];
}

/** The changes with the input of the program in place of what `check` derives from it. */
function asWritten(
  changes: readonly PropertyChange[],
  description: Parameters<typeof writtenAs>[0],
): PropertyChange[] {
  const own = changes.filter(({ path }) => writtenAs(description, path) === path);
  const others = changes.filter((one) => !own.includes(one)).map(({ path }) => writtenAs(description, path));
  const unnamed = [...new Set(others)].filter((path) => !own.some((one) => one.path === path));
  return [...own, ...unnamed.map((path) => ({ path }))];
}

const topOf = (path: string): string => path.split(/[.[]/, 1)[0] ?? path;

const secretChange = (path: string): PropertyChange => ({
  path,
  before: SECRET,
  after: SECRET,
  secret: true,
});

/**
 * The names of the properties that are secret. The full plugin tells which of them have changed. Dynamic resources tell which of them are reasons of a
 * replacement. In an update, one of them has changed if no other difference is shown.
 */
const secretNames = (properties: Properties): string[] =>
  Object.keys(properties).filter(
    (name) => !isHidden(name) && JSON.stringify(properties[name]).includes(SECRET),
  );
