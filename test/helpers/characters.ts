import * as fc from "fast-check";

/**
 * Characters of every class: plain ones, accents in both spellings, ends of lines and paragraphs, control and format characters, spaces, a byte order mark, characters
 * with a meaning in some syntax, above U+FFFF, unassigned, and half of a pair.
 */
export const CHARACTERS = [
  ...[..."abcXYZ019.-_é", "e\u0301", "\n", "\r\n"],
  ..."\t\u0085\u2028\u2029\0\u001b\u007f\u202e\u2066 \u00a0\u200b\ufeff",
  ..."\"'\\`${}%<>&;#/|*@",
  ...[..."\u{1f600}\ufffe\u{10ffff}", "\ud800"],
];

/** Any character, with the same chance for each. `unit: "binary"` of fast-check is the same, but first builds a table of all of them. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));
