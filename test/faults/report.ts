import { OPERATIONS } from "./matrix/cell";
import { type Result } from "./parts";
import { KINDS } from "./kinds";
import { MACHINES, MOMENTS } from "./targeted";

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const passed = (results: readonly Result[]): string => {
  const good = results.filter(({ problems }) => problems.length === 0).length;
  return results.length === 0 ? "–" : `${good} of ${results.length}`;
};

/** Results in a table by the two words that their names begin with. */
const crossed = (
  results: readonly Result[],
  rows: readonly string[],
  columns: readonly string[],
  nameOf: (row: string, column: string) => string,
): string =>
  table(
    ["", ...columns],
    rows.map((row) => [
      row,
      ...columns.map((column) => passed(results.filter(({ name }) => name.startsWith(nameOf(row, column))))),
    ]),
  );

/** Results by name, without the number at its end. */
function listed(results: readonly Result[]): string {
  const groupOf = ({ name }: Result) => name.replace(/ \d+$/, "");
  const groups = [...new Set(results.map(groupOf))];
  return table(
    ["", "passed"],
    groups.map((group) => [group, passed(results.filter((result) => groupOf(result) === group))]),
  );
}

/** What happened in all cells together. */
function summed(results: readonly Result[]): string {
  const names = [...new Set(results.flatMap(({ counts = {} }) => Object.keys(counts)))];
  const sumOf = (name: string) => results.reduce((sum, { counts = {} }) => sum + (counts[name] ?? 0), 0);
  return table(
    ["", "number"],
    [["pairs without a problem", passed(results)], ...names.map((name) => [name, String(sumOf(name))])],
  );
}

/** The results of a part as a table. */
export function tableOf(part: string, results: readonly Result[]): string {
  if (part === "reviews" || part === "troubled") return summed(results);
  if (part === "matrix")
    return crossed(results, KINDS, OPERATIONS, (kind, operation) => `${kind} ${operation}:`);
  if (part !== "kills") return listed(results);
  const columns = MACHINES.flatMap((machine) => MOMENTS.map((moment) => `${moment} ${machine}`));
  return crossed(results, KINDS, columns, (kind, column) => `${kind} ${column}`);
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
