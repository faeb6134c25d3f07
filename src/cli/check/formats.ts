import { counted, printableLine } from "../../api/text";
import { joinCode } from "../../provider/base/codes";
import { safeJson } from "../safe-json";
import { fingerprintsOf, locationAt, messageOf, sarifOf } from "../sarif";
import { type ProgramProblem } from "./problems";

/** The findings in a program. */
export interface Findings {
  readonly problems: readonly ProgramProblem[];
  /** Notes on what was not checked. */
  readonly notes: readonly string[];
  /** How many resources were checked. */
  readonly resources: number;
  /** The file of the project, relative to the working directory: for problems without a place. */
  readonly projectFile: string;
}

export type CheckFormat = "text" | "json" | "sarif" | "annotations";

/** The findings in a format. The text and the annotations have a line for each problem. */
export function formatted(format: CheckFormat, findings: Findings): string {
  switch (format) {
    case "text":
      return findings.problems.map(lineOfText).join("\n");
    case "json":
      return json(findings);
    case "sarif":
      return sarif(findings);
    case "annotations":
      return findings.problems.map((problem) => annotation(problem, findings.projectFile)).join("\n");
  }
}

/** The numbers in one sentence. */
export function summaryOf({ problems, resources }: Findings): string {
  const [errors, warnings] = (["error", "warning"] as const).map(
    (severity) => problems.filter((problem) => problem.severity === severity).length,
  );
  return `${counted(resources, "resource")} checked: ${counted(errors ?? 0, "error")}, ${counted(warnings ?? 0, "warning")}`;
}

const subjectOf = ({ type, name }: ProgramProblem): string =>
  type === undefined ? "" : printableLine(`${type} ${name ?? ""}`.trim());

/** Describes a problem, with the resource and the property. */
function sentenceOf(problem: ProgramProblem): string {
  const { property, message, code } = problem;
  const said = printableLine(property === undefined ? message : `${property} ${message}`);
  const subject = subjectOf(problem);
  return joinCode(subject === "" ? said : `${subject}: ${said}`, code);
}

function lineOfText(problem: ProgramProblem): string {
  const { severity, source } = problem;
  const place = source && [source.file, source.line, ...(source.column === undefined ? [] : [source.column])];
  return `${place === undefined ? "" : `${printableLine(place.join(":"))}: `}${severity}: ${sentenceOf(problem)}`;
}

/** The findings as JSON of a documented form: `docs/check.md`. */
const json = ({ problems, notes, resources }: Findings): string => {
  const count = (severity: ProgramProblem["severity"]) =>
    problems.filter((one) => one.severity === severity).length;
  const counts = { resources, errors: count("error"), warnings: count("warning") };
  return safeJson({ version: 1, counts, problems, notes });
};

/** A command of a workflow of GitHub, which shows the problem at its line. */
function annotation(problem: ProgramProblem, projectFile: string): string {
  const { severity, source } = problem;
  const { file, line, column } = source ?? { file: projectFile, line: 1 };
  const title = subjectOf(problem);
  const properties = Object.entries({ file, line, col: column, title: title === "" ? undefined : title })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escapedProperty(String(value))}`]))
    .join(",");
  return `::${severity} ${properties}::${escapedData(sentenceOf(problem))}`;
}

const escapedData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const HELP_PAGE = "https://github.com/pulumi-nodecloud/pulumi-nodecloud/blob/main/docs/check.md";
const RULE = "nodecloud/check";

/** The findings for code scanning. */
function sarif({ problems, notes, projectFile }: Findings): string {
  const text = "The program has a mistake in a resource.";
  return sarifOf({
    name: "nodecloud check",
    page: HELP_PAGE,
    rules: [{ id: RULE, name: "check", shortDescription: { text }, helpUri: HELP_PAGE }],
    isComplete: true,
    notifications: notes.map((note) => ({ level: "note", message: messageOf(note) })),
    results: problems.map((problem) => resultOf(problem, projectFile)),
  });
}

function resultOf(problem: ProgramProblem, projectFile: string) {
  const { severity, type, name, property, message, source } = problem;
  return {
    ruleId: RULE,
    ruleIndex: 0,
    level: severity,
    message: messageOf(sentenceOf(problem)),
    locations: [locationAt(source ?? { file: projectFile, line: 1 })],
    // The line may move, and the finding stays the same.
    partialFingerprints: fingerprintsOf([type, name, property, message]),
  };
}
