import { html as markup } from "hono/html";
import { printableLine } from "../../../api/text";
import {
  type Branch,
  type Html,
  type TreeItem,
  listSection,
  pageOf,
  table,
  type Tone,
} from "../../html/page";
import { type DriftFinding } from "../findings";
import { type FindingKind, type Group, KINDS, type Report } from "../report";
import {
  coverageOf,
  type DifferenceInWords,
  differencesOf,
  identityOf,
  othersOf,
  placeOf,
  summaryOf,
  titleOf,
} from "./text";

const TONES: Readonly<Record<FindingKind, Tone>> = {
  changed: "warn",
  deleted: "bad",
  shared: "bad",
  unmanaged: "warn",
};

/** The report as one HTML file: a tree of stacks and accounts, kinds and findings. */
export function html(report: Report): string {
  const { groups, gaps, notes, ignored } = report;
  return pageOf({
    title: "Drift",
    summary: summaryOf(report),
    notices: gaps.map(({ what, reason }) => ({
      tone: "bad",
      text: `Not looked at: ${printableLine(what)}: ${printableLine(reason)}`,
    })),
    kinds: "Kind",
    branches: groups.map(branchOf),
    end: [
      coverage(report),
      listSection("Notes", notes.map(printableLine)),
      listSection(
        "Ignored",
        ignored.map(({ object, reason, until }) => {
          const end = until === undefined ? "" : ` until ${until}`;
          return `${object.type} ${identityOf(object)}${end}: ${printableLine(reason)}`;
        }),
      ),
    ],
  });
}

function branchOf({ name, directory, findings }: Group): Branch {
  const folder = directory === undefined ? "" : ` (${printableLine(directory)})`;
  return {
    heading: printableLine(name) + folder,
    branches: KINDS.map((kind) => ({
      heading: kind,
      tone: TONES[kind],
      items: findings.filter((finding) => finding.kind === kind).map((finding) => itemOf(finding, name)),
    })),
  };
}

function itemOf(finding: DriftFinding, stack: string): TreeItem {
  const { kind, type, resource, tags = [] } = finding;
  const place = placeOf(finding);
  return {
    ...{ kind, type, stack: printableLine(stack) },
    heading: markup`${titleOf(finding)}${
      tags.length > 0 && markup` <span class="quiet">${printableLine(tags.join(", "))}</span>`
    }`,
    body:
      resource === undefined
        ? undefined
        : markup`<p class="quiet"><code>${printableLine(resource.urn)}</code></p>
            ${place !== undefined && markup`<p class="quiet">declared in <code>${place}</code></p>`}
            ${othersOf(finding).map((other) => markup`<p>${other}</p>`)} ${differences(finding)}`,
  };
}

function differences(finding: DriftFinding): Html | undefined {
  const rows = differencesOf(finding);
  if (rows.length === 0) return undefined;
  return table<DifferenceInWords>(
    [
      { title: "property", cell: ({ property }) => markup`<code>${property}</code>` },
      { title: "expected", cell: ({ expected }) => expected },
      { title: "live", cell: ({ live }) => live },
    ],
    rows,
  );
}

function coverage(report: Report): Html | undefined {
  const rows = coverageOf(report);
  if (rows.length === 0) return undefined;
  return markup`<section>
    <h2>Coverage</h2>
    ${table<(typeof rows)[number]>(
      [
        {
          title: "type",
          cell: ({ type, account }) => markup`${type} <span class="quiet">${printableLine(account)}</span>`,
        },
        { title: "objects", cell: ({ objects }) => objects, isNumber: true },
        { title: "managed", cell: ({ managed }) => managed, isNumber: true },
        { title: "ignored", cell: ({ ignored }) => ignored, isNumber: true },
        { title: "coverage", cell: (row) => row.coverage, isNumber: true },
      ],
      rows,
    )}
  </section>`;
}
