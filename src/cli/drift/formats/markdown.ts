import { counted, nounFor, printableLine } from "../../../api/text";
import { type DriftFinding } from "../findings";
import { KINDS, type Report } from "../report";
import { coverageOf, differencesOf, identityOf, othersOf, placeOf, summaryOf, titleOf } from "./text";

/** GitHub refuses a comment of more than 65,536 characters. */
const LONGEST = 60_000;

/** Characters that Markdown or HTML could read as more than text. */
const MARKUP = /[^\p{L}\p{N}\p{M} .,/+-]|(?<=www)\./giu;

/** The report for an issue or a comment. All that comes from accounts and programs is inert text. */
export function markdown(report: Report): string {
  const { gaps, notes } = report;
  const unread = gaps.map(({ what, reason }) => `${text(what)}: ${text(reason)}`);
  const ignored = report.ignored.map(({ object, reason, until }) => {
    const end = until === undefined ? "" : ` until ${until}`;
    return `${object.type} ${text(identityOf(object))}${end}: ${text(reason)}`;
  });
  const start = [`**Drift: ${summaryOf(report)}**`, "", ...list("Not looked at", unread)];
  const end = [...coverage(report), ...list("Notes", notes.map(text)), ...list("Ignored", ignored)];
  const room = LONGEST - lengthOf(start) - lengthOf(end);
  return [...start, ...withinRoom(report, room), ...end].join("\n").trimEnd();
}

const list = (heading: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`### ${heading}`, "", ...items.map((item) => `- ${item}`), ""];

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** The tables of the findings that fit. It says how many findings do not. */
function withinRoom(report: Report, room: number): string[] {
  const lines: string[] = [];
  let left = room;
  let omitted = 0;
  for (const { heading, head, findings } of tables(report)) {
    const rows: string[] = [];
    let unused = left - lengthOf(table(heading, head, []));
    for (const finding of findings) {
      const own = rowsOf(finding).map(row);
      if (lengthOf(own) > unused) omitted++;
      else {
        unused -= lengthOf(own);
        rows.push(...own);
      }
    }
    if (rows.length === 0) continue;
    left = unused;
    lines.push(...table(heading, head, rows));
  }
  if (omitted > 0)
    lines.push(
      `**${counted(omitted, "more finding")} ${nounFor(omitted, "does", "do")} not fit here.** \`--format json\` has all.`,
      "",
    );
  return lines;
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const table = (heading: string, head: readonly string[], rows: readonly string[]): string[] => [
  ...[`### ${heading}`, "", row(head), `|${" --- |".repeat(head.length)}`],
  ...rows,
  "",
];

const tables = ({ groups }: Report) =>
  groups.flatMap(({ name, directory, findings }) =>
    KINDS.map((kind) => ({
      heading: `${text(name)}${directory === undefined ? "" : ` (${text(directory)})`}: ${kind}`,
      head: HEADS[kind],
      findings: findings.filter((finding) => finding.kind === kind),
    })),
  );

const HEADS = {
  changed: ["Resource", "Line", "Property", "Expected", "Live"],
  deleted: ["Resource", "Line"],
  shared: ["Resource", "Line", "Others"],
  unmanaged: ["Type", "Id", "Label", "Tags"],
};

function rowsOf(finding: DriftFinding): string[][] {
  const { kind, type, id, label, tags = [], resource } = finding;
  const cell = (value: string | undefined) => (value === undefined ? "" : text(value));
  if (resource === undefined) return [[type, text(id), cell(label), tags.map(text).join(" ")]];
  const start = [`${text(titleOf(finding))}<br>${text(resource.urn)}`, cell(placeOf(finding))];
  if (kind === "deleted") return [start];
  if (kind === "shared") return [[...start, othersOf(finding).map(text).join("<br>")]];
  const rows = differencesOf(finding).map((difference) => Object.values(difference).map(text));
  if (rows.length === 0) return [[...start, "", "", ""]];
  return rows.map((cells, index) => [...(index === 0 ? start : ["", ""]), ...cells]);
}

function coverage(report: Report): string[] {
  const rows = coverageOf(report).map(({ account, ...numbers }) =>
    row([account === "all" ? account : text(account), ...Object.values(numbers).map(String)]),
  );
  const head = ["Account", "Type", "Objects", "Managed", "Ignored", "Coverage"];
  return rows.length === 0 ? [] : table("Coverage", head, rows);
}

/**
 * A text as code. References keep Markdown from reading it, also a `|` after a backslash in a table. Code keeps GitHub from
 * mentioning people and linking issues in it, which it does after it has replaced references.
 */
const text = (value: string): string =>
  `<code>${printableLine(value).replace(MARKUP, (character) => `&#${character.codePointAt(0)};`)}</code>`;
