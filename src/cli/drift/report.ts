import { byKeys, inOrder } from "../in-order";
import { type Coverage, type Drift, type DriftFinding, type Unmanaged } from "./findings";
import { type StackName } from "../stacks/names-and-gaps";

/** The kinds of findings in the order of a report. */
export const KINDS = [
  "changed",
  "deleted",
  "shared",
  "unmanaged",
] as const satisfies readonly DriftFinding["kind"][];

export type FindingKind = (typeof KINDS)[number];

/** An unmanaged object that the ignore file hides. */
export interface Ignored {
  readonly object: Unmanaged;
  readonly reason: string;
  /** The last day on which it is hidden: `2027-01-31`. */
  readonly until?: string;
}

/** Numbers of objects, and how many percent of them the stacks manage. */
export interface Share {
  readonly objects: number;
  readonly managed: number;
  readonly ignored: number;
  readonly percent: number;
}

export interface CoverageRow extends Share, Coverage {}

/** The findings of a stack, or the unmanaged objects of an account. */
export interface Group {
  readonly name: string;
  /** The folder of a stack. */
  readonly directory?: string;
  readonly findings: readonly DriftFinding[];
}

/** The drift as a format shows it. Everything is sorted, so that equal drift gives an equal text. */
export interface Report extends Pick<Drift, "stacks" | "findings" | "gaps" | "notes"> {
  readonly ignored: readonly Ignored[];
  /** The findings by stack, then by account. */
  readonly groups: readonly Group[];
  readonly counts: Readonly<Record<FindingKind, number>>;
  readonly coverage: readonly CoverageRow[];
  readonly total: Share;
  /** The kinds that make the command fail. */
  readonly failOn: readonly FindingKind[];
}

/** Sorts and counts what a comparison has found, without the objects that are ignored. `notes` are added to those of the comparison. */
export function reportOf(
  drift: Drift,
  { ignored = [], failOn = KINDS, notes = [] }: Partial<Pick<Report, "ignored" | "failOn" | "notes">> = {},
): Report {
  const hidden = new Set<DriftFinding>(ignored.map(({ object }) => object));
  const findings = drift.findings.filter((finding) => !hidden.has(finding)).sort(byKeys(keysOf));
  const stacks = [...drift.stacks].sort(byKeys(keysOfStack));
  const count = (kind: FindingKind) => findings.filter((finding) => finding.kind === kind).length;
  const coverage = drift.coverage
    .map(({ account, type, objects, managed }) => {
      const own = ignored.filter(({ object }) => object.account === account && object.type === type);
      return { account, type, ...share(objects, managed, own.length) };
    })
    .sort(byKeys(({ account, type }) => [account, type]));
  // Stacks of several projects can have one name.
  const groups = Map.groupBy(findings, ({ resource, account }) => resource?.stack ?? account);
  const unmanaged = findings.filter(({ resource }) => resource === undefined);
  const accounts = new Set([...coverage, ...unmanaged].map(({ account }) => account));
  const sum = (key: "objects" | "managed" | "ignored") => coverage.reduce((all, row) => all + row[key], 0);
  return {
    stacks,
    findings,
    groups: [
      ...stacks.map((stack) => ({ ...stack, findings: groups.get(stack) ?? [] })),
      ...[...accounts].sort(inOrder).map((name) => ({ name, findings: groups.get(name) ?? [] })),
    ],
    ignored: [...ignored].sort(byKeys(({ object }) => keysOf(object))),
    counts: {
      changed: count("changed"),
      deleted: count("deleted"),
      shared: count("shared"),
      unmanaged: count("unmanaged"),
    },
    coverage,
    total: share(sum("objects"), sum("managed"), sum("ignored")),
    gaps: [...new Map(drift.gaps.map((gap) => [`${gap.what}: ${gap.reason}`, gap])).values()].sort(
      byKeys(({ what, reason }) => [what, reason]),
    ),
    notes: [...new Set([...drift.notes, ...notes])].sort(inOrder),
    failOn,
  };
}

const keysOf = ({ kind, resource, account, type, label = "", id }: DriftFinding): string[] => [
  ...(resource === undefined ? ["1"] : ["0", ...keysOfStack(resource.stack)]),
  ...[String(KINDS.indexOf(kind)), account, type, label, id, resource?.urn ?? ""],
];

const keysOfStack = ({ name, project, directory }: StackName): string[] => [name, project, directory];

/** The percentage is rounded down: 100 means all. */
function share(objects: number, managed: number, ignored: number): Share {
  const percent = objects === 0 ? 100 : Math.floor((managed / objects) * 1000) / 10;
  return { objects, managed, ignored, percent };
}
