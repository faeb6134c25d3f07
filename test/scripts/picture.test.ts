import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
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

describe("a picture of resources", () => {
  const urn = (type: string, name: string) => `urn:pulumi:dev::shop::nodecloud:index:${type}::${name}`;
  const of = (type: string, name: string, more: object = {}) => ({
    ...{
      urn: urn(type, name),
      type: `nodecloud:index:${type}`,
      provider: "urn:pulumi:dev::shop::x::default::1",
    },
    ...more,
  });
  /** The rows of the picture of a state. */
  const rows = (...resources: object[]) => {
    const options = {
      cwd: root,
      encoding: "utf8",
      input: JSON.stringify({ deployment: { resources } }),
    } as const;
    const picture = execFileSync(process.execPath, ["scripts/picture/resources.mjs", "shop"], options);
    return /<title>The resources of shop: (.*)<\/title>/.exec(picture)?.[1]?.split("; ");
  };

  test("has each resource below those that it uses, and its provider only if the program made it", () => {
    const provider = { urn: urn("Provider", "dns"), type: "pulumi:providers:nodecloud" };
    const ownProvider = `${provider.urn}::7`;
    expect(
      rows(
        { urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", type: "pulumi:pulumi:Stack" },
        { urn: urn("Provider", "default_1_0_0"), type: "pulumi:providers:nodecloud" },
        of("DomainRecord", "a", { dependencies: [urn("Domain", "zone"), urn("Node", "web")] }),
        of("Domain", "zone", { provider: ownProvider }),
        of("Node", "web"),
        provider,
      ),
    ).toEqual(["dns (Provider)", "zone (Domain)", "web (Node)", "a (DomainRecord)"]);
  });

  test("has equal resources in one row, and the members of a component below it", () => {
    const parent = urn("Site", "shop");
    const nodes = ["web-4", "web-2", "web-1", "web-3"].map((name) => of("Node", name, { parent }));
    const dependencies = nodes.map((node) => node.urn);
    expect(rows(of("MysqlDatabase", "db", { parent, dependencies }), ...nodes, of("Site", "shop"))).toEqual([
      "shop (Site)",
      "web-1 … web-4 (4 × Node)",
      "db (MysqlDatabase)",
    ]);
  });

  test("has the number of records of a set", () => {
    const set = (name: string, records: unknown) => of("DomainRecordSet", name, { outputs: { records } });
    expect(
      rows(set("list", ["a", "b"]), set("text", "a 300 A 192.0.2.1\n"), set("map", { a: {}, b: {}, c: {} })),
    ).toEqual(["list (DomainRecordSet of 2)", "map (DomainRecordSet of 3)", "text (DomainRecordSet of 1)"]);
  });
});

test("the README of each example shows the picture of its resources", () => {
  const readmes = readdirSync(join(root, "examples"))
    .map((name) => ({ name, file: join(root, "examples", name, "README.md") }))
    .filter(({ file }) => existsSync(file));
  expect(readmes.length).toBeGreaterThan(15);
  const shows = (name: string, text: string) => text.includes(`](../../docs/pictures/${name}.svg)\n`);
  expect(readmes.filter(({ name, file }) => !shows(name, readFileSync(file, "utf8")))).toEqual([]);
});
