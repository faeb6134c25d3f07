import { type Coverage, type Drift, type Finding, type StackName, type Unmanaged } from "./findings";

/** The kinds of findings in the order of a report. */
export const KINDS = ["changed", "deleted", "unmanaged"] as const satisfies readonly Finding["kind"][];

export type Kind = (typeof KINDS)[number];

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

export interface CoverageRow extends Share {
  readonly account: string;
  readonly type: string;
}

/** What a format shows. Everything is sorted, so that equal drift gives an equal text. */
export interface Report extends Pick<Drift, "stacks" | "findings" | "gaps" | "notes"> {
  readonly ignored: readonly Ignored[];
  readonly counts: Readonly<Record<Kind, number>>;
  readonly coverage: readonly CoverageRow[];
  readonly total: Share;
  /** The kinds that make the command fail. */
  readonly failOn: readonly Kind[];
}

interface Parts {
  readonly ignored?: readonly Ignored[];
  readonly failOn?: readonly Kind[];
  /** More notes than those of the comparison. */
  readonly notes?: readonly string[];
}

/** Sorts and counts what a comparison has found, without the objects that are ignored. */
export function reportOf(drift: Drift, { ignored = [], failOn = KINDS, notes = [] }: Parts = {}): Report {
  const hidden = new Set<Finding>(ignored.map(({ object }) => object));
  const findings = drift.findings.filter((finding) => !hidden.has(finding)).sort(byKeys(keysOf));
  const count = (kind: Kind) => findings.filter((finding) => finding.kind === kind).length;
  const coverage = drift.coverage.map((row) => rowOf(row, ignored)).sort(byKeys(keysOfRow));
  const sum = (key: "objects" | "managed" | "ignored") => coverage.reduce((all, row) => all + row[key], 0);
  return {
    stacks: stacksOf(drift),
    findings,
    ignored: [...ignored].sort(byKeys(({ object }) => keysOf(object))),
    counts: { changed: count("changed"), deleted: count("deleted"), unmanaged: count("unmanaged") },
    coverage,
    total: share(sum("objects"), sum("managed"), sum("ignored")),
    gaps: [...drift.gaps].sort(byKeys(({ what, reason }) => [what, reason])),
    notes: [...new Set([...drift.notes, ...notes])],
    failOn,
  };
}

/** The name of a finding's stack. Undefined for an unmanaged object. */
export const stackOf = (finding: Finding): string | undefined =>
  finding.kind === "unmanaged" ? undefined : finding.resource.stack.name;

/** Whether a finding is of this stack. Stacks of several projects can have one name. */
export const isOf = (finding: Finding, { name, project, directory }: StackName): boolean =>
  finding.kind !== "unmanaged" &&
  finding.resource.stack.name === name &&
  finding.resource.stack.project === project &&
  finding.resource.stack.directory === directory;

const keysOf = (finding: Finding): string[] => [
  ...(finding.kind === "unmanaged" ? ["1"] : ["0", ...keysOfStack(finding.resource.stack)]),
  String(KINDS.indexOf(finding.kind)),
  finding.account,
  finding.type,
  finding.label ?? "",
  finding.id,
  finding.kind === "unmanaged" ? "" : finding.resource.urn,
];

const keysOfStack = ({ name, project, directory }: StackName): string[] => [name, project, directory];

/** The stacks of a comparison, each once, also those that only a finding names. */
function stacksOf({ stacks, findings }: Drift): StackName[] {
  const named = findings.flatMap((finding) => (finding.kind === "unmanaged" ? [] : [finding.resource.stack]));
  const all = new Map([...stacks, ...named].map((stack) => [JSON.stringify(keysOfStack(stack)), stack]));
  return [...all.values()].sort(byKeys(keysOfStack));
}

const keysOfRow = ({ account, type }: Coverage): string[] => [account, type];

function rowOf({ account, type, objects, managed }: Coverage, ignored: readonly Ignored[]): CoverageRow {
  const hidden = ignored.filter(({ object }) => object.account === account && object.type === type);
  return { account, type, ...share(objects, managed, hidden.length) };
}

/** The percentage is rounded down: 100 means all. */
function share(objects: number, managed: number, ignored: number): Share {
  const percent = objects === 0 ? 100 : Math.floor((managed / objects) * 1000) / 10;
  return { objects, managed, ignored, percent };
}

/** Orders by the first key that differs, numbers by their value, and the same on each machine. */
function byKeys<Item>(keys: (item: Item) => readonly string[]): (a: Item, b: Item) => number {
  const collator = new Intl.Collator("en", { numeric: true });
  return (a, b) => {
    const others = keys(b);
    for (const [index, key] of keys(a).entries()) {
      const other = others[index] ?? "";
      const order = collator.compare(key, other) || Number(key > other) - Number(key < other);
      if (order !== 0) return order;
    }
    return 0;
  };
}
