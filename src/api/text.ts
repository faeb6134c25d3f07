/** Begins a colour in the texts that the engine displays. One that it does not know ends the command with a crash. */
const ENGINE_COLOUR = /<\{(?=%)/g;

/**
 * Characters that a terminal obeys, or that show as nothing or move their neighbours: controls of both ranges, marks of direction, of width
 * and of format, separators of lines, halves of characters.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const WHITE = /[\t\n]/;

/** The text as it may be printed: what a terminal would obey stands there as an escape. Line ends and tabs stay. */
export const printable = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(UNPRINTABLE, (character) => (WHITE.test(character) ? character : escaped(character)))
    .replace(ENGINE_COLOUR, "<\\u007b");

/** A text on one line, as it may be printed. */
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

/** The start of a text that is longer than `most`, with how much is left out. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  // No half of a character at the end.
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${text.length - kept.length} more characters)`;
}
