import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CODES, shortCode } from "../../src/provider/base/codes";
import { nodecloud } from "../helpers/command-line";

const ROOT = join(__dirname, "../..");
const codes = CODES.map(shortCode);
const explained = async (...args: string[]) => {
  const { code, stdout, stderr } = await nodecloud(["explain", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};

describe("nodecloud explain", () => {
  test("prints the page of a code: the problem, an example, what to do, and where to read on", async () => {
    const page = await explained("NC1301");
    expect(page).toMatch(/^NC1301: The name is taken\n\n {4}label "web" is taken by the Node 12\. /);
    expect(page).toMatch(/^- To manage the existing object, /m);
    expect(page).toMatch(/^See names \(docs\/names\.md\) and import \(docs\/import\.md\)\.$/m);
  });

  test("names files that can be opened from another folder", async () => {
    for (const code of codes) {
      const { stdout } = await nodecloud(["explain", code], { directory: tmpdir() });
      const files = [...stdout.matchAll(/ \(([^)]+\.md)\)/g)].map(([, file = ""]) => resolve(tmpdir(), file));
      expect([code, files.length > 0 && files.every((file) => existsSync(file))]).toEqual([code, true]);
    }
  });

  test.each(["nc1301", "1301", "[NC1301]"])("takes %s too", async (code) => {
    expect(await explained(code)).toBe(await explained("NC1301"));
  });

  test("lists all codes with their problems", async () => {
    const lines = (await explained()).trimEnd().split("\n");
    expect(lines.map((line) => line.slice(0, 6))).toEqual(codes);
    expect(lines).toContain("NC1301  The name is taken");
  });

  test.each([
    ["1399", "did you mean NC1309?"],
    ["timeout", "`nodecloud explain` lists all codes"],
  ])("says of %s, which does not exist, what to do", async (wanted, hint) => {
    const stderr = `error: explain: unknown code "${wanted}"; ${hint} [NC2002]\n`;
    expect(await nodecloud(["explain", wanted])).toEqual({ code: 1, stdout: "", stderr });
  });
});

describe("the pages of the codes", () => {
  const pages = readdirSync(join(ROOT, "docs/errors"));

  test("are one for each code, and none for anything else", () => {
    expect(pages.sort()).toEqual(codes.map((code) => `${code}.md`).sort());
  });

  test.each(pages)("%s says what happened, what to do, and where to read on, in a few lines", (file) => {
    const page = readFileSync(join(ROOT, "docs/errors", file), "utf8");
    const [heading = "", empty, begin, example, end] = page.split("\n");
    expect(heading).toMatch(new RegExp(`^# ${file.replace(".md", "")}: [A-Z][^:]*[^.]$`));
    expect([empty, begin, end]).toEqual(["", "```text", "```"]);
    expect(example).not.toContain("[NC");
    expect(page).toMatch(/^- .+\.$/m);
    expect(page).toMatch(/^See \[.+\]\(\.\.\/.+\)\.\n$/m);
    expect(page.split("\n").length).toBeLessThan(22);
  });

  test("leave no code out that no message has", () => {
    const files = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.name.endsWith(".ts") && entry.name !== "codes.ts",
    );
    const source = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")).join("\n");
    expect(CODES.filter((code) => !source.includes(`"${code}"`) && !source.includes(` ${code}: "`))).toEqual(
      [],
    );
  });

  test("are named in the table of the codes of the client", () => {
    const page = readFileSync(join(ROOT, "docs/errors.md"), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` .* \[(NC\d+)\]\(errors\/\2\.md\) \|$/gm)];
    expect(rows.length).toBeGreaterThan(15);
    for (const [, code, short] of rows) expect(short).toBe(shortCode(code as (typeof CODES)[number]));
  });
});
