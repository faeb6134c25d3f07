import { type DriftFinding } from "../findings";
import { safeJson } from "../../safe-json";
import { type Report } from "../report";

/** The report as JSON of a documented form: `docs/drift.md`. */
export function json(report: Report): string {
  const { stacks, findings, ignored, counts, coverage, total, gaps, notes } = report;
  return safeJson({
    version: 1,
    complete: gaps.length === 0,
    counts: { ...counts, ignored: ignored.length, gaps: gaps.length },
    coverage: { ...total, rows: coverage },
    stacks,
    findings: findings.map(findingOf),
    ignored: ignored.map(({ object, reason, until }) => ({ ...objectOf(object), reason, until })),
    gaps,
    notes,
  });
}

const objectOf = ({ type, id, label, tags, account }: DriftFinding) => ({ type, id, label, tags, account });

function findingOf(finding: DriftFinding) {
  const { kind, resource, others, properties, members } = finding;
  const { stack, urn, source } = resource ?? {};
  // Secret values are left out even if a comparison gives them.
  const shown = properties?.map(({ path, expected, live, secret }) =>
    secret ? { path, secret } : { path, expected, live },
  );
  return { kind, ...objectOf(finding), stack, urn, source, others, properties: shown, members };
}
