import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FORMATS } from "../../src/cli/drift/formats";
import { differencesOf, titleOf } from "../../src/cli/drift/formats/text";
import { reportOf } from "../../src/cli/drift/report";
import { coloursFor } from "../../src/cli/terminal";
import { nodecloud } from "../helpers/command-line";
import { drift, HIDDEN, shared } from "../helpers/drift";
import { expectSelfContained, itemsIn, partsOf } from "../helpers/report-page";

const directory = join(__dirname, "fixtures/report");
const PLANTED = `</script></style><script>alert(1)</script><img src=x onerror='alert("2")'>\u2028\u2029\u202e&lt;`;

/** A text as it is in a page: escaped for a terminal, and on one line. */
const flat = (text: string) => text.replace(/\s+/g, " ").trim();

describe("nodecloud drift --format html", () => {
  const found = { ...drift, findings: [...drift.findings, ...shared.findings] };
  const colours = coloursFor({ environment: {} } as never, {} as never);
  const shown = (format: "html" | "json", of = found) => FORMATS[format](reportOf(of), { colours });

  test("has the findings of the other formats, in the same order", () => {
    const { findings } = JSON.parse(shown("json")) as { findings: typeof found.findings };
    const items = itemsIn(shown("html"));
    expect(items.map(({ kind, type, stack }) => ({ kind, type, stack }))).toEqual(
      findings.map(({ kind, type, account, ...rest }) => ({
        ...{ kind, type },
        stack: (rest as { stack?: { name: string } }).stack?.name ?? account,
      })),
    );
    reportOf(found).findings.forEach((finding, index) => {
      const { text = "" } = items[index] ?? {};
      expect(text).toContain(flat(titleOf(finding)));
      if (finding.resource !== undefined) expect(text).toContain(finding.resource.urn);
      for (const other of finding.others ?? []) expect(text).toContain(other.urn);
      for (const { property, expected, live } of differencesOf(finding))
        expect(text).toContain(flat(`${property} ${expected} ${live}`));
    });
  });

  test("has the gaps, the notes and the coverage", () => {
    const { body } = partsOf(shown("html"));
    expect(body).toMatch(/Not looked at: the images of .*images:read_only/);
    expect(body).toContain("2 resources of other providers were left out");
    expect(body).toContain("33.3 %");
  });

  test("shows planted words as text, and no secret", () => {
    const [finding] = shared.findings;
    if (finding?.kind !== "shared") throw new Error("no shared object");
    const resource = { ...finding.resource, urn: `${finding.resource.urn}${PLANTED}` };
    const stack = { ...finding.resource.stack, name: PLANTED };
    const page = shown("html", {
      ...found,
      stacks: [stack],
      findings: [
        ...drift.findings.filter(({ kind }) => kind === "changed"),
        { ...finding, id: PLANTED, label: PLANTED, resource: { ...resource, stack }, others: [resource] },
      ],
      gaps: [{ what: PLANTED, reason: PLANTED }],
      notes: [PLANTED],
    });
    expectSelfContained(page);
    expect(page).not.toMatch(/[\u2028\u2029\u202e]/);
    expect(page).not.toContain(HIDDEN);
    expect(itemsIn(page).map(({ stack: name }) => name)).toContain(
      PLANTED.replace(/[\u2028\u2029]+/g, " ").replace("\u202e", "\\u202e"),
    );
  });
});

describe("nodecloud report --format html", () => {
  const report = (args: readonly string[], options: Parameters<typeof nodecloud>[1] = {}) =>
    nodecloud(["report", ...args], { directory, ...options });

  interface Changes {
    readonly stacks: readonly {
      readonly stack: string;
      readonly changes: readonly {
        readonly type: string;
        readonly name: string;
        readonly urn: string;
        readonly section: string;
      }[];
    }[];
  }

  test.each([[["change.json"]], [["change.json", "failed.ndjson"]]])(
    "has the changes of the other formats: %s",
    async (files) => {
      const [json, page] = await Promise.all(
        ["json", "html"].map((format) => report([...files, "--format", format])),
      );
      const changes = (JSON.parse(json?.stdout ?? "") as Changes).stacks.flatMap(({ stack, changes: own }) =>
        own.map((change) => ({ ...change, stack })),
      );
      const items = itemsIn(page?.stdout ?? "");
      const keysOf = (all: readonly { type: string; stack: string }[]) =>
        all.map(({ type, stack }) => `${stack} ${type}`).sort();
      expect(keysOf(items)).toEqual(keysOf(changes));
      for (const { type, name, urn } of changes)
        expect(
          items.filter(({ text }) => text.includes(`${type} ${name} `) && text.includes(urn)),
        ).not.toEqual([]);
      expect(new Set(items.map(({ kind }) => kind)).size).toBe(
        new Set(changes.map(({ section }) => section)).size,
      );
      expectSelfContained(page?.stdout ?? "");
    },
  );

  test("has what the text format says of each change, with old and new values", async () => {
    const [text, page] = await Promise.all(
      ["text", "html"].map((format) => report(["change.json", "--format", format])),
    );
    const items = itemsIn(page?.stdout ?? "")
      .map((item) => item.text)
      .join("\n");
    for (const line of (text?.stdout ?? "").split("\n").filter((one) => one.startsWith("  ")))
      expect(items).toContain(flat(line));
  });

  test("begins with what is incomplete, denied and allowed", async () => {
    const args = [
      "change.json",
      "--format",
      "html",
      "--deny",
      "data-loss",
      "--allow",
      "data-loss:MysqlDatabase:db",
    ];
    const { code, stdout } = await report(args);
    expect(code).toBe(2);
    expect(stdout).toContain('<li class="bad">Denied by --deny: data-loss Node old</li>');
    expect(stdout).toContain('<li class="good">Allowed: data-loss MysqlDatabase db (by --allow)</li>');
    const failed = await report(["failed.json", "--format", "html"]);
    expect(failed.stdout).toMatch(
      /Incomplete: program\/test: the command failed.*soaEmail must be an email address/,
    );
  });

  test("shows planted words as text, and no secret", async () => {
    const preview = readFileSync(join(directory, "change.json"), "utf8")
      .replaceAll('"c"', JSON.stringify(PLANTED))
      .replaceAll("::fresh", `::${JSON.stringify(PLANTED).slice(1, -1)}`)
      .replaceAll("b@example.org", "hunter2-token@example.org");
    const environment = { NODECLOUD_TOKEN: "hunter2-token" };
    const { stdout } = await report(["-", "--format", "html", "--title", PLANTED], {
      input: preview,
      environment,
    });
    expectSelfContained(stdout);
    expect(stdout).toContain("&lt;/script&gt;&lt;/style&gt;");
    expect(stdout).not.toMatch(/[\u2028\u2029\u202e]|hunter2/);
    expect(stdout).toContain("[secret]@example.org");
  });

  test("says that there are no changes", async () => {
    const { stdout } = await report(["empty.json", "--format", "html"]);
    expect(partsOf(stdout).body).toContain("<p>no changes</p>");
    expect(itemsIn(stdout)).toEqual([]);
  });
});
