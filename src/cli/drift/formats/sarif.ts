import { sep } from "node:path";
import type { Location, Notification, ReportingDescriptor, Result } from "sarif";
import { printableLine } from "../../../api/text";
import { type DriftFinding } from "../findings";
import { type StackName } from "../../stacks/names-and-gaps";
import { fingerprintsOf, locationAt, messageOf, sarifOf } from "../../sarif";
import { KINDS, type FindingKind, type Report } from "../report";
import { differencesOf, othersOf, titleOf } from "./text";

const HELP_PAGE = "https://github.com/pulumi-nodecloud/pulumi-nodecloud/blob/main/docs/drift.md";

const RULES: Readonly<
  Record<FindingKind, { level: "error" | "warning" | "note"; short: string; help: string }>
> = {
  changed: {
    level: "warning",
    short: "An object differs from what the stack set.",
    help: "Run `pulumi up --refresh` to restore what the program says, or write the live value into the program.",
  },
  deleted: {
    level: "error",
    short: "An object that the stack manages does not exist any more.",
    help: "Run `pulumi up --refresh` to create it again, or remove the resource from the program.",
  },
  shared: {
    level: "error",
    short: "Several resources manage this object: a deletion of one deletes it for all.",
    help: "Remove the object from all stacks but one with `pulumi state delete`.",
  },
  unmanaged: {
    level: "note",
    short: "No stack manages this object of the account.",
    help: "Import it into a program, delete it, or list it in .nodecloudignore with a reason.",
  },
};

/** The report for code scanning. Each property that differs is a separate result. */
export const sarif = (report: Report): string =>
  sarifOf({
    name: "nodecloud drift",
    page: HELP_PAGE,
    rules: KINDS.map(ruleOf),
    isComplete: report.gaps.length === 0,
    notifications: notificationsOf(report),
    results: report.findings.flatMap((finding) => resultsOf(finding, report.stacks[0])),
    properties: {
      counts: { ...report.counts, ignored: report.ignored.length, gaps: report.gaps.length },
      coverage: { ...report.total, rows: report.coverage },
    },
  });

function ruleOf(kind: FindingKind): ReportingDescriptor {
  const { level, short, help } = RULES[kind];
  return {
    id: `nodecloud/${kind}`,
    name: kind,
    shortDescription: { text: short },
    fullDescription: { text: `${short} ${help.replaceAll("`", "")}` },
    help: { text: help.replaceAll("`", ""), markdown: help },
    helpUri: HELP_PAGE,
    defaultConfiguration: { level },
  };
}

const notificationsOf = ({ gaps, notes }: Report): Notification[] => [
  ...gaps.map(({ what, reason }) => ({
    level: "error" as const,
    message: messageOf(`Could not look at ${what}: ${reason}`),
  })),
  ...notes.map((note) => ({ level: "note" as const, message: messageOf(note) })),
];

function resultsOf(finding: DriftFinding, first: StackName | undefined): Result[] {
  const { kind, type, account, id, resource } = finding;
  const texts = differencesOf(finding).map(({ property, expected, live }) => ({
    key: property.endsWith(" record") ? `${property} ${expected} ${live}` : property,
    text: `${titleOf(finding)}: ${property} is ${live}, and the stack set ${expected}.`,
  }));
  const whole = {
    key: "",
    text: [`${titleOf(finding)}: ${RULES[kind].short}`, ...othersOf(finding)].join(" "),
  };
  return (texts.length === 0 ? [whole] : texts).map(({ key, text }) => ({
    ruleId: `nodecloud/${kind}`,
    ruleIndex: KINDS.indexOf(kind),
    level: RULES[kind].level,
    message: messageOf(`${text}${whereOf(finding)}`),
    locations: [locationOf(finding, first)],
    partialFingerprints: fingerprintsOf([kind, account, type, id, resource?.urn ?? "", key]),
  }));
}

const whereOf = ({ resource, account }: DriftFinding) =>
  resource === undefined ? ` Account: ${account}.` : ` Stack: ${resource.stack.name}. URN: ${resource.urn}.`;

/** Code scanning requires a place in a file, so an object without one is shown at the file of the project. */
function locationOf({ resource }: DriftFinding, first: StackName | undefined): Location {
  const { directory } = resource?.stack ?? first ?? { directory: "." };
  return {
    ...locationAt(resource?.source ?? { file: `${directory}${sep}Pulumi.yaml`, line: 1 }),
    ...(resource && {
      logicalLocations: [{ fullyQualifiedName: printableLine(resource.urn), kind: "resource" }],
    }),
  };
}
