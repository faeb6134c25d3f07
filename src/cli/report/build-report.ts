import { READS_CHANGED } from "../../provider/describe/effects";
import { joinCode } from "../../provider/base/codes";
import { nameInUrn, stackInUrn, typeInUrn } from "../../provider/describe/urn";
import { type ReportedChange, SECTIONS, type StackReport } from "./changes";
import { changeOf } from "./classify";
import { descriptionOf, typeName } from "../descriptions";
import { type Mask } from "./mask";
import { fatesIn } from "./fates";
import { type StackInFile } from "../stacks/state-files";
import { otherOwnersIn } from "./other-owners";
import { type Diagnostic, type Preview, stateOf, type Step } from "./read-preview";
import { objectsIn } from "../../provider/base/values";

const STACK_TYPE = "pulumi:pulumi:Stack";

/** The operations whose numbers the engine counts, and that must be in the preview. */
const COUNTED = ["create", "update", "delete", "replace", "import"];

/** The engine's words about a resource whose provider it cannot ask. */
const UNASKED = "has inputs that are not known during preview";

/** The severities of what a report shows. */
const SHOWN = ["error", "warning", "info"];

/**
 * The steps that only the events of a preview list, and not its object, as the state has them: the deletions that an earlier run left to the next one, and the
 * resources that stay as they are.
 */
function stepsOfState({ steps }: Preview, own: StackInFile | undefined): Step[] {
  const listed = new Set(steps.flatMap(({ urn, old }) => [urn, old?.urn]));
  const isLeft = (urn: string, id: string) =>
    steps.some(({ op, urn: other, old }) => op === "delete-replaced" && other === urn && old?.id === id);
  return objectsIn(own?.deployment ?? {}, "resources").flatMap((one) => {
    const [urn, old] = [String(one["urn"]), stateOf(one)];
    const isOld = one["delete"] === true;
    if (old === undefined || (isOld ? isLeft(urn, old.id) : listed.has(urn))) return [];
    const step = { urn, old, reasons: [], detailed: [], isFound: false };
    return [isOld ? { ...step, op: "delete-replaced" } : { ...step, op: "same", new: old }];
  });
}

/** Builds the report of a preview, with the most important changes first. */
export function buildReport(preview: Preview, mask: Mask, states: readonly StackInFile[] = []): StackReport {
  const { diagnostics } = preview;
  const name = stackNameOf(preview);
  const own = states.find((one) => one.name === name);
  const steps = [...preview.steps, ...stepsOfState(preview, own)];
  // The engine deletes what a resource replaces under the URN that it had, which an alias may give.
  const renamed = new Map(
    steps.flatMap(({ urn, old }) =>
      old?.urn === undefined || old.urn === urn ? [] : [[old.urn, urn] as const],
    ),
  );
  const urnOf = ({ op, urn }: Step) => (op === "delete-replaced" ? renamed.get(urn) : undefined) ?? urn;
  const planned = steps.filter(({ urn }) => typeInUrn(urn) !== STACK_TYPE);
  const groups = [...Map.groupBy(planned, urnOf)].flatMap(([urn, of]) =>
    objectsOf(of).map((steps, index) => ({ urn, steps, isFirst: index === 0 })),
  );
  const stack = mask(name);
  const otherOwners = otherOwnersIn(
    states.filter((one) => one.name !== name),
    preview,
  );
  const fateOf = fatesIn({ ...preview, steps });
  const shown = diagnostics.filter(({ severity, message }) => SHOWN.includes(severity) && message !== "");
  const said = Map.groupBy(shown, ({ urn, severity }) => (severity === "error" ? undefined : urn));
  const changes = groups.flatMap(({ urn, steps, isFirst }) => {
    const messages = isFirst ? (said.get(urn) ?? []).map(({ message }) => mask(message)) : [];
    const change = changeOf(urn, steps, messages, mask, { otherOwners, fateOf });
    return change === undefined ? [] : [withNews({ ...change, stack })];
  });
  const changed = new Set(changes.map(({ urn }) => urn));
  const others = shown.filter(({ urn }) => urn === undefined || !changed.has(mask(urn)));
  const texts = (list: readonly Diagnostic[], severity: string) => [
    ...new Set(list.filter((one) => one.severity === severity).map((one) => mask(called(one)))),
  ];
  return {
    stack,
    changes: changes.sort(inOrder),
    errors: texts(diagnostics, "error"),
    warnings: texts(others, "warning"),
    incomplete: incompleteOf(preview),
    unchanged: preview.counted?.["same"] ?? 0,
  };
}

/**
 * The steps of one resource by their object: what an earlier run has left to be deleted has the URN of the resource, and is another object. The steps of the
 * resource's own object come first.
 */
function objectsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const others = steps.filter(({ op }) => !op.startsWith("delete"));
  const deletions = steps.filter(
    ({ op, old, isFound }) =>
      op.startsWith("delete") && !isFound && !others.some((other) => other.old?.id === old?.id),
  );
  const own = others.length > 0 ? undefined : deletions.find(({ old }) => old?.isLeft !== true);
  const left = deletions.filter((one) => one !== own);
  const rest = steps.filter((one) => !left.includes(one));
  return [...(rest.length > 0 ? [rest] : []), ...left.map((one) => [one])];
}

const stackNameOf = ({ steps, diagnostics, source }: Preview): string =>
  [...steps, ...diagnostics].map(({ urn }) => stackInUrn(urn)).find((name) => name !== undefined) ?? source;

/** An error or warning with the resource that it concerns, and its code. */
function called({ urn, message, code }: Diagnostic): string {
  const text = joinCode(message, code);
  if (urn === undefined || typeInUrn(urn) === STACK_TYPE) return text;
  const name = `${typeName(typeInUrn(urn))} ${nameInUrn(urn)}`;
  return message.includes(nameInUrn(urn)) ? text : `${name}: ${text}`;
}

/** A change without the messages that say what the report says already. */
function withNews(change: ReportedChange): ReportedChange {
  const { losses, interruptions, deletions, reason = "" } = change;
  const facts = [...losses, ...interruptions, ...deletions, reason.replace(/^because /, "")].filter(
    (text) => text !== "",
  );
  const says = (line: string) => facts.some((fact) => line.includes(fact));
  const messages = [...new Set(change.messages)].flatMap((message) => {
    const [first = "", ...lines] = message.split("\n");
    if (!says(first)) return [message];
    // The sentence of the change says the first line, and not those below it.
    return lines.length === 0 ? [] : [lines.join("\n")];
  });
  return { ...change, messages };
}

function incompleteOf({ steps, diagnostics, counted }: Preview): string | undefined {
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return "the command failed, so there may be more changes";
  }
  if (counted === undefined) return "the command did not finish, so there may be more changes";
  const isUnasked = ({ urn = "", message }: Diagnostic) =>
    message.includes(UNASKED) && descriptionOf(typeInUrn(urn)) !== undefined;
  const { urn } = diagnostics.find(isUnasked) ?? {};
  if (urn !== undefined)
    return `a setting of the provider of ${typeName(typeInUrn(urn))} ${nameInUrn(urn)} is not known yet, so the preview did not ask the provider`;
  if (diagnostics.some(({ message }) => message.includes(READS_CHANGED)))
    return "a data function has read what the run changes, so there may be more changes";
  const missing = COUNTED.filter((op) => (counted[op] ?? 0) > countOf(steps, op));
  return missing.length === 0
    ? undefined
    : `the engine counts more steps (${missing.join(", ")}) than its output shows`;
}

const countOf = (steps: readonly Step[], op: string): number =>
  new Set(steps.filter((step) => step.op === op).map(({ urn }) => urn)).size;

const inOrder = (one: ReportedChange, other: ReportedChange): number =>
  SECTIONS.indexOf(one.section) - SECTIONS.indexOf(other.section) ||
  (["stack", "type", "name", "urn"] as const).reduce(
    (order, key) => order || compare(one[key], other[key]),
    0,
  );

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
