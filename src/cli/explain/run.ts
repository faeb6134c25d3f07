import { readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { CODES, shortCode } from "../../provider/base/codes";
import { type Context } from "../context";
import { nearestName } from "../../provider/base/nearest-name";
import { EXIT, type ExitCode, usageError } from "../errors";
import { coloursFor } from "../terminal";

const PAGES = join(__dirname, "../../../docs/errors");

/** Prints the page of a code, or lists all codes. */
export function runExplain(context: Context, wanted: string | undefined): Promise<ExitCode> {
  const codes = CODES.map(shortCode);
  context.stdout.write(wanted === undefined ? list(codes) : page(codeIn(wanted, codes), context));
  return Promise.resolve(EXIT.none);
}

/** The code that a user writes: `NC1301`, `nc1301`, `1301` or `[NC1301]`. */
function codeIn(wanted: string, codes: readonly string[]): string {
  const text = wanted.replace(/^\[|\]$/g, "").toUpperCase();
  const code = /^\d+$/.test(text) ? `NC${text}` : text;
  if (codes.includes(code)) return code;
  const meant = nearestName(code, codes);
  const hint = meant === undefined ? "`nodecloud explain` lists all codes" : `did you mean ${meant}?`;
  throw usageError(`explain: unknown code ${JSON.stringify(wanted)}; ${hint}`);
}

const textOf = (code: string): string => readFileSync(join(PAGES, `${code}.md`), "utf8");

const list = (codes: readonly string[]): string =>
  codes.map((code) => `${(/^# (\S+): (.+)$/m.exec(textOf(code)) ?? []).slice(1).join("  ")}\n`).join("");

/** A page for a terminal: examples are indented, and links name the file of the page. */
function page(code: string, context: Context): string {
  const { bold } = coloursFor(context, context.stdout);
  const fileOf = (link: string): string => {
    const file = join(PAGES, link.replace(/#.*/, ""));
    const near = relative(context.directory, file);
    return near.startsWith("..") || isAbsolute(near) ? file : near;
  };
  return textOf(code)
    .replace(/^# (.+)$/m, (_, title: string) => bold(title))
    .replace(/^```\w*\n(.*?)^```\n/gms, (_, example: string) => example.replace(/^(?=.)/gm, "    "))
    .replace(/\[([^\]]+)\]\(([^):]+)\)/g, (_, text: string, link: string) => `${text} (${fileOf(link)})`);
}
