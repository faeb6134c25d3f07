/**
 * The ways to a page of the site: by task, by resource, by data function and by command. A page may be in several groups, and each page is in one at
 * least, which `npm run docs` checks.
 */

/** @typedef {{ readonly text: string; readonly pages: readonly string[] }} Group */

/** @type {readonly Group[]} */
const tasks = [
  {
    text: "Start",
    pages: [
      ...["index", "installing", "configuration", "languages", "moving", "plugin", "examples"],
      ...["examples/quickstart", "examples/web-tier", "examples/component-package"],
    ],
  },
  { text: "Review a change", pages: ["report", "validation", "check", "guard", "ci"] },
  { text: "Find drift", pages: ["drift", "ownership", "accounts", "examples/accounts"] },
  {
    text: "Adopt an account",
    pages: [
      ...["examples/adopt", "import", "from-terraform", "examples/from-terraform", "examples/from-stack"],
      ...["names", "ownership"],
    ],
  },
  {
    text: "Manage zones",
    pages: [
      ...["resources/domain", "resources/domain-record", "resources/domain-record-set", "performance"],
      "examples/zone",
    ],
  },
  {
    text: "Run machines",
    pages: [
      ...["resources/node", "resources/node-backup-snapshot", "resources/image", "ready"],
      ...["examples/web-server", "examples/image-pipeline", "examples/blue-green"],
      "examples/restore",
    ],
  },
  {
    text: "Run databases",
    pages: [
      ...["resources/mysql-database", "resources/mysql-database-backup"],
      ...["resources/postgresql-database", "resources/postgresql-database-backup", "ready"],
      ...["examples/postgresql", "examples/restore", "examples/rotate"],
    ],
  },
  {
    text: "Run a fleet",
    pages: ["fleet", "ci", "accounts", "performance", "examples/automation", "examples/self-service"],
  },
  {
    text: "After a failure",
    pages: [
      ...["examples/killed", "interrupted-runs", "recover", "examples/restore"],
      ...["errors", "doctor", "logs", "reliability"],
    ],
  },
  { text: "Test a program", pages: ["testing", "emulator", "check"] },
];

const commands = ["command", "check", "drift", "import", "report", "doctor", "recover", "emulator"];

const reference = [
  ...["options", "names", "rules", "operations", "api-client", "examples/python", "examples/go"],
  "examples/yaml",
  ...["dependencies", "security", "changelog"],
];

/** The name of a page in a group, where its heading is too long or has another name. @type {Readonly<Record<string, string>>} */
const titles = {
  index: "Overview",
  "examples/quickstart": "An example: most kinds of resources",
  "examples/web-tier": "An example: a web tier",
  "examples/blue-green": "An example: blue and green",
  "examples/web-server": "An example: a web server",
  "examples/image-pipeline": "An example: an image pipeline",
  "examples/postgresql": "An example: PostgreSQL and a client",
  "examples/zone": "An example: a zone file",
  "examples/accounts": "An example: two accounts",
  "examples/automation": "An example: the Automation API",
  "examples/self-service": "An example: a self-service",
  "examples/component-package": "An example: a component package",
  "examples/adopt": "An example: adopt an account",
  "examples/from-terraform": "An example: from Terraform",
  "examples/from-stack": "An example: from the bridged provider",
  "examples/restore": "An example: restore",
  "examples/rotate": "An example: rotate secrets",
  "examples/killed": "An example: a killed run",
  "examples/python": "An example in Python",
  "examples/go": "An example in Go",
  "examples/yaml": "An example in YAML",
  resources: "All resources",
  functions: "All data functions",
};

/**
 * The navigation for the pages of the site.
 * @param {ReadonlyMap<string, string>} headings of the pages, by path.
 */
export function navigation(headings) {
  const paths = [...headings.keys()];
  const below = (/** @type {string} */ folder) =>
    paths.filter((path) => path.startsWith(`${folder}/`)).sort();
  const groups = [
    ...tasks,
    { text: "Resources", pages: ["resources", ...below("resources")] },
    { text: "Data functions", pages: ["functions", ...below("functions")] },
    { text: "Commands", pages: commands },
    { text: "Reference", pages: reference },
    { text: "Codes of messages", pages: ["errors", ...below("errors")] },
  ];
  const listed = groups.flatMap(({ pages }) => pages);
  const problems = [
    ...paths.filter((path) => !listed.includes(path)).map((path) => `no group has the page ${path}`),
    ...listed.filter((path) => !headings.has(path)).map((path) => `a group has ${path}, which is no page`),
  ];
  if (problems.length > 0)
    throw new Error(`${problems.join("\n")}\nscripts/site/navigation.mjs lists the pages of each group`);
  const item = (/** @type {string} */ path) => ({
    text: titles[path] ?? headings.get(path) ?? path,
    link: linkTo(path),
  });
  return {
    nav: [
      { text: "Start", link: "/" },
      { text: "Resources", link: linkTo("resources") },
      { text: "Functions", link: linkTo("functions") },
      { text: "Commands", link: linkTo("command") },
      { text: "Changes", link: linkTo("changelog") },
    ],
    sidebar: groups.map(({ text, pages }, index) => ({ text, collapsed: index > 0, items: pages.map(item) })),
  };
}

/** The link to a page, from the root of the site. @param {string} path */
export const linkTo = (path) => (path === "index" ? "/" : `/${path}`);
