import { createHash } from "node:crypto";
import { posix, sep } from "node:path";
import type { Location, Log, Notification, ReportingDescriptor, Result } from "sarif";
import { printableLine } from "../../../api/text";
import { type Finding } from "../findings";
import { type StackName } from "../../stacks/names-and-gaps";
import { KINDS, type FindingKind, type Report } from "../report";
import { safeJson } from "./json";
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

/** The report for code scanning, as SARIF 2.1.0. Each property that differs is a separate result. */
export function sarif(report: Report, version: string): string {
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "nodecloud drift",
            semanticVersion: version,
            informationUri: HELP_PAGE,
            rules: KINDS.map(ruleOf),
          },
        },
        invocations: [
          {
            executionSuccessful: report.gaps.length === 0,
            toolExecutionNotifications: notificationsOf(report),
          },
        ],
        results: report.findings.flatMap((finding) => resultsOf(finding, report.stacks[0])),
        properties: {
          counts: { ...report.counts, ignored: report.ignored.length, gaps: report.gaps.length },
          coverage: { ...report.total, rows: report.coverage },
        },
      },
    ],
  };
  return safeJson(log);
}

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
    message: { text: messageText(`Could not look at ${what}: ${reason}`) },
  })),
  ...notes.map((note) => ({ level: "note" as const, message: { text: messageText(note) } })),
];

function resultsOf(finding: Finding, first: StackName | undefined): Result[] {
  const { kind, type, account, id, resource } = finding;
  const texts = differencesOf(finding).map(({ property, expected, live }) => ({
    key: property.endsWith(" record") ? `${property} ${expected} ${live}` : property,
    text: `${titleOf(finding)}: ${property} is ${live}, and the stack set ${expected}.`,
  }));
  const whole = {
    key: "",
    text: [`${titleOf(finding)}: ${RULES[kind].short}`, ...othersOf(finding)].join(" "),
  };
  return (texts.length === 0 ? [whole] : texts).map(({ key, text }) => {
    const fingerprint = fingerprintOf([kind, account, type, id, resource?.urn ?? "", key]);
    return {
      ruleId: `nodecloud/${kind}`,
      ruleIndex: KINDS.indexOf(kind),
      level: RULES[kind].level,
      message: { text: messageText(`${text}${whereOf(finding)}`) },
      locations: [locationOf(finding, first)],
      // GitHub tells results apart by the second. Without it, it takes the text of the line, which many results share.
      partialFingerprints: { "nodecloudFinding/v1": fingerprint, primaryLocationLineHash: fingerprint },
    };
  });
}

const whereOf = ({ resource, account }: Finding) =>
  resource === undefined ? ` Account: ${account}.` : ` Stack: ${resource.stack.name}. URN: ${resource.urn}.`;

const fingerprintOf = (parts: readonly string[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** Code scanning requires a place in a file, so an object without one is shown at the file of the project. */
function locationOf({ resource }: Finding, first: StackName | undefined): Location {
  const { directory } = resource?.stack ?? first ?? { directory: "." };
  const { file, line, column } = resource?.source ?? { file: `${directory}${sep}Pulumi.yaml`, line: 1 };
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file), uriBaseId: "%SRCROOT%" },
      region: {
        startLine: Math.max(1, line),
        ...(column !== undefined && column > 0 && { startColumn: column }),
      },
    },
    ...(resource && {
      logicalLocations: [{ fullyQualifiedName: printableLine(resource.urn), kind: "resource" }],
    }),
  };
}

/** The path of a file as a URI. */
export const uriOf = (file: string) =>
  posix.normalize(file.replaceAll(sep, "/")).split("/").map(encodeURIComponent).join("/");

/** SARIF reads brackets as links, and braces as places for arguments. */
export const messageText = (text: string): string =>
  printableLine(text)
    .replace(/[\\[\]]/g, "\\$&")
    .replace(/[{}]/g, "$&$&");
