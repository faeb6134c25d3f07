import XMLBuilder from "fast-xml-builder";
import { printableLine } from "../../../api/text";
import { type DriftFinding } from "../findings";
import { type Report } from "../report";
import { differencesOf, othersOf, placeOf, summaryOf, titleOf } from "./text";

type Attributes = Readonly<Record<`@${string}`, string | number>>;
type Outcome = Attributes & { readonly "#text"?: string };

interface Case extends Attributes {
  readonly failure?: Outcome;
  readonly error?: Outcome;
  readonly skipped?: Outcome;
}

/**
 * The report for tools that show tests. Each finding is a failed test, each stack without findings a passed one, and each
 * gap an error. A finding of a kind that does not make the command fail is a skipped test.
 */
export function junit(report: Report): string {
  const { groups, gaps, notes } = report;
  const suites = [
    ...groups.map(({ name, directory, findings }) => {
      const [called, passed] =
        directory === undefined
          ? [`unmanaged objects of ${name}`, "no object is unmanaged"]
          : [`${name} (${directory})`, "no resource is changed or deleted"];
      const title = xmlText(called);
      return suite(
        title,
        findings.map((finding) => caseOf(report, title, finding)),
        passed,
      );
    }),
    ...(gaps.length === 0 ? [] : [suite("not looked at", gaps.map(errorOf), "")]),
  ];
  const builder = new XMLBuilder({
    attributeNamePrefix: "@",
    ignoreAttributes: false,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
    format: true,
  });
  return builder.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: {
      "@name": "nodecloud drift",
      ...countsOf(suites.flatMap(({ testcase }) => testcase)),
      testsuite: suites,
      ...(notes.length > 0 && { "system-out": xmlText([summaryOf(report), ...notes].join("\n")) }),
    },
  });
}

function suite(name: string, found: readonly Case[], passed: string) {
  const cases: readonly Case[] = found.length > 0 ? found : [{ "@classname": name, "@name": passed }];
  return { "@name": name, ...countsOf(cases), testcase: cases };
}

function countsOf(cases: readonly Case[]) {
  const count = (key: "failure" | "error" | "skipped") =>
    cases.filter((one) => one[key] !== undefined).length;
  return {
    ...{ "@tests": cases.length, "@failures": count("failure") },
    ...{ "@errors": count("error"), "@skipped": count("skipped") },
  };
}

function caseOf({ failOn }: Report, suiteName: string, finding: DriftFinding): Case {
  const { kind, resource } = finding;
  const message = xmlText(`${kind}: ${titleOf(finding)}`);
  const outcome = { "@message": message, "@type": kind };
  return {
    "@classname": suiteName,
    "@name": message,
    ...(resource?.source && { "@file": xmlText(resource.source.file), "@line": resource.source.line }),
    ...(failOn.includes(kind)
      ? { failure: { ...outcome, "#text": xmlText(detailsOf(finding)) } }
      : { skipped: outcome }),
  };
}

const errorOf = ({ what, reason }: Report["gaps"][number]): Case => ({
  "@classname": "not looked at",
  "@name": xmlText(what),
  error: { "@message": xmlText(`could not look at ${what}: ${reason}`), "@type": "gap" },
});

function detailsOf(finding: DriftFinding): string {
  const { resource, account } = finding;
  if (resource === undefined) return `account: ${account}`;
  const place = placeOf(finding);
  return [
    `stack: ${resource.stack.name}`,
    `URN: ${resource.urn}`,
    ...(place === undefined ? [] : [`line: ${place}`]),
    ...othersOf(finding),
    ...differencesOf(finding).map(
      ({ property, expected, live }) => `${property}: expected ${expected}, live ${live}`,
    ),
  ].join("\n");
}

/** XML has no place for control characters and non-characters. The builder escapes the rest. */
const xmlText = (text: string): string =>
  text
    .split("\n")
    .map((line) => printableLine(line).replace(/[\ufffe\uffff]/g, "\ufffd"))
    .join("\n");
