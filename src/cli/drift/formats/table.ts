import Table from "cli-table3";
import { printableLine } from "../../../api/text";
import { type coloursFor } from "../../terminal";
import { type Finding } from "../findings";
import { KINDS, type Report } from "../report";
import { differencesOf, percentOf, placeOf, summaryOf, titleOf } from "./text";

export interface Look {
  readonly colours: ReturnType<typeof coloursFor>;
  /** The width of the terminal. Undefined: there is none, and each finding is one line, or one line for each property. */
  readonly width?: number | undefined;
}

type Colour = (text: string) => string;

const INDENT = "  ";
const GAP = 2;
const NARROWEST = 6;
/** How many rows are laid out at a time: the time that the library takes grows with their square. */
const ROWS = 50;

/** The report for a person: grouped by stack and kind in a terminal, and otherwise with the same columns in each line. */
export function table(report: Report, look: Look): string {
  const { bold, red, yellow, green, dim } = look.colours;
  const findings = look.width === undefined ? flat(report) : grouped(report, { ...look, width: look.width });
  const colour = report.gaps.length > 0 ? yellow : report.findings.length > 0 ? red : green;
  return [
    ...findings,
    ...section("Coverage", coverage(report, look), bold),
    ...section(
      "Not looked at",
      report.gaps.map(
        ({ what, reason }) => INDENT + yellow(`${printableLine(what)}: ${printableLine(reason)}`),
      ),
      bold,
    ),
    ...section(
      "Notes",
      report.notes.map((note) => INDENT + dim(printableLine(note))),
      bold,
    ),
    colour(bold(summaryOf(report))),
  ].join("\n");
}

/** A heading with lines. Nothing without lines. */
const section = (title: string, lines: readonly string[], bold: Colour): string[] =>
  lines.length === 0 ? [] : [bold(title), ...lines, ""];

function coverage({ coverage: rows, total }: Report, { width, colours }: Look): string[] {
  if (rows.length === 0) return [];
  const cells = [...rows, { account: "all", type: "", ...total }].map((row) => [
    printableLine(row.account),
    row.type,
    String(row.objects),
    String(row.managed),
    String(row.ignored),
    percentOf(row),
  ]);
  return aligned(["account", "type", "objects", "managed", "ignored", "coverage"], cells, width, colours.dim);
}

/** One table of all findings. Its columns are the same in each run. */
function flat({ findings }: Report): string[] {
  if (findings.length === 0) return [];
  const rows = findings.flatMap((finding) => {
    const { kind, type, id, label = "-", resource, account } = finding;
    const place = placeOf(finding) ?? "-";
    const differences = differencesOf(finding);
    const shown = differences.length > 0 ? differences : [{ name: "-", expected: "-", live: "-" }];
    return shown.map(({ name, expected, live }) =>
      [kind, resource?.stack.name ?? account, type, id, label, name, expected, live, place]
        .concat(resource?.urn ?? "-")
        .map(printableLine),
    );
  });
  const head = [
    "kind",
    "stack or account",
    "type",
    "id",
    "label",
    "property",
    "expected",
    "live",
    "line",
    "urn",
  ];
  return [...aligned(head, rows), ""];
}

function grouped({ groups }: Report, look: Look & { readonly width: number }): string[] {
  const { bold, dim } = look.colours;
  return groups.flatMap(({ name, directory, findings }) => {
    if (findings.length === 0) return [];
    const folder = directory === undefined ? "" : ` ${dim(`(${printableLine(directory)})`)}`;
    return [bold(printableLine(name)) + folder, "", ...kinds(findings, look)];
  });
}

function kinds(findings: readonly Finding[], look: Look & { readonly width: number }): string[] {
  return KINDS.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind);
    if (own.length === 0) return [];
    const { yellow, red, cyan } = look.colours;
    const colour = { changed: yellow, deleted: red, unmanaged: cyan }[kind];
    const heading = INDENT + colour(`${own.length} ${kind}`);
    return kind === "unmanaged"
      ? [heading, "", ...objects(own, look), ""]
      : [heading, "", ...own.flatMap((one) => resource(one, look))];
  });
}

const objects = (findings: readonly Finding[], { width, colours }: Look): string[] =>
  aligned(
    ["type", "id", "label", "tags"],
    findings.map(({ type, id, label = "-", tags = [] }) =>
      [type, id, label, tags.join(", ")].map(printableLine),
    ),
    width,
    colours.dim,
  );

/** A resource of a stack. The URN has its own line, so that it can be copied. */
function resource(finding: Finding, { colours: { bold, dim }, width }: Look): string[] {
  const place = placeOf(finding);
  const rows = differencesOf(finding).map(({ name, expected, live }) => [name, expected, live]);
  return [
    `${INDENT}${bold(titleOf(finding))}${place === undefined ? "" : `  ${place}`}`,
    INDENT + dim(printableLine(finding.resource?.urn ?? "")),
    ...(rows.length === 0 ? [] : aligned(["property", "expected", "live"], rows, width, dim)),
    "",
  ];
}

/** Columns without lines between them. In a terminal, long cells are wrapped. */
function aligned(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width?: number,
  dim: Colour = (text) => text,
): string[] {
  const all = [head, ...rows];
  const colWidths = widths(all, width === undefined ? Infinity : width - INDENT.length);
  const parts = Array.from({ length: Math.ceil(all.length / ROWS) }, (_, part) =>
    all.slice(part * ROWS, (part + 1) * ROWS),
  );
  return parts
    .flatMap((part) => drawn(part, colWidths))
    .map((line, index) => INDENT + (index === 0 ? dim(line.trimEnd()) : line.trimEnd()));
}

function drawn(rows: readonly (readonly string[])[], colWidths: number[]): string[] {
  const noLines = Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, ""]));
  const table = new Table({
    chars: { ...noLines, middle: " ".repeat(GAP) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths,
    wordWrap: true,
    wrapOnWordBoundary: false,
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().split("\n");
}

/** The widths of columns: the widest become narrower until all fit. */
function widths(rows: readonly (readonly string[])[], available: number): number[] {
  const [head = []] = rows;
  const found = head.map((_, column) =>
    rows.reduce((most, row) => Math.max(most, columnsOf(row[column] ?? "")), 1),
  );
  const room = Math.max(available - GAP * (found.length - 1), NARROWEST * found.length);
  for (let over = found.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const widest = found.indexOf(Math.max(...found));
    found[widest] = (found[widest] ?? 0) - 1;
  }
  return found;
}

const columnsOf = (text: string): number =>
  [...text].reduce(
    (sum, character) => sum + (/[\u1100-\uffff\u{10000}-\u{3ffff}]/u.test(character) ? 2 : 1),
    0,
  );
