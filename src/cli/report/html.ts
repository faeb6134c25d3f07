import { html } from "hono/html";
import { printableLine } from "../../api/text";
import {
  type Branch,
  type Html,
  type TreeItem,
  listSection,
  type Notice,
  pageOf,
  type Tone,
} from "../html/page";
import { type ReportedChange, type Section, SECTIONS, type StackReport } from "./changes";
import { type Decision, type PolicyVerdict } from "./policy";
import { changesIn, countsOf, detailLines, HEADINGS, predicateOf } from "./sentences";

const TONES: Readonly<Partial<Record<Section, Tone>>> = {
  "data-loss": "bad",
  interruption: "bad",
  shared: "bad",
  replacement: "warn",
  deletion: "warn",
  drift: "warn",
};

/** The report as one HTML file: a tree of sections, the most important first, of stacks if there are several, and of changes. */
export function htmlReport(reports: readonly StackReport[], verdict: PolicyVerdict, title: string): string {
  const stacks = reports.map(({ stack }) => stack).join(", ");
  return pageOf({
    title: `${printableLine(title)}: ${stacks}`,
    summary: countsOf(reports),
    notices: [...reports.flatMap(incompleteOf), ...decided(verdict)],
    kinds: "Change",
    branches: SECTIONS.map((section) => branchOf(section, reports)),
    end: [
      listSection(
        "Warnings",
        reports.flatMap(({ stack, warnings }) =>
          warnings.map((line) => html`${reports.length > 1 && `${stack}: `}${lines(line)}`),
        ),
      ),
    ],
  });
}

const incompleteOf = ({ stack, incomplete, errors }: StackReport): Notice[] =>
  incomplete === undefined
    ? []
    : [
        {
          tone: "bad",
          text: html`Incomplete: ${stack}: ${incomplete}${errors.map((error) => html`<pre>${error}</pre>`)}`,
        },
      ];

function decided({ denied, allowed }: PolicyVerdict): Notice[] {
  const notice = (tone: Tone, howOf: (decision: Decision) => string) => (decision: Decision) => {
    const { rule, change, by } = decision;
    return {
      tone,
      text: `${howOf(decision)}: ${rule} ${change.type} ${change.name}${by === undefined ? "" : ` (${by})`}`,
    };
  };
  return [
    ...denied.map(notice("bad", ({ source }) => `Denied by ${source}`)),
    ...allowed.map(notice("good", () => "Allowed")),
  ];
}

function branchOf(section: Section, reports: readonly StackReport[]): Branch {
  const [heading, tone] = [HEADINGS[section], TONES[section]];
  const itemsOf = (of: readonly StackReport[]) => changesIn(section, of).map(itemOf);
  if (reports.length === 1) return { heading, tone, items: itemsOf(reports) };
  const branches = reports.map((report) => ({ heading: report.stack, items: itemsOf([report]) }));
  return { heading, tone, branches };
}

function itemOf(change: ReportedChange): TreeItem {
  const { type, name, stack, section, urn } = change;
  const details = detailLines(change);
  return {
    ...{ kind: HEADINGS[section], type, stack },
    heading: html`<b>${type} ${name}</b> ${predicateOf(change).replaceAll("\n", " ")}`,
    body: html`<p class="quiet"><code>${urn}</code></p>
      ${details.length > 0 && html`<pre>${details.map(diffLine)}</pre>`}`,
  };
}

/** A line of a difference, in the colour of its sign. */
function diffLine(line: string): Html {
  const kind = line.startsWith("-") ? "bad" : line.startsWith("+") ? "good" : "plain";
  return html`<span class="${kind}">${line.replace(/^!/, "~")}</span>${"\n"}`;
}

const lines = (text: string): Html[] =>
  text.split("\n").map((line, index) => html`${index > 0 && html`<br />`}${line}`);
