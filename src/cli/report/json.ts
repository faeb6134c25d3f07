import { type ReportedChange, type StackReport } from "./changes";
import { type Decision, type PolicyVerdict } from "./policy";
import { countsOf } from "./sentences";

/** The report for programs. */
export function jsonReport(reports: readonly StackReport[], { denied, allowed }: PolicyVerdict): string {
  const decision = ({ rule, change, by: reason }: Decision) => {
    const { urn, type, name } = change;
    return { rule, urn, type, name, reason };
  };
  const report = {
    version: 1,
    summary: countsOf(reports),
    complete: reports.every(({ incomplete }) => incomplete === undefined),
    denied: denied.map(decision),
    allowed: allowed.map(decision),
    stacks: reports.map(({ changes, ...rest }) => ({
      ...rest,
      changes: changes.map(({ stack: _, ...change }: ReportedChange) => change),
    })),
  };
  return JSON.stringify(report, undefined, 2);
}
