import { printableLine } from "../../../api/text";
import { type Finding } from "../findings";
import { KINDS, type Report, isOf } from "../report";
import { differencesOf, identityOf, percentOf, placeOf, summaryOf, titleOf } from "./text";

/** GitHub refuses a comment of more than 65,536 characters. */
const LONGEST = 60_000;

/** Characters that Markdown or HTML could read as more than text. */
const MARKUP = /[^\p{L}\p{N}\p{M} .,/+-]|(?<=www)\./giu;

/** The report for an issue or a comment. All that comes from accounts and programs is inert text. */
export function markdown(report: Report): string {
  const { gaps, notes } = report;
  const start = [
    `**Drift: ${summaryOf(report)}**`,
    "",
    ...list(
      "### Not looked at",
      gaps.map(({ what, reason }) => `- ${text(what)}: ${text(reason)}`),
    ),
  ];
  const end = [
    ...coverage(report),
    ...list(
      "### Notes",
      notes.map((note) => `- ${text(note)}`),
    ),
    ...list(
      "### Ignored",
      report.ignored.map(({ object, reason, until }) => {
        const end = until === undefined ? "" : ` until ${until}`;
        return `- ${object.type} ${text(identityOf(object))}${end}: ${text(reason)}`;
      }),
    ),
  ];
  const room = LONGEST - lengthOf(start) - lengthOf(end);
  return [...start, ...withinRoom(report, room), ...end].join("\n").trimEnd();
}

const list = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, "", ...lines, ""];

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** The tables of the findings, as far as they fit. It says how many findings do not. */
function withinRoom(report: Report, room: number): string[] {
  const lines: string[] = [];
  let left = room;
  let omitted = 0;
  for (const { heading, head, findings, rowsOf } of tables(report)) {
    const opening = [heading, "", `| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`];
    const rows: string[] = [];
    let unused = left - lengthOf(opening) - 1;
    for (const finding of findings) {
      const own = rowsOf(finding).map((cells) => `| ${cells.join(" | ")} |`);
      unused -= lengthOf(own);
      if (unused < 0) omitted++;
      else rows.push(...own);
    }
    if (rows.length === 0) continue;
    left -= lengthOf([...opening, ...rows, ""]);
    lines.push(...opening, ...rows, "");
  }
  if (omitted > 0) lines.push(`**${omitted} more findings do not fit here.** \`--format json\` has all.`, "");
  return lines;
}

interface FindingsTable {
  readonly heading: string;
  readonly head: readonly string[];
  readonly findings: readonly Finding[];
  rowsOf(finding: Finding): string[][];
}

function tables({ stacks, findings }: Report): FindingsTable[] {
  const accounts = [...new Set(findings.map(({ account }) => account))].sort();
  return [
    ...stacks.flatMap((stack) =>
      KINDS.map((kind) => ({
        heading: `### ${text(stack.name)} (${text(stack.directory)}): ${kind}`,
        head: ["Resource", "Line", ...(kind === "changed" ? ["Property", "Expected", "Live"] : [])],
        findings: findings.filter((one) => isOf(one, stack) && one.kind === kind),
        rowsOf: rowsOfResource,
      })),
    ),
    ...accounts.map((account) => ({
      heading: `### ${text(account)}: unmanaged`,
      head: ["Type", "Id", "Label", "Tags"],
      findings: findings.filter((one) => one.kind === "unmanaged" && one.account === account),
      rowsOf: ({ type, id, label, tags = [] }: Finding) => [
        [type, text(id), label === undefined ? "" : text(label), tags.map(text).join(" ")],
      ],
    })),
  ].filter((one) => one.findings.length > 0);
}

function rowsOfResource(finding: Finding): string[][] {
  if (finding.kind === "unmanaged") return [];
  const place = placeOf(finding.resource);
  const resource = `${text(titleOf(finding))}<br>${text(finding.resource.urn)}`;
  const start = [resource, place === undefined ? "" : text(place)];
  if (finding.kind === "deleted") return [start];
  const rows = differencesOf(finding).map(({ name, expected, live }) => [name, expected, live].map(text));
  if (rows.length === 0) return [[...start, "", "", ""]];
  return rows.map((cells, index) => [...(index === 0 ? start : ["", ""]), ...cells]);
}

function coverage({ coverage, total }: Report): string[] {
  if (coverage.length === 0) return [];
  const rows = [
    ...coverage.map((row) => ({ name: text(row.account), ...row })),
    { name: "all", type: "", ...total },
  ];
  return [
    "### Coverage",
    "",
    "| Account | Type | Objects | Managed | Ignored | Coverage |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map(
      (row) =>
        `| ${row.name} | ${row.type} | ${row.objects} | ${row.managed} | ${row.ignored} | ${percentOf(row)} |`,
    ),
    "",
  ];
}

/**
 * A text as code. References keep Markdown from reading it, also a `|` after a backslash in a table. Code keeps GitHub from
 * mentioning people and linking issues in it, which it does after it has replaced references.
 */
const text = (value: string): string =>
  `<code>${printableLine(value).replace(MARKUP, (character) => `&#${character.codePointAt(0)};`)}</code>`;
