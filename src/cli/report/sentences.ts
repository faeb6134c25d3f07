import { counted } from "../../api/text";
import {
  type ReportedChange,
  type ReportedOperation,
  type PropertyChange,
  type Section,
  type StackReport,
} from "./changes";

/** The headings of the sections. */
export const HEADINGS: Readonly<Record<Section, string>> = {
  "data-loss": "Loses data",
  interruption: "Interrupts a service",
  shared: "Takes or deletes what another stack manages",
  replacement: "Replacements",
  deletion: "Deletions",
  update: "Updates",
  kept: "Leaves the stack, and the object stays",
  drift: "Changed outside Pulumi",
  creation: "Creations",
};

const PREDICATES: Readonly<Record<ReportedOperation, string>> = {
  creation: "is created",
  import: "is imported",
  update: "is updated",
  replacement: "is replaced",
  deletion: "is deleted",
  kept: "leaves the stack",
  drift: "",
};

/** The changes of a section. */
export const changesIn = (section: Section, reports: readonly StackReport[]): ReportedChange[] =>
  reports.flatMap(({ changes }) => changes.filter((change) => change.section === section));

/** The heading of a section, with the number of its changes, which may not all be shown. */
export const headingOf = (section: Section, reports: readonly StackReport[]): string =>
  `${HEADINGS[section]} (${changesIn(section, reports).length})`;

/** The sentence of a change after its subject: what happens, the reason, then what is lost or interrupted. */
export function predicateOf(change: ReportedChange): string {
  const { operation, reason = "", losses, interruptions, deletions, shared, may } = change;
  const predicate = may ? PREDICATES[operation].replace(/^is /, "may be ") : PREDICATES[operation];
  const joiner = predicate === "" || reason === "" ? "" : reason.startsWith("because ") ? ", " : ": ";
  const lead = predicate + joiner + reason;
  // The loss of the old object includes its interruption.
  const isLossy = operation === "replacement" && losses.length > 0;
  const effects = [...losses, ...(isLossy ? [] : interruptions), ...deletions, ...shared].join("; ");
  if (effects === "") return lead;
  return may ? `${lead}. If it ${PREDICATES[operation]}, ${effects}` : `${lead}: ${effects}`;
}

/** The numbers of the changes as a sentence without a period: first what loses data and interrupts a service. */
export function countsOf(reports: readonly StackReport[]): string {
  const all = reports.flatMap(({ changes }) => changes);
  const count = (fits: (change: ReportedChange) => boolean) => all.filter(fits).length;
  const isPart = reports.some(({ incomplete }) => incomplete !== undefined);
  if (all.length === 0) return isPart ? "no changes so far" : "no changes";
  const of = (operation: ReportedOperation) => count((change) => change.operation === operation);
  const losses = count(({ section }) => section === "data-loss");
  const interruptions = count(({ section }) => section === "interruption");
  const members = count(({ deletions }) => deletions.length > 0);
  const to = (operation: ReportedOperation, verb: string): readonly [number, string] => {
    const mayBe = count((change) => change.operation === operation && change.may);
    return [of(operation), mayBe > 0 ? `to ${verb} (${mayBe} of them may be ${verb}d)` : `to ${verb}`];
  };
  const parts: readonly (readonly [number, string])[] = [
    [losses, losses === 1 ? "loses data" : "lose data"],
    [interruptions, interruptions === 1 ? "interrupts a service" : "interrupt a service"],
    [count(({ shared }) => shared.length > 0), "of what another stack manages"],
    to("replacement", "replace"),
    [of("deletion"), "to delete"],
    [members, members === 1 ? "deletes members of a set" : "delete members of a set"],
    to("update", "update"),
    [of("kept"), "to leave the stack"],
    [of("drift"), "changed outside Pulumi"],
    [of("import"), "to import"],
    [of("creation"), "to create"],
  ];
  const shown = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return `${counted(all.length, "change")}: ${shown.join(", ")}`;
}

/** The messages about a change, and the lines of its differences. */
export const detailLines = ({ messages, properties }: ReportedChange): string[] => [
  ...messages.flatMap((message) => message.split("\n")),
  ...properties.flatMap(diffLines),
];

/** The lines of a difference, each with its sign. */
export function diffLines({ path, before, after, removed, added, secret }: PropertyChange): string[] {
  if (removed !== undefined && added !== undefined) {
    return [`  ${path}:`, ...removed.map((item) => `-   ${item}`), ...added.map((item) => `+   ${item}`)];
  }
  if (before === undefined) return [after === undefined ? `! ${path}` : `+ ${path}: ${after}`];
  if (after === undefined) return [`- ${path}: ${before}`];
  return [`! ${path}: ${secret === true ? "a secret value, which is not shown" : `${before} → ${after}`}`];
}
