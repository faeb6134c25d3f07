import { type ReportedChange, SECTIONS, type StackReport } from "./changes";
import { type Decision, type PolicyVerdict } from "./policy";
import { changesIn, countsOf, diffLines, headingOf, predicateOf } from "./sentences";
import type picocolors from "picocolors";

type Colours = ReturnType<typeof picocolors.createColors>;

/** The report for a terminal or a log. */
export function textReport(
  reports: readonly StackReport[],
  verdict: PolicyVerdict,
  colours: Colours,
): string {
  const { bold, red, yellow, green } = colours;
  const stacks = reports.map(({ stack }) => stack).join(", ");
  const incomplete = reports.flatMap(({ stack, incomplete: why, errors }) =>
    why === undefined
      ? []
      : [
          `${yellow("incomplete")}: ${stack}: ${why}`,
          ...errors.flatMap((error) => error.split("\n")).map((line) => `  ${line}`),
        ],
  );
  const decided = (howOf: (decision: Decision) => string, decisions: readonly Decision[]) =>
    decisions.map((decision) => {
      const { rule, change, by } = decision;
      return `${howOf(decision)}: ${rule} ${nameOf(change)}${by === undefined ? "" : ` (${by})`}`;
    });
  const sections = SECTIONS.flatMap((section) => {
    const changes = changesIn(section, reports);
    if (changes.length === 0) return [];
    const heading = headingOf(section, reports);
    const isGrave = section === "data-loss";
    return [
      "",
      bold(isGrave ? red(heading) : heading),
      ...changes.flatMap((change) => linesOf(change, reports.length > 1, colours)),
    ];
  });
  const warnings = reports.flatMap((report) =>
    report.warnings.map((line) => `${yellow("warning")}: ${line}`),
  );
  return [
    bold(`${stacks}: ${countsOf(reports)}`),
    ...incomplete,
    ...decided(({ source }) => red(`denied by ${source}`), verdict.denied),
    ...decided(() => green("allowed"), verdict.allowed),
    ...sections,
    ...(warnings.length === 0 ? [] : ["", ...warnings]),
  ].join("\n");
}

const nameOf = ({ type, name }: ReportedChange): string => `${type} ${name}`;

function linesOf(change: ReportedChange, several: boolean, { red, green, dim }: Colours): string[] {
  const where = several ? ` of ${change.stack}` : "";
  const sentence = `${nameOf(change)}${where} ${predicateOf(change)}`;
  const coloured = (line: string) =>
    line.startsWith("-") ? red(line) : line.startsWith("+") ? green(line) : line.replace(/^!/, "~");
  return [
    `  ${sentence.replaceAll("\n", " ")}`,
    ...change.messages.flatMap((message) => message.split("\n")).map((line) => dim(`    ${line}`)),
    ...change.properties.flatMap(diffLines).map((line) => `    ${coloured(line)}`),
  ];
}
