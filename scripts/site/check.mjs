/** Checks of the built site. VitePress itself refuses a link to a page that is missing; this also checks the part after `#`, and that each page has a way to it. */
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * The links of the site that lead nowhere, and the pages to which no link of the start page leads.
 * @param {string} folder @param {string} [base]
 */
export function brokenLinks(folder, base = "/") {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll(sep, "/"))
    .filter((file) => file.endsWith(".html") && file !== "404.html");
  const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  const ids = new Map([...texts].map(([file, text]) => [file, idsIn(text)]));
  const links = new Map([...texts].map(([file, text]) => [file, linksIn(text, file, base)]));
  const broken = [...links].flatMap(([file, targets]) =>
    targets
      .filter(({ page, hash }) => ids.get(page) === undefined || (hash !== "" && !ids.get(page)?.has(hash)))
      .map(
        ({ page, hash }) => `${file} links to ${page}${hash === "" ? "" : `#${hash}`}, which does not exist`,
      ),
  );
  const reached = new Set(links.get("index.html")?.map(({ page }) => page));
  const hidden = files.filter((file) => file !== "index.html" && !reached.has(file));
  return [...new Set(broken), ...hidden.map((file) => `no link of the start page leads to ${file}`)];
}

/** @param {string} text */
const idsIn = (text) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));

/** The links to pages of the site. @param {string} text @param {string} file @param {string} base */
const linksIn = (text, file, base) =>
  [...text.matchAll(/<a\b[^>]* href="([^"]+)"/g)].flatMap(([, href = ""]) => {
    const url = new URL(href.replaceAll("&amp;", "&"), `http://site${base}${file}`);
    if (url.host !== "site" || /\.\w+$/.test(url.pathname.replace(/\.html$/, ""))) return [];
    const path = url.pathname.slice(base.length);
    return [{ page: path === "" ? "index.html" : path, hash: decodeURIComponent(url.hash.slice(1)) }];
  });
