import { type Result } from "./parts";

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const passed = (results: readonly Result[]): string => {
  const good = results.filter(({ problems }) => problems.length === 0).length;
  return results.length === 0 ? "–" : `${good} of ${results.length}`;
};

/** The cells of a part that failed, and what all of them counted. */
export function detailsOf(results: readonly Result[]): string {
  const failed = results.filter(({ problems }) => problems.length > 0).map(({ name }) => name);
  const names = [...new Set(results.flatMap(({ counts = {} }) => Object.keys(counts)))];
  const sumOf = (name: string) => results.reduce((sum, { counts = {} }) => sum + (counts[name] ?? 0), 0);
  const counted = table(
    ["", "number"],
    names.map((name) => [name, String(sumOf(name))]),
  );
  return [
    ...(failed.length > 0 ? [`Failed: ${failed.join(", ")}.`] : []),
    ...(names.length > 0 ? [counted] : []),
  ].join("\n\n");
}

const minutes = (seconds: number): string => `${Math.round(seconds / 6) / 10} min`;

/** The number of passed cells and the duration. */
export const summary = (results: readonly Result[], seconds: number): string =>
  `${passed(results)} cells passed in ${minutes(seconds)}`;

export const overview = (
  rows: readonly (readonly [title: string, results: readonly Result[], seconds: number])[],
) =>
  table(
    ["", "passed", "time"],
    rows.map(([title, results, seconds]) => [title, passed(results), minutes(seconds)]),
  );

/** The page with each text between its markers `<!-- NAME:begin -->` and `<!-- NAME:end -->`. */
export function filled(page: string, texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts).reduce((text, [name, content]) => {
    const marked = new RegExp(`(<!-- ${name}:begin -->)[^]*(<!-- ${name}:end -->)`);
    if (!marked.test(text)) throw new Error(`The page has no markers for ${name}.`);
    return text.replace(marked, (_, begin: string, end: string) => `${begin}\n\n${content}\n\n${end}`);
  }, page);
}
