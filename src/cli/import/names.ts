/** Gives each thing a unique name: the wanted one, or the wanted one with a number. */
export class UniqueNames {
  readonly #taken: Set<string>;
  /** The last number of each wanted name, so that thousands of equal ones are not counted again. */
  readonly #numbers = new Map<string, number>();

  /** @param separator stands between a name and its number. */
  constructor(
    taken: Iterable<string> = [],
    private readonly separator = "-",
  ) {
    this.#taken = new Set(taken);
  }

  take(wanted: string): string {
    let name = wanted;
    let number = this.#numbers.get(wanted) ?? 1;
    while (this.#taken.has(name)) name = `${wanted}${this.separator}${++number}`;
    this.#numbers.set(wanted, number);
    this.#taken.add(name);
    return name;
  }
}

/** The words that no variable of a generated file can have as its name. */
export const RESERVED = (
  "abstract any arguments as async await boolean break case catch class const constructor continue debugger declare " +
  "default delete do else enum eval export extends false finally for from function get if implements import in " +
  "infer instanceof interface is keyof let module namespace never new null number object of package private " +
  "protected public readonly require return set static string super switch symbol this throw true try type typeof " +
  "undefined unique unknown var void while with yield globalThis process Buffer console exports Infinity NaN " +
  "__dirname __filename Node Array Boolean Date Error Function JSON Map Math Number Object Promise Proxy Reflect " +
  "RegExp Set String Symbol nodecloud pulumi fs"
).split(" ");

/** A variable named after a label: `web-1.prod` is `web1Prod`. `fallback` begins the name if the label begins with no letter. */
export function variableOf(label: string, fallback: string): string {
  const words = wordsOf(label);
  const all = words[0] === undefined || !/^\p{L}/u.test(words[0]) ? [fallback, ...words] : words;
  return all.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join("");
}

/** The longest name of a file, without its extension. Most file systems allow 255 octets, and a letter may have four. */
const MAX_FILE = 60;

/** A file named after a label: `example.org` is `example-org`. */
export const fileOf = (label: string, fallback: string): string =>
  [...wordsOf(label).join("-").toLowerCase()].slice(0, MAX_FILE).join("") || fallback;

/** A class as it is in the name of a file: `mysql-database`. */
export const kebab = (type: string): string => type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();

/** A text without accents: some file systems and readers confuse the two spellings of an accented letter. */
export const withoutAccents = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "");

/** The letters and digits of a label. Compilers know fewer of the letters above U+FFFF than Node does, and not those of the newest Unicode in older blocks. */
const wordsOf = (label: string): string[] =>
  withoutAccents(label).match(
    /(?:(?![\u{10000}-\u{10ffff}\u1c80-\u1c8f\ua720-\ua7ff\u088f\u0c5c\u0cdc])[\p{L}\p{Nd}])+/gu,
  ) ?? [];

const lowerFirst = (word: string): string =>
  /^\p{Lu}+$/u.test(word) ? word.toLowerCase() : word.replace(/^./u, (letter) => letter.toLowerCase());

export const upperFirst = (word: string): string => word.replace(/^./u, (letter) => letter.toUpperCase());
