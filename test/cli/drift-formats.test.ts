import { readFileSync } from "node:fs";
import Ajv from "ajv";
import type { Log } from "sarif";
import { type Drift } from "../../src/cli/drift/findings";
import { FORMATS, type DriftFormat } from "../../src/cli/drift/formats";
import { reportOf } from "../../src/cli/drift/report";
import { coloursFor } from "../../src/cli/terminal";
import { ACCOUNT, HIDDEN, clean, drift, prod, shared, staging } from "../helpers/drift";

const FORMAT_NAMES = Object.keys(FORMATS) as DriftFormat[];

/** A report of a comparison, in a terminal if it has a width. */
function shown(
  format: DriftFormat,
  found: Drift = drift,
  width?: number,
  parts?: Parameters<typeof reportOf>[1],
) {
  const terminal = { isTTY: width !== undefined } as NodeJS.WriteStream;
  const context = { environment: {} } as Parameters<typeof coloursFor>[0];
  return FORMATS[format](reportOf(found, parts), { colours: coloursFor(context, terminal), width });
}

// eslint-disable-next-line no-control-regex
const COLOURS = /\u001b\[\d+m/g;

const UNSAFE = /[^\P{C}\n]|[\u2028\u2029]/u;

describe.each(FORMAT_NAMES)("the format %s", (format) => {
  test("shows no secret", () => {
    expect(shown(format)).toContain("rootPass");
    expect(shown(format)).not.toContain(HIDDEN);
    expect(shown(format, drift, 100)).not.toContain(HIDDEN);
  });

  test("has no character that controls a terminal, however the label of an object is", () => {
    expect(shown(format)).not.toMatch(UNSAFE);
    expect(shown(format, drift, 60).replace(COLOURS, "")).not.toMatch(UNSAFE);
  });

  test("names each finding, the stack, the URN, the line and the note", () => {
    const text = shown(format).replaceAll("&#58;", ":").replaceAll("&#40;", "(");
    for (const part of ["alerts.cpu", "www A 192.0.2.9", "bastion", "1/22", prod.name, "other providers"])
      expect(text).toContain(part);
    expect(text).toContain("urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:DomainRecord::www");
    expect(text.replace(/\s+/g, " ")).toMatch(/shop\/index\.ts(:12\b|".{1,80}[lL]ine": 12\b|" line="12")/);
  });

  test.each([undefined, 200])("names all resources that manage a shared object (width %s)", (width) => {
    const text = shown(format, shared, width).replaceAll("&#58;", ":");
    expect(text).toContain(prod.name);
    expect(text).toContain(staging.name);
    expect(text).toContain("urn:pulumi:staging::shop::pulumi-nodejs:dynamic/nodecloud:Node::app");
  });

  test("shows a gap, and looks different from one without findings", () => {
    const text = shown(format, { ...clean, gaps: drift.gaps })
      .replaceAll("&#58;", ":")
      .replaceAll("&#95;", "_");
    expect(text).toContain("images:read_only");
    expect(text).not.toMatch(/^.*no drift;/m);
  });

  test("is the same for the same findings in another order", () => {
    const { stacks, findings, coverage, gaps, notes } = drift;
    const turned = {
      stacks: stacks.toReversed(),
      findings: findings.toReversed(),
      coverage: coverage.toReversed(),
    };
    expect(shown(format, { ...turned, gaps, notes })).toBe(shown(format));
  });

  test("counts an ignored object apart and does not show it as a finding", () => {
    const object = drift.findings.find(({ id }) => id === "9");
    if (object?.kind !== "unmanaged") throw new Error("the comparison has no object 9");
    const text = shown(format, drift, undefined, { ignored: [{ object, reason: "the jump host" }] });
    expect(text).toMatch(/1 ignored|"ignored": 1/);
    expect(text).not.toMatch(/unmanaged.*bastion/);
  });
});

describe("the table", () => {
  test("fits into the terminal, but for URNs, places and the last line", () => {
    const lines = shown("table", drift, 60).replace(COLOURS, "").split("\n").slice(0, -1);
    const wide = lines.filter((line) => line.length > 60 && !/urn:|index\.ts|looks? at|scope/.test(line));
    expect(wide).toEqual([]);
    expect(lines.join("\n")).toContain("\u001b".slice(1) + "alerts.cpu");
  });

  test("has colours in a terminal only", () => {
    expect(shown("table", drift, 80)).toContain("\u001b[31m1 deleted\u001b[39m");
    expect(shown("table")).not.toContain("\u001b");
  });

  test("has a line with all columns for each property without a terminal", () => {
    const [head = "", ...lines] = shown("table").split("\n");
    const start = head.indexOf("property");
    const line = lines.find((one) => one.startsWith("alerts.cpu", start));
    expect(line?.split(/ {2,}/).filter(Boolean)).toEqual([
      ...["changed", prod.name, "Node", "7", "web", "alerts.cpu", "90", "80", "shop/index.ts:12:3"],
      "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:Node::web",
    ]);
  });

  test("has one head, and the same columns in hundreds of lines", () => {
    const [, node] = drift.findings;
    if (node?.kind !== "unmanaged") throw new Error("the second finding is managed");
    const findings = Array.from({ length: 300 }, (_, index) => ({ ...node, id: String(index) }));
    const [head = "", ...lines] = shown("table", { ...clean, findings }).split("\n");
    const start = head.indexOf("id ");
    const ids = lines.slice(0, 300).map((line) => line.slice(start).split(" ")[0]);
    expect(ids).toEqual(findings.map(({ id }) => id));
    expect(lines.slice(300)).toEqual([
      "",
      "0 changed, 0 deleted, 0 shared, 300 unmanaged; coverage 100 % (0 of 0 objects)",
    ]);
  });

  test("has objects without a label before the others of their type", () => {
    const node = { kind: "unmanaged", type: "Node", account: ACCOUNT } as const;
    const findings = [
      { ...node, id: "7", label: "bastion" },
      { ...node, id: "8" },
    ];
    const [, first, second] = shown("table", { ...clean, findings }).split("\n");
    expect([first, second]).toEqual([expect.stringContaining(" 8 "), expect.stringContaining("bastion")]);
  });

  test("says in one line that there is no drift", () => {
    expect(shown("table", clean)).toBe("no drift; coverage 100 % (0 of 0 objects)");
  });

  test("shows the findings of stacks with one name in two projects once", () => {
    const [finding] = drift.findings.filter(({ kind }) => kind === "deleted");
    if (finding?.kind !== "deleted") throw new Error("nothing is deleted");
    const other = { ...prod, project: "blog", directory: "blog" };
    const found = { ...clean, stacks: [prod, other], findings: [finding] };
    expect(shown("table", found, 80).match(/DomainRecord www/g)).toHaveLength(1);
  });
});

describe("the coverage", () => {
  test("is not in the summary if nothing could be looked at", () => {
    expect(shown("table", { ...clean, gaps: drift.gaps })).toMatch(
      /no drift in what could be looked at; INCOMPLETE: 1 part could not be looked at$/,
    );
  });

  test("is a percentage of all objects, rounded down", () => {
    const coverage = [{ account: ACCOUNT, type: "Node", objects: 10_000, managed: 9_999 }];
    expect(shown("table", { ...clean, coverage })).toContain("coverage 99.9 % (9999 of 10000 objects)");
  });

  test("is given for each type and in total", () => {
    const lines = shown("table")
      .split("\n")
      .map((line) => line.split(/ {2,}/).filter(Boolean));
    expect(lines).toContainEqual([ACCOUNT, "Node", "3", "1", "0", "33.3 %"]);
    expect(lines).toContainEqual([ACCOUNT, "Image", "0", "0", "0", "100 %"]);
    expect(lines).toContainEqual(["all", "6", "4", "0", "66.6 %"]);
  });
});

describe("Markdown", () => {
  test("starts with the counts", () => {
    expect(shown("markdown").split("\n")[0]).toBe(
      "**Drift: 2 changed, 1 deleted, 0 shared, 2 unmanaged; coverage 66.6 % (4 of 6 objects); INCOMPLETE: 1 part could not be looked at**",
    );
  });

  test("has nothing of an account outside code, and no markup in it", () => {
    const text = shown("markdown");
    const inCode = [...text.matchAll(/<code>(.*?)<\/code>/gs)].map(([, inner = ""]) => inner);
    expect(inCode.some((inner) => inner.includes("octocat"))).toBe(true);
    for (const inner of inCode) expect(inner.replace(/&#\d+;/g, "")).toMatch(/^[\p{L}\p{N} .,/+-]*$/u);
    const outside = text.replace(/<code>.*?<\/code>/gs, "");
    for (const part of ["octocat", "evil", "details", "192.0.2", "images"])
      expect(outside).not.toContain(part);
  });

  test("has tables whose rows have as many cells as the head", () => {
    const rows = shown("markdown")
      .split("\n")
      .filter((line) => line.startsWith("|"));
    const cells = rows.map((row) => row.split("|").length);
    expect(rows.length).toBeGreaterThan(10);
    for (const [index, row] of rows.entries())
      if (row.startsWith("| ---")) expect(cells[index]).toBe(cells[index - 1]);
    expect(rows.filter((row) => row.includes("octocat")).map((row) => row.split("|").length)).toEqual([7, 6]);
  });

  test("fits into a comment, and says how many findings do not", () => {
    const [, node] = drift.findings;
    if (node?.kind !== "unmanaged") throw new Error("the second finding is managed");
    const findings = Array.from({ length: 3000 }, (_, index) => ({ ...node, id: String(index) }));
    const text = shown("markdown", { ...drift, findings });
    expect(text.length).toBeLessThan(65_536);
    const rows = text.match(/\| Node \| <code>\d+<\/code>/g)?.length ?? 0;
    expect(text).toContain(`**${3000 - rows} more findings do not fit here.**`);
    expect(text).toContain("images&#58;read");
  });

  test("shows a changed resource without a known difference", () => {
    const findings = drift.findings.map((one) =>
      one.kind === "changed" ? { ...one, properties: [], members: [] } : one,
    );
    expect(shown("markdown", { ...drift, findings })).toContain("Node web");
  });
});

describe("JSON", () => {
  test("has the documented form", () => {
    const parsed = JSON.parse(shown("json")) as Record<string, unknown> & { findings: object[] };
    expect(Object.keys(parsed)).toEqual([
      "version",
      "complete",
      "counts",
      "coverage",
      "stacks",
      "findings",
      "ignored",
      "gaps",
      "notes",
    ]);
    expect(parsed).toMatchObject({
      version: 1,
      complete: false,
      counts: { changed: 2, deleted: 1, shared: 0, unmanaged: 2, ignored: 0, gaps: 1 },
      coverage: { objects: 6, managed: 4, ignored: 0, percent: 66.6 },
    });
    expect(parsed.findings[1]).toEqual({
      kind: "changed",
      type: "Node",
      id: "7",
      label: "web",
      account: ACCOUNT,
      stack: prod,
      urn: "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:Node::web",
      source: { file: "shop/index.ts", line: 12, column: 3 },
      properties: [
        { path: "alerts.cpu", expected: 90, live: 80 },
        { path: "label", expected: "web", live: expect.stringContaining("\u001b[31m") as string },
        { path: "rootPass", secret: true },
        { path: "group", live: "" },
      ],
    });
  });
});

describe("SARIF", () => {
  const schemaFile = require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
  // The schema uses draft 4 of JSON Schema, and only what the later drafts understand in the same way.
  const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as Record<string, unknown>;
  delete schema["id"];
  delete schema["$schema"];
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
  const logOf = (found: Drift = drift) => JSON.parse(shown("sarif", found)) as Log;
  const resultsOf = (found?: Drift) => logOf(found).runs[0]?.results ?? [];

  test.each([
    ["findings and gaps", drift],
    ["nothing", clean],
    [
      "no stack",
      { ...drift, stacks: [], findings: drift.findings.filter(({ kind }) => kind === "unmanaged") },
    ],
  ])("is valid with %s", (_, found) => {
    validate(logOf(found));
    expect(validate.errors).toBeNull();
    validate({ ...logOf(found), version: "2.0.0" });
    expect(validate.errors).toHaveLength(1);
  });

  test("has a result for each property at the line of the program", () => {
    const [result] = resultsOf().filter(({ message }) => message.text?.includes("alerts.cpu"));
    expect(result).toMatchObject({
      ruleId: "nodecloud/changed",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "shop/index.ts" },
            region: { startLine: 12, startColumn: 3 },
          },
        },
      ],
    });
    expect(resultsOf()).toHaveLength(4 + 3 + 1 + 2);
  });

  test("has unmanaged objects, and resources without a line, at the file of the project", () => {
    const uris = resultsOf()
      .filter(({ ruleId }) => ruleId !== "nodecloud/changed")
      .map(({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation?.uri);
    expect(uris).toEqual(["shop/Pulumi.yaml", "shop/Pulumi.yaml", "shop/Pulumi.yaml"]);
  });

  test("has fingerprints that differ, and that stay if the line and the live value change", () => {
    const moved = drift.findings.map((one) =>
      one.kind === "changed"
        ? {
            ...one,
            properties: one.properties.map((property) => ({ ...property, live: 70 })),
            resource: { ...one.resource, source: { file: "shop/web.ts", line: 99 } },
          }
        : one,
    );
    const prints = (found?: Drift) =>
      resultsOf(found).map(({ partialFingerprints }) => partialFingerprints?.["primaryLocationLineHash"]);
    expect(new Set(prints()).size).toBe(10);
    expect(prints({ ...drift, findings: moved })).toEqual(prints());
  });

  test("has no links and no places for arguments from labels", () => {
    const text = resultsOf().find(({ message }) => message.text?.includes("octocat"))?.message.text ?? "";
    expect(text).toContain("\\[l\\](http");
    expect(text.replaceAll("{{", "").replaceAll("}}", "")).not.toMatch(/[{}]|(?<!\\)\[/);
  });

  test("says that the run failed if there is a gap", () => {
    const [invocation] = logOf().runs[0]?.invocations ?? [];
    expect(invocation?.executionSuccessful).toBe(false);
    expect(invocation?.toolExecutionNotifications?.[0]).toMatchObject({ level: "error" });
    expect(logOf(clean).runs[0]?.invocations?.[0]?.executionSuccessful).toBe(true);
  });
});

describe("JUnit", () => {
  const ENTITY = "&(?:amp|lt|gt|quot|apos);";
  const TAG = `<[?/]?[\\w-]+(?: [\\w-]+="(?:[^"<&]|${ENTITY})*")*[?/]?>`;

  test("is XML in which labels are text", () => {
    expect(shown("junit").replace(new RegExp(`${TAG}|${ENTITY}`, "g"), "")).not.toMatch(/[<>&]/);
  });

  test("has a failure for each finding, an error for a gap, and a test that passes for a stack without findings", () => {
    const text = shown("junit");
    expect(text).toContain(
      '<testsuites name="nodecloud drift" tests="7" failures="5" errors="1" skipped="0">',
    );
    expect(text.match(/<failure /g)).toHaveLength(5);
    expect(text).toMatch(/<testsuite name="organization\/shop\/staging \(shop\)" tests="1" failures="0"/);
    expect(text).toContain('<testsuite name="not looked at" tests="1" failures="0" errors="1" skipped="0">');
  });

  test("has the notes as its output, and none if there is no note", () => {
    expect(shown("junit")).toContain("<system-out>");
    expect(shown("junit", clean)).not.toContain("<system-out>");
  });

  test("skips a finding of a kind that does not fail", () => {
    const text = shown("junit", drift, undefined, { failOn: ["deleted"] });
    expect(text).toContain('tests="7" failures="1" errors="1" skipped="4"');
  });
});
