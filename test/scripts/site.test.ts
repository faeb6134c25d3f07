import { join } from "node:path";
import { parse } from "yaml";
import { fromSite, schema, siteExamples } from "../helpers/site-examples";
import { Sandbox, write } from "./fakes";

const HEADINGS = `
  const { pages: all } = pages(() => "");
  const headings = new Map(all.map(({ path, text }) => [path, headingOf(text)]));`;

test("each page of the site has a heading and a place in the navigation, and each link leads to a page or to a file of the repository", () => {
  const { headings, links } = fromSite<{ headings: [string, string][]; links: string[] }>(`${HEADINGS}
    const links = navigation(headings).sidebar.flatMap(({ items }) => items.map(({ link }) => link));
    return { headings: [...headings], links };`);
  expect(headings.length).toBeGreaterThan(70);
  expect(headings.filter(([, heading]) => heading === "")).toEqual([]);
  expect([...new Set(links)].sort()).toEqual(
    headings.map(([path]) => (path === "index" ? "/" : `/${path}`)).sort(),
  );
});

test("a page that no group of the navigation has is refused, and so is a group with a page that is missing", () => {
  expect(
    fromSite(`${HEADINGS}
      const without = new Map([...headings].filter(([path]) => path !== "drift"));
      return [new Map([...headings, ["lonely", "Lonely"]]), without].map((other) => complaint(() => navigation(other)));`),
  ).toEqual([
    expect.stringContaining("no group has the page lonely"),
    expect.stringContaining("a group has drift, which is no page"),
  ]);
});

test("links lead to pages of the site, and to the repository where the site has no page; a link to nothing is refused", () => {
  const cases: readonly (readonly [text: string, linked: string])[] = [
    [
      "[a](report.md#rules), [b](../README.md), [c](https://example.org), [d](#here)",
      "[a](/report#rules), [b](/), [c](https://example.org), [d](#here)",
    ],
    [
      "[a](../examples/web-tier/README.md), [b](../examples/web-tier)",
      "[a](/examples/web-tier), [b](/examples/web-tier)",
    ],
    [
      "[a](../src/index.ts) and `[b](nothing.md)`, `docs/ready.md`",
      "[a](https://github.com/pulumi-nodecloud/pulumi-nodecloud/blob/main/src/index.ts) and `[b](nothing.md)`, [`docs/ready.md`](/ready)",
    ],
    ["![plot](performance/growth.svg)", "![plot](/pictures/docs/performance/growth.svg)"],
    ["[a](nothing.md)", "docs/drift.md links to nothing.md, which does not exist"],
  ];
  const linked = fromSite<string[]>(`
    return ${JSON.stringify(cases.map(([text]) => text))}.map((text) => {
      const link = () => withLinks(text, "docs/drift.md", (picture) => "/pictures/" + picture);
      return complaint(link) || link();
    });`);
  expect(linked).toEqual(cases.map(([, expected]) => expected));
});

test("the built site is refused if a link leads to a missing heading, or if no link of the start page leads to a page", async () => {
  const sandbox = new Sandbox();
  const file = (name: string, text: string) => write(join(sandbox.directory, name), text);
  try {
    file("index.html", '<a href="/a.html">a</a><a href="/a.html#one">one</a>');
    file("a.html", '<h2 id="one">One</h2><a href="/a.html#two">two</a><a href="/">start</a>');
    file("b/c.html", '<a href="../index.html">start</a>');
    expect(fromSite(`return brokenLinks(${JSON.stringify(sandbox.directory)});`)).toEqual([
      "a.html links to a.html#two, which does not exist",
      "no link of the start page leads to b/c.html",
    ]);
  } finally {
    await sandbox.remove();
  }
});

test("the examples in YAML set the inputs that the schema requires, and no others", () => {
  interface Program {
    readonly resources?: Readonly<Record<string, { type: string; properties: object }>>;
    readonly variables?: Readonly<Record<string, { "fn::invoke": { function: string; arguments: object } }>>;
  }
  const examples = siteExamples("YAML").map(([page, code]) => [page, code, parse(code) as Program] as const);
  const token = (type: string) => type.replace(":", ":index:");
  const used = examples.flatMap(([page, , { resources = {}, variables = {} }]) => [
    ...Object.values(resources).map(({ type, properties }) => {
      const { inputProperties = {}, requiredInputs = [] } = schema.resources[token(type)] ?? {};
      return { page, set: properties, known: inputProperties, required: requiredInputs };
    }),
    ...Object.values(variables).map(({ "fn::invoke": call }) => {
      const { properties = {}, required = [] } = schema.functions[token(call.function)]?.inputs ?? {};
      return { page, set: call.arguments, known: properties, required };
    }),
  ]);
  expect(used.length).toBeGreaterThanOrEqual(examples.length);
  for (const { page, set, known, required } of used) {
    expect([page, Object.keys(set).filter((name) => !(name in known))]).toEqual([page, []]);
    expect([page, required.filter((name) => !(name in set))]).toEqual([page, []]);
  }
  for (const [page, code, { resources, variables }] of examples) {
    const names = [...code.matchAll(/\$\{([\w-]+)\./g)].map(([, name = ""]) => name);
    expect([page, names.filter((name) => !(name in { ...resources, ...variables }))]).toEqual([page, []]);
  }
});

test("an example that cannot be written in each language is refused, and so is an input that the schema lacks", () => {
  const refused = (text: string) =>
    fromSite(`return complaint(() => examplesOf(${JSON.stringify(text)}, schema));`);
  expect(refused('new nodecloud.Domain("zone", { domain: `a${1}` });')).toMatch(
    /^an example has "`a\$\{1\}`"/,
  );
  expect(refused('new nodecloud.Domain("zone", { domian: "a" });')).toBe(
    "an example sets Domain.domian, which the schema lacks",
  );
  expect(refused('new nodecloud.Domain("zone", { type: "mastr" });')).toMatch(/not one of DomainType/);
});
