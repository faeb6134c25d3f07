/** Starts a colour in the engine's output. An unknown colour crashes the command. */
const ENGINE_COLOUR = /<\{(?=%)/g;

/**
 * Characters that control a terminal, are invisible, or move other characters: control characters, format characters, line separators,
 * unpaired surrogates.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const WHITE = /[\t\n]/;

/** Makes a text safe to print: it escapes the characters that control a terminal. Line ends and tabs stay. */
export const printable = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(UNPRINTABLE, (character) => (WHITE.test(character) ? character : escaped(character)))
    .replace(ENGINE_COLOUR, "<\\u007b");

/** Makes a text safe to print on one line. */
export const printableLine = (text: string): string =>
  printable(
    text
      .trim()
      .replace(/\s*[\r\n\u0085\u2028\u2029]+\s*/g, " ")
      .replace(/\t/g, " "),
  );

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A noun in the form for a number: `object`, or `objects`. */
export const nounFor = (number: number, one: string, many = `${one}s`): string => (number === 1 ? one : many);

/** A number with its noun: `1 object`, `2 objects`. */
export const counted = (number: number, one: string): string => `${number} ${nounFor(number, one)}`;

/** The first words of a list, and how many more there are: `a, b and 3 more`. */
export const firstOf = (words: readonly string[], most: number): string =>
  words.slice(0, most).join(", ") + (words.length > most ? ` and ${words.length - most} more` : "");

/** Words in a sentence: `a, b and c`. */
export const listed = (words: readonly string[], last: "and" | "or"): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} ${last} ${String(words.at(-1))}`;

/** A text in quotes, without the rest of a long one. */
export const quotedStart = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Shortens a text that is longer than `most`, and says how much is left out. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  // Without an unpaired surrogate at the end.
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${counted(text.length - kept.length, "more character")})`;
}
