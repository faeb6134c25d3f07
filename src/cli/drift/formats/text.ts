import { bounded, counted, printableLine } from "../../../api/text";
import { nameInUrn } from "../../../provider/describe/urn";
import { type AccountObject, type DriftFinding } from "../findings";
import { KINDS, type Report, type Share } from "../report";

/** How much of a value a report for people shows. */
const LONGEST_VALUE = 300;

const SECRET = "(secret)";
const UNSET = "(not set)";
const MISSING = "(missing)";

/** A difference in words: a property, or a member of a set. */
export interface DifferenceInWords {
  readonly property: string;
  readonly expected: string;
  readonly live: string;
}

/** The differences in an object, without secrets and control characters. */
export function differencesOf({ properties = [], members = [] }: DriftFinding): DifferenceInWords[] {
  return [
    ...properties.map(({ path, expected, live, secret }) => ({
      property: printableLine(path),
      expected: secret ? SECRET : valueOf(expected),
      live: secret ? SECRET : valueOf(live),
    })),
    ...members.map(({ change, expected, live }) => ({
      property: `${change} record`,
      expected: change === "added" ? MISSING : memberOf(expected),
      live: change === "deleted" ? MISSING : memberOf(live),
    })),
  ];
}

const memberOf = (text: string | undefined) => (text === undefined ? SECRET : shortened(text));

const valueOf = (value: unknown): string =>
  value === undefined
    ? UNSET
    : shortened(typeof value === "string" ? value : (JSON.stringify(value) ?? UNSET));

const shortened = (text: string) => bounded(text === "" ? '""' : printableLine(text), LONGEST_VALUE);

/** The type, the name in the program if there is one, the id and the label of an object. */
export function titleOf(finding: DriftFinding): string {
  const { type, resource } = finding;
  const name = resource === undefined ? "" : ` ${printableLine(nameInUrn(resource.urn))}`;
  return `${type}${name} (${identityOf(finding)})`;
}

/** The id of an object, and its label. */
export const identityOf = ({ id, label }: AccountObject): string =>
  label === undefined ? `id ${printableLine(id)}` : `id ${printableLine(id)}, label ${printableLine(label)}`;

/** The other resources that manage the object of a finding. */
export const othersOf = ({ others = [] }: DriftFinding): string[] =>
  others.map(({ stack, urn }) => `also managed by ${printableLine(`${urn} of stack ${stack.name}`)}`);

/** Where the program declares the resource of a finding: `infra/index.ts:12`. Undefined if the state does not say it. */
export function placeOf({ resource }: DriftFinding): string | undefined {
  if (resource?.source === undefined) return undefined;
  const { file, line, column } = resource.source;
  return printableLine(`${file}:${line}${column === undefined ? "" : `:${column}`}`);
}

/** A percentage as people write it: `83.3 %`. */
const percentOf = ({ percent }: Share): string => `${percent} %`;

/** The rows of the coverage, with the total at the end. */
export const coverageOf = ({ coverage, total }: Report) =>
  [...coverage, ...(coverage.length === 0 ? [] : [{ account: "all", type: "", ...total }])].map(
    ({ account, type, objects, managed, ignored, percent }) => ({
      ...{ account, type, objects, managed, ignored },
      coverage: `${percent} %`,
    }),
  );

/** The counts in one line. It says when the comparison is incomplete. */
export function summaryOf({ counts, ignored, gaps, total, findings }: Report): string {
  const found = KINDS.map((kind) => `${counts[kind]} ${kind}`).join(", ");
  const none = gaps.length === 0 ? "no drift" : "no drift in what could be looked at";
  const parts = [
    findings.length === 0 ? none : found,
    ...(ignored.length === 0 ? [] : [`${ignored.length} ignored`]),
    // Without objects it is 100 %, which would mislead if the account could not be read.
    ...(gaps.length > 0 && total.objects === 0
      ? []
      : [`coverage ${percentOf(total)} (${total.managed} of ${counted(total.objects, "object")})`]),
    ...(gaps.length === 0 ? [] : [`INCOMPLETE: ${counted(gaps.length, "part")} could not be looked at`]),
  ];
  return parts.join("; ");
}
