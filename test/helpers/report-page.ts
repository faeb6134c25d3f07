import { createHash } from "node:crypto";

/** An entry of a report as HTML: what its filters select by, and its text. */
export interface PageItem {
  readonly kind: string;
  readonly type: string;
  readonly stack: string;
  readonly text: string;
}

const unescaped = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

const textOf = (markup: string): string =>
  unescaped(markup.replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();

/** The parts of a page: its head, its style, its body without the script, and the script. */
export function partsOf(page: string) {
  const [, head = "", style = "", body = "", script = ""] =
    /^(.*)<style>(.*)<\/style>(.*)<script type="module">(.*)<\/script>/s.exec(page) ?? [];
  return { head, style, body, script };
}

/** The entries of a report in their order. */
export const itemsIn = (page: string): PageItem[] =>
  partsOf(page)
    .body.split(/(?=<(?:div|details|section)\b)/)
    .reduce<string[]>((parts, part) => {
      if (/^<\w+\s+class="item/.test(part)) return [...parts, part];
      if (/^<(?:section|details)/.test(part) || parts.length === 0) return [...parts, ""];
      return parts.with(-1, `${parts.at(-1) ?? ""}${parts.at(-1) === "" ? "" : part}`);
    }, [])
    .filter((part) => part !== "")
    .map((part) => {
      const fact = (name: string) => unescaped(new RegExp(`data-${name}="([^"]*)"`).exec(part)?.[1] ?? "");
      return { kind: fact("kind"), type: fact("type"), stack: fact("stack"), text: textOf(part) };
    });

/** Checks that a page loads nothing, and runs only its own script. */
export function expectSelfContained(page: string): void {
  const { head, style, body, script } = partsOf(page);
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(head) ?? [];
  expect(unescaped(policy)).toBe(
    `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`,
  );
  expect(style + script).not.toMatch(/url\(|@import|https?:|<\//);
  const tags = (head + body).replace(/="[^"]*"/g, '=""').match(/<[^>]*>/g) ?? [];
  for (const tag of tags)
    expect(tag).not.toMatch(/^<(?:link|script|img|iframe|object|base)\b|\s(?:src|href|style|on\w+)=/i);
}
