import { isCollection } from "../../provider/describe/define-collection";
import { leavesOf } from "../../provider/describe/fields";
import { nameInUrn, stackInUrn, typeInUrn } from "../../provider/describe/urn";
import { toldIn } from "../../provider/state/handed";
import { type Properties } from "../../provider/state/values";
import { descriptionOf, typeName } from "../descriptions";
import { type Change, type Operation, type PropertyChange, type Section, SECTIONS } from "./changes";
import { effectsOfReplacement, effectsOfUpdate, keptBecause, lossOfDeletion } from "./effects";
import { type Mask, SECRET, withoutSecrets } from "./mask";
import { isUnknown, propertyChanges } from "./properties";
import { type ShownState, type Step } from "./read-preview";

const REPLACES = ["replace", "create-replacement", "import-replacement", "read-replacement"];
const DELETES = ["delete", "delete-replaced", "discard-replaced"];
const CREATES = ["create"];

/** The steps of one resource, in their order. */
export interface Steps {
  readonly urn: string;
  readonly steps: readonly Step[];
}

type Facts = Pick<Change, "operation" | "losses" | "interruptions" | "may"> & { readonly reason?: string };

const NOTHING = { losses: [], interruptions: [], may: false } as const;

/** What the steps of a resource do. Undefined if they change nothing. */
export function changeOf({ urn, steps }: Steps, messages: readonly string[], mask: Mask): Change | undefined {
  const found = steps.find(({ op, isFound }) => isFound && op !== "same");
  const operation = found === undefined ? operationOf(steps.map(({ op }) => op)) : "drift";
  if (operation === undefined) return undefined;
  const main = mainStep(operation, steps);
  const type = (main.new ?? main.old)?.type ?? typeInUrn(urn);
  const properties = propertiesOf(main, type, operation, mask);
  if (operation === "drift" && main.op === "refresh" && properties.length === 0) return undefined;
  const facts = operation === "drift" ? driftOf(main) : factsOf(operation, main, type, steps);
  const { reason } = facts;
  return {
    ...facts,
    ...(reason === undefined ? {} : { reason: mask(reason) }),
    urn: mask(urn),
    stack: mask(stackInUrn(urn) ?? ""),
    type: mask(typeName(type)),
    name: mask(nameInUrn(urn)).replaceAll("\n", " "),
    section: sectionOf(facts),
    properties,
    messages,
  };
}

function operationOf(ops: readonly string[]): Operation | undefined {
  const has = (some: readonly string[]) => ops.some((op) => some.includes(op));
  if (has(REPLACES)) return "replacement";
  if (has(["import"])) return "import";
  // A deletion of an earlier copy can come with a creation: the engine calls it delete-replaced.
  if (has(DELETES)) return "deletion";
  if (has(CREATES)) return "creation";
  return has(["update"]) ? "update" : undefined;
}

const OPS: Readonly<Record<string, readonly string[]>> = {
  replacement: REPLACES,
  deletion: DELETES,
  creation: CREATES,
  import: ["import"],
  update: ["update"],
};

function mainStep(operation: Operation, steps: readonly Step[]): Step {
  const ops = OPS[operation];
  const fitting = steps.filter(({ op, isFound }) =>
    ops === undefined ? isFound && op !== "same" : ops.includes(op),
  );
  const whole = fitting.find((step) => step.old !== undefined && step.new !== undefined);
  return whole ?? (fitting[0] as Step);
}

const driftOf = ({ op }: Step): Facts => ({
  ...NOTHING,
  operation: "drift",
  reason: op === "delete" ? "does not exist any more" : "was changed outside Pulumi",
});

function factsOf(operation: Operation, main: Step, type: string, steps: readonly Step[]): Facts {
  const { old, new: now } = main;
  if (operation === "update" && old !== undefined && now !== undefined) return updateFacts(type, old, now);
  if (operation === "deletion" && old !== undefined) return deletionFacts(type, old);
  if (operation === "replacement") return replacementFacts(type, main, steps);
  const imported = operation === "import" ? now?.importId : toldIn(now?.inputs ?? {}).importId;
  if (typeof imported !== "string") return { ...NOTHING, operation };
  return { ...NOTHING, operation: "import", reason: `adopts the existing object ${imported}` };
}

const comparable = (state: ShownState, properties: Properties): Properties =>
  withoutSecrets(state, properties);

function updateFacts(type: string, old: ShownState, now: ShownState): Facts {
  const description = descriptionOf(type);
  if (description === undefined) return { ...NOTHING, operation: "update" };
  const effects = effectsOfUpdate(description, comparable(old, old.outputs), comparable(now, now.inputs));
  return { ...effects, operation: "update" };
}

function deletionFacts(type: string, old: ShownState): Facts {
  const description = descriptionOf(type);
  if (old.retainOnDelete) {
    return { ...NOTHING, operation: "kept", reason: "retainOnDelete keeps the object" };
  }
  const kept = description === undefined ? undefined : keptBecause(description);
  if (kept !== undefined) return { ...NOTHING, operation: "kept", reason: kept };
  const losses = description === undefined ? [] : lossOfDeletion(description);
  return { ...NOTHING, operation: "deletion", losses };
}

function replacementFacts(type: string, main: Step, steps: readonly Step[]): Facts {
  const { old, new: now, reasons } = main;
  const description = descriptionOf(type);
  const known = old !== undefined && now !== undefined;
  const isMaybe = known && reasons.length > 0 && reasons.every((key) => isUnknown(now.inputs[key]));
  const effects =
    description === undefined || !known
      ? { ...NOTHING, may: isMaybe, replacement: undefined }
      : effectsOfReplacement(description, comparable(old, old.outputs), comparable(now, now.inputs));
  const isKept = old?.retainOnDelete === true;
  const reason = reasonOf(effects.replacement, effects.may, reasons);
  const interruption =
    !isKept && isDeletedFirst(main, steps) ? ["the old object is deleted before the new one exists"] : [];
  return {
    operation: "replacement",
    losses: isKept ? [] : effects.losses,
    interruptions: interruption,
    may: effects.may,
    reason: isKept ? `${reason}; retainOnDelete keeps the old object` : reason,
  };
}

/** The reason of a replacement: what the description says, then what the engine says. */
function reasonOf(described: string | undefined, may: boolean, reasons: readonly string[]): string {
  const said = described?.replace(/^replacing it, because |^may be replaced: /, "");
  if (said !== undefined) return may ? said : `because ${said}`;
  if (reasons.length > 0) {
    return may ? `${reasons.join(", ")} not known yet` : `because ${reasons.join(", ")} changed`;
  }
  return "because the command asks for it, or a resource that it depends on is replaced";
}

function isDeletedFirst({ old }: Step, steps: readonly Step[]): boolean {
  const at = (op: string) => steps.findIndex((step) => step.op === op);
  const [deleted, created] = [at("delete-replaced"), at("create-replacement")];
  return old?.pendingReplacement === true || (deleted >= 0 && created > deleted);
}

function sectionOf({ operation, losses, interruptions }: Facts): Section {
  if (losses.length > 0) return "data-loss";
  if (interruptions.length > 0) return "interruption";
  const section = SECTIONS.find((name) => name === operation);
  return section ?? "creation";
}

function propertiesOf(step: Step, type: string, operation: Operation, mask: Mask): PropertyChange[] {
  const { old, new: now, detailed } = step;
  if (old === undefined || now === undefined || operation === "import") return [];
  const description = descriptionOf(type);
  const holds = description !== undefined && isCollection(description) ? description.property : undefined;
  const orderless = new Set(
    (description === undefined ? [] : leavesOf(description.fields)).flatMap(({ path, comparison }) =>
      comparison === "value" ? [] : [path],
    ),
  );
  const [before, after] = [withoutSecrets(old, old.inputs, holds), withoutSecrets(now, now.inputs, holds)];
  const changes = propertyChanges(before, after, { mask, orderless: (path) => orderless.has(path) });
  const secret = new Set([...secretNames(before), ...secretNames(after)]);
  const isShown = (name: string) => changes.some(({ path }) => topOf(path) === mask(name));
  const compared = [...new Set(detailed.filter((path) => !path.startsWith("__")))];
  const secrets = [...new Set(compared.map(topOf))].filter((name) => secret.has(name) && !isShown(name));
  if (secrets.length > 0) return [...changes, ...secrets.map(secretChange)];
  if (changes.length > 0 || operation === "drift") return changes;
  if (compared.length > 0) return compared.map((path) => ({ path: mask(path) }));
  return operation === "update" ? secretNames(after).map(secretChange) : [];
}

const topOf = (path: string): string => path.split(/[.[]/, 1)[0] ?? path;

const secretChange = (path: string): PropertyChange => ({
  path,
  before: SECRET,
  after: SECRET,
  secret: true,
});

/**
 * The names of the properties that are secret. The full plugin tells which of them have changed. With dynamic resources, one of them has if an update
 * shows no other difference.
 */
const secretNames = (properties: Properties): string[] =>
  Object.keys(properties).filter(
    (name) => !name.startsWith("__") && JSON.stringify(properties[name]).includes(SECRET),
  );
