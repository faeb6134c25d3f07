/** The links of the pages: between pages of the site, to files of the repository, and to pictures. */
import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { linkTo } from "./navigation.mjs";

const root = new URL("../../", import.meta.url);
const repository = "https://github.com/pulumi-nodecloud/pulumi-nodecloud";

/** The path in the site of a file of the repository, if it is a page. @param {string} file */
export function pageOf(file) {
  const [, doc] = /^docs\/(.*)\.md$/.exec(file) ?? [];
  const [, example] = /^examples\/([\w-]+)(?:\/README\.md)?$/.exec(file) ?? [];
  const own = { "README.md": "index", "CHANGELOG.md": "changelog", "SECURITY.md": "security" };
  if (example !== undefined && existsSync(new URL(`examples/${example}/README.md`, root)))
    return `examples/${example}`;
  return doc ?? Object.entries(own).find(([name]) => name === file)?.[1];
}

/** Code of a page, in which nothing is a link, or the target of a link or a picture. */
const CODE_OR_LINK = /(^ *```[^]*?^ *```$|`[^`\n]*`)|(\]\(|\b(?:src|srcset|href)=")([^)"\s]+)/gm;

/**
 * A page with the links of the site. A link to a missing file is an error.
 * @param {string} text @param {string} file of the page, from the root of the repository.
 * @param {(picture: string) => string} keep Keeps a picture of the repository for the site, and gives its path there.
 */
export function withLinks(text, file, keep) {
  return text.replace(CODE_OR_LINK, (whole, code, start, target) => {
    if (code !== undefined) return seeAlso(code);
    return start + targetOf(target, file, keep);
  });
}

/** Descriptions name pages of the package: `docs/ready.md`. @param {string} code */
function seeAlso(code) {
  const [, doc] = /^`(docs\/[\w-]+\.md)`$/.exec(code) ?? [];
  return doc !== undefined && existsSync(new URL(doc, root))
    ? `[${code}](${linkTo(pageOf(doc) ?? "")})`
    : code;
}

/** @param {string} target @param {string} file @param {(picture: string) => string} keep */
function targetOf(target, file, keep) {
  if (/^(https?:|mailto:|#|\/)/.test(target)) return target;
  const [path = "", hash] = target.split("#");
  const named = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, "");
  const url = new URL(named, root);
  if (!existsSync(url)) throw new Error(`${file} links to ${target}, which does not exist`);
  if (named.endsWith(".svg")) return keep(named);
  const page = pageOf(named);
  const suffix = hash === undefined ? "" : `#${hash}`;
  if (page !== undefined) return linkTo(page) + suffix;
  const kind = statSync(fileURLToPath(url)).isDirectory() ? "tree" : "blob";
  return `${repository}/${kind}/main/${named}${suffix}`;
}
