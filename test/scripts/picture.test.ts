import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./fakes";

/** What a program of scripts/picture/terminal.mjs prints as JSON. */
function drawn<Value>(code: string): Value {
  const program = `
    import { drawTerminal, screenOf, themes } from "./scripts/picture/terminal.mjs";
    console.log(JSON.stringify((() => {${code}})()));`;
  const options = { cwd: root, encoding: "utf8" } as const;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], options),
  ) as Value;
}

test("a picture shows the lines that a terminal shows at the end", () => {
  const printed =
    "\u001b]11;?\u001b\\one\r\nrunning\u001b[K\r\n\r\u001b[1Adone\u001b[K\r\n\u001b[?25hlast \r\n";
  expect(drawn(`return screenOf(${JSON.stringify(printed)});`)).toEqual(["one", "done", "last"]);
});

test("a picture has the colors of the terminal, escapes text, and breaks long lines at a space with their indentation", () => {
  const line = "  \u001b[38;5;3mwarning:\u001b[0m a < b";
  const picture = drawn<string>(`return drawTerminal([${JSON.stringify(line)}], 12, themes.light);`);
  const texts = [...picture.matchAll(/<text[^>]*>(.*)<\/text>/g)].map(([, text]) => text);
  expect(texts).toEqual(['  <tspan fill="#7d4e00">warning:</tspan> a', "  &lt; b"]);
});

test("the pictures of README.md show what the preview of its program warns of", () => {
  for (const theme of ["light", "dark"]) {
    const picture = readFileSync(join(root, `docs/pictures/preview-${theme}.svg`), "utf8");
    const text = picture
      .replace(/<\/text>\n/g, " ")
      .replace(/<[^>]*>/g, "")
      .replace(/\s+/g, " ");
    expect(text).toContain("$ pulumi preview");
    expect(text).toContain("MysqlDatabase shop: replacing it, because region changed");
    expect(text).toContain("the database's data and backups are lost");
  }
});
