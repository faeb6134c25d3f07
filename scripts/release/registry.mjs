import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** @param {string} path */
const read = (path) => readFileSync(join(root, path), "utf8");

const INSTALL = `- TypeScript and JavaScript: \`npm install pulumi-nodecloud @pulumi/pulumi\`
- Python: \`pip install pulumi_nodecloud\`
- Go: \`go get github.com/pulumi-nodecloud/pulumi-nodecloud/sdks/go/nodecloud\``;

const { description, homepage } = JSON.parse(read("package.json"));
const repository = String(homepage).replace(/#.*$/, "");

/** The text below a heading of a page. @param {string} path @param {string} heading */
export function sectionOf(path, heading) {
  const lines = read(path).split("\n");
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
  if (from < 0) throw new Error(`${path} has no heading "${heading}"`);
  const level = /^#+/.exec(lines[from] ?? "")?.[0].length ?? 0;
  const end = lines.findIndex((line, at) => at > from && new RegExp(`^#{1,${level}} `).test(line));
  return lines
    .slice(from + 1, end < 0 ? undefined : end)
    .join("\n")
    .trim();
}

/**
 * Links lead to the repository, except those to what is at hand: the Registry has only its pages.
 * @param {string} text
 * @param {string} from the folder of the page
 * @param {(path: string) => boolean} isHere
 */
export const linked = (text, from = "", isHere = () => false) =>
  text.replace(
    /(!\[[^\]]*|)\]\((?!https?:|#)([^)]+)\)/g,
    (link, /** @type {string} */ image, /** @type {string} */ to) => {
      const path = posix.join(from, to);
      if (isHere(path.replace(/#.*/, "").replace(/\/$/, ""))) return link;
      return `${image}](${repository}/${image === "" ? "blob" : "raw"}/main/${path})`;
    },
  );

/** @param {string} title @param {string} about @param {string} text */
const page = (title, about, text) =>
  `---\ntitle: ${title}\nmeta_desc: ${about}\nlayout: package\n---\n\n${text.trim()}\n`;

/** @param {[language: string, path: string][]} programs */
const chooser = (programs) =>
  [
    `{{< chooser language "${programs.map(([language]) => language).join(",")}" >}}`,
    ...programs.map(
      ([language, path]) =>
        `{{% choosable language ${language} %}}\n\n\`\`\`${language}\n${read(path).trim()}\n\`\`\`\n\n{{% /choosable %}}`,
    ),
    "{{< /chooser >}}",
  ].join("\n");

/** Writes what the Pulumi Registry shows of the package: the overview, the installation and the schema. @param {string} out */
export function writeRegistry(out) {
  const pages = {
    "_index.md": page(
      "Node cloud",
      `Provides an overview of the ${description.replace(/:.*/, "")}.`,
      `${description}\n\n## Example\n\n${chooser([
        ["typescript", "examples/quickstart/index.ts"],
        ["python", "examples/python/__main__.py"],
        ["go", "examples/go/main.go"],
      ])}`,
    ),
    "installation-configuration.md": page(
      "Node cloud Installation & Configuration",
      "Information on how to install the node cloud provider, and its settings.",
      `## Installation\n\n${INSTALL}\n\n${linked(sectionOf("docs/languages.md", "The plugin"), "docs/")}\n\n## Configuration\n\n${linked(sectionOf("docs/configuration.md", "Configuration"), "docs/")}`,
    ),
  };
  mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(out, name), text);
  cpSync(join(root, "schema.json"), join(out, "schema.json"));
  return Object.keys(pages);
}
