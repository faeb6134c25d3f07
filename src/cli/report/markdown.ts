import { counted } from "../../api/text";
import { type ReportedChange, type Section, SECTIONS, type StackReport } from "./changes";
import { type Cut, fit, type ShortenablePart } from "./fit";
import { type PolicyVerdict } from "./policy";
import { changesIn, countsOf, detailLines, headingOf, predicateOf } from "./sentences";

interface MarkdownOptions {
  readonly title: string;
  readonly marker: string;
  readonly mostBytes: number;
  readonly verdict: PolicyVerdict;
}

/** The sections whose changes are shown without opening anything. */
const OPEN: readonly Section[] = ["data-loss", "interruption", "shared"];

/** The sections whose changes are named in any case. */
const NAMED: readonly Section[] = [...OPEN, "replacement", "deletion"];

/** How many lines of errors and warnings are shown. */
const MESSAGE_LINES = 20;

/** The report as a comment. The most important changes come first, and are cut last. */
export function markdownOf(reports: readonly StackReport[], manner: MarkdownOptions): string {
  const several = reports.length > 1;
  const parts = SECTIONS.flatMap((section) =>
    reports.flatMap((report) =>
      changesIn(section, [report]).map((change) => partOf(change, report, several)),
    ),
  );
  return fit(parts, manner.mostBytes, (shown, cut) => layout(reports, shown, cut, manner));
}

/** A change in its short and in its whole form, with its section and stack. */
interface ShownChange extends ShortenablePart {
  readonly section: Section;
  readonly report: StackReport;
}

const partOf = (change: ReportedChange, report: StackReport, several: boolean): ShownChange => ({
  section: change.section,
  report,
  short: sentence(change, several),
  whole: [sentence(change, several), ...differences(change)].join("\n\n"),
  ...(NAMED.includes(change.section) ? { name: nameOf(change, several) } : {}),
});

const nameOf = ({ type, name, stack }: ReportedChange, several: boolean): string =>
  `${code(type)} ${code(name)}${several ? ` of ${code(stack)}` : ""}`;

function sentence(change: ReportedChange, several: boolean): string {
  const where = several && OPEN.includes(change.section) ? ` of ${code(change.stack)}` : "";
  return `- **${code(change.type)} ${code(change.name)}**${where} ${text(predicateOf(change))}`;
}

/** What is said in one line is text, and lists of members are differences. */
function differences(change: ReportedChange): string[] {
  const isLine = (message: string) => !message.includes("\n");
  const said = change.messages.filter(isLine).map((line) => indented(text(line)));
  const lines = detailLines({ ...change, messages: change.messages.filter((message) => !isLine(message)) });
  if (lines.length === 0) return said;
  const block = indented(fenced(lines.join("\n"), "diff"));
  return OPEN.includes(change.section)
    ? [...said, indented("<details><summary>Differences</summary>"), block, indented("</details>")]
    : [...said, block];
}

function layout(
  reports: readonly StackReport[],
  shown: readonly ShownChange[],
  cut: Cut | undefined,
  { title, marker, verdict }: MarkdownOptions,
): string {
  const several = reports.length > 1;
  const [first] = reports;
  const only = several ? ` of ${reports.length} stacks` : first ? ` of ${code(first.stack)}` : "";
  const written = (section: Section, of: readonly StackReport[], write: typeof details): string[] => {
    const parts = shown.filter((part) => part.section === section && of.includes(part.report));
    return parts.length === 0 ? [] : [write(headingOf(section, of), bullets(parts))];
  };
  const open = OPEN.flatMap((section) =>
    written(section, reports, (heading, body) => `#### ${heading}\n\n${body}`),
  );
  const stacks = reports.map((report) => {
    const { stack, warnings } = report;
    const body = [
      ...SECTIONS.filter((section) => !OPEN.includes(section)).flatMap((section) =>
        written(section, [report], details),
      ),
      ...(warnings.length === 0 ? [] : [details("Warnings", messages(warnings))]),
    ].join("\n\n");
    if (!several) return body;
    const summary = `<code>${html(stack)}</code>: ${countsOf([report])}`;
    // Nothing is folded if all changes of the stack are shown above.
    return body === "" ? summary : details(summary, body);
  });
  const all = [
    marker,
    `### ${text(title)}${only}: ${countsOf(reports)}`,
    ...(verdict.denied.length + verdict.allowed.length === 0 ? [] : [verdictOf(verdict)]),
    ...reports.flatMap((report) => failure(report, several)),
    ...(cut === undefined ? [] : [`> ${cut.line}`]),
    ...(cut === undefined || cut.names.length === 0
      ? []
      : [`**Left out, and to be reviewed:** ${cut.names.join(", ")}`]),
    ...open,
    ...stacks,
  ];
  return `${all.filter((block) => block !== "").join("\n\n")}\n`;
}

function verdictOf({ denied, allowed }: PolicyVerdict): string {
  const line = ({ rule, change, by }: PolicyVerdict["allowed"][number]) =>
    `${code(rule)} ${code(change.type)} ${code(change.name)}${by === undefined ? "" : ` (${text(by)})`}`;
  const listed = (
    items: PolicyVerdict["allowed"],
    startOf: (item: PolicyVerdict["allowed"][number]) => string,
    sign: string,
    end: string,
  ) => [
    ...items.slice(0, 20).map((item) => `- ${sign} ${startOf(item)}: ${line(item)}`),
    ...(items.length > 20 ? [`- ${sign} and ${items.length - 20} more that are ${end}`] : []),
  ];
  return [
    ...listed(denied, ({ source }) => `denied by ${text(source)}`, "❌", "denied"),
    ...listed(allowed, () => "allowed", "✅", "allowed"),
  ].join("\n");
}

function failure({ stack, errors, incomplete }: StackReport, several: boolean): string[] {
  if (incomplete === undefined) return [];
  const which = several ? `${code(stack)}: ` : "";
  return [
    `> ⚠️ ${which}This report is incomplete: ${incomplete}.`,
    ...(errors.length === 0 ? [] : [messages(errors)]),
  ];
}

function messages(all: readonly string[]): string {
  const lines = all.flatMap((message) => message.split("\n"));
  const rest = lines.length - MESSAGE_LINES;
  const shown = lines
    .slice(0, MESSAGE_LINES)
    .map((line) => (line.length > 500 ? `${line.slice(0, 500)}…` : line));
  return fenced([...shown, ...(rest > 0 ? [`… and ${counted(rest, "more line")}`] : [])].join("\n"), "");
}

/** A list. An empty line ends the HTML of the item before it. */
const bullets = (parts: readonly ShortenablePart[]): string =>
  parts
    .map(({ whole }) => (whole.includes("\n") ? `${whole}\n` : whole))
    .join("\n")
    .trimEnd();

const details = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;

const indented = (block: string): string =>
  block
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");

/** A code block that the text cannot end. */
function fenced(body: string, language: string): string {
  const fence = "`".repeat(Math.max(2, ...runsIn(body)) + 1);
  return `${fence}${language}\n${body}\n${fence}`;
}

/** A code span that the text cannot end. In code, nothing is a link, a mention or HTML. */
function code(body: string): string {
  const line = body.replaceAll("\n", " ");
  const fence = "`".repeat(Math.max(0, ...runsIn(line)) + 1);
  const space = /^[` ]|[` ]$/.test(line) || line === "" ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

const runsIn = (body: string): number[] => (body.match(/`+/g) ?? []).map(({ length }) => length);

/** Text in which nothing is formatted, a link or a mention. */
const text = (body: string): string =>
  body
    .replaceAll("\n", " ")
    .replace(/[\\`*_{}[\]<>|~$]/g, "\\$&")
    .replace(/[@#!&](?=\S)|(?<=:)\/\/|www(?=\.)/g, "$&<!-- -->");

const html = (body: string): string =>
  body.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", " ");
