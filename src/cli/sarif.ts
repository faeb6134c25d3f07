import { createHash } from "node:crypto";
import { posix, sep } from "node:path";
import type { Invocation, Location, Log, ReportingDescriptor, Result, Run } from "sarif";
import { printableLine } from "../api/text";
import { packageVersion } from "../provider/base/package-version";
import { safeJson } from "./safe-json";
import { type SourcePosition } from "./stacks/names-and-gaps";

/** The findings of a command, with the rules that they break. */
interface Scan extends Pick<Run, "properties"> {
  /** The command, and the page that describes it. */
  readonly name: string;
  readonly page: string;
  readonly rules: ReportingDescriptor[];
  readonly isComplete: boolean;
  readonly notifications: Invocation["toolExecutionNotifications"];
  readonly results: Result[];
}

/** Findings for code scanning, as SARIF 2.1.0. */
export function sarifOf({ name, page, rules, isComplete, notifications, ...found }: Scan): string {
  const driver = { name, semanticVersion: packageVersion(), informationUri: page, rules };
  const invocation = { executionSuccessful: isComplete, toolExecutionNotifications: notifications };
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, invocations: [invocation], ...found }],
  };
  return safeJson(log);
}

/** The place of a finding. */
export const locationAt = ({ file, line, column }: SourcePosition): Location => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(file), uriBaseId: "%SRCROOT%" },
    region: {
      startLine: Math.max(1, line),
      ...(column !== undefined && column > 0 && { startColumn: column }),
    },
  },
});

const uriOf = (file: string) =>
  posix.normalize(file.replaceAll(sep, "/")).split("/").map(encodeURIComponent).join("/");

/** What tells a finding from others, in each run. GitHub takes the second. Without it, it takes the text of the line, which many findings share. */
export function fingerprintsOf(parts: readonly unknown[]): NonNullable<Result["partialFingerprints"]> {
  const fingerprint = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return { "nodecloudFinding/v1": fingerprint, primaryLocationLineHash: fingerprint };
}

/** SARIF reads brackets as links, and braces as places for arguments. */
export const messageOf = (text: string) => ({
  text: printableLine(text)
    .replace(/[\\[\]]/g, "\\$&")
    .replace(/[{}]/g, "$&$&"),
});
