import type ts from "typescript";
import { type Declared } from "./find-options";

/** A part of a text to remove. */
export interface Cut {
  readonly start: number;
  readonly end: number;
}

/** What is between two tokens: spaces, ends of lines and comments. */
interface Piece extends Cut {
  readonly kind: "space" | "newline" | "comment";
}

/** The text without these parts. */
export const without = (text: string, cuts: readonly Cut[]): string =>
  [...cuts]
    .sort((one, other) => other.start - one.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);

/**
 * The parts to remove for an option of a resource. If nothing else is in the options, the whole argument is removed. A comment on the line of the option is
 * removed with it, and comments on other lines stay.
 */
export function cutsFor(
  text: string,
  source: ts.SourceFile,
  { options, args }: Pick<Declared, "options" | "args">,
  property: ts.ObjectLiteralElementLike,
): Cut[] {
  const { properties } = options;
  const index = properties.indexOf(property);
  const previous = properties[index - 1];
  const next = properties[index + 1];
  const inside = { start: options.getStart(source) + 1, end: options.getEnd() - 1 };
  const start = property.getStart(source);
  const end = property.getEnd();
  const previousComma = previous === undefined ? undefined : commaIn(text, previous.getEnd(), start);
  const from = previousComma?.end ?? inside.start;
  const comma = optionalCommaIn(text, end, next?.getStart(source) ?? inside.end);
  const to = next?.getStart(source) ?? inside.end;
  const around: Around = {
    before: piecesIn(text, from, start),
    after: [...piecesIn(text, end, comma?.start ?? to), ...(comma ? piecesIn(text, comma.end, to) : [])],
    from,
    end: comma?.end ?? end,
    isLast: next === undefined,
  };
  if (properties.length === 1 && !hasOwnLine(around)) return argumentCuts(text, source, args);
  const cut = propertyCut(around);
  const endsWithoutComma = next === undefined && comma === undefined;
  return endsWithoutComma && previousComma !== undefined ? [previousComma, cut] : [cut];
}

interface Around {
  /** Between the last separator and the property, and between the property, its comma and what follows. */
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
  /** The end of the last separator. */
  readonly from: number;
  /** The end of the property, with its comma. */
  readonly end: number;
  readonly isLast: boolean;
}

/** Whether a comment has its own line. */
const hasOwnLine = ({ before, after }: Around): boolean => {
  const newline = before.findLastIndex(({ kind }) => kind === "newline");
  const later = after.findIndex(({ kind }) => kind === "newline");
  const isComment = ({ kind }: Piece) => kind === "comment";
  return before.slice(0, newline + 1).some(isComment) || (later !== -1 && after.slice(later).some(isComment));
};

function propertyCut({ before, after, from, end, isLast }: Around): Cut {
  const newline = before.findLast(({ kind }) => kind === "newline");
  const lineEnd = after.find(({ kind }) => kind === "newline");
  const endsLine = lineEnd !== undefined;
  if (newline !== undefined) {
    if (endsLine) return { start: newline.end, end: lineEnd.end };
    if (isLast) {
      // The end of the line may end a comment.
      const isFree = before[before.indexOf(newline) - 1]?.kind !== "comment";
      return { start: isFree ? newline.start : newline.end, end: endOf(after, end) };
    }
    const indent = before.find((piece) => piece.start === newline.end && piece.kind === "space");
    return { start: indent?.end ?? newline.end, end: skipSpace(after, end) };
  }
  if (endsLine) return { start: from, end: lineEnd.start };
  if (isLast) return { start: from, end: endOf(after, end) };
  return { start: skipSpace(before, from), end: skipSpace(after, end) };
}

/** The end of the comments after a position, without the spaces after them. */
const endOf = (pieces: readonly Piece[], end: number): number =>
  Math.max(end, ...pieces.filter(({ kind }) => kind === "comment").map((piece) => piece.end));

const skipSpace = (pieces: readonly Piece[], position: number): number =>
  pieces.find(({ start, kind }) => start === position && kind === "space")?.end ?? position;

/** Removes the last argument and the comma before it. Comments between the two stay. */
function argumentCuts(text: string, source: ts.SourceFile, args: ts.NodeArray<ts.Expression>): Cut[] {
  const [kept, removed] = args.slice(-2);
  if (kept === undefined || removed === undefined) throw new TypeError("a resource without a name");
  const start = removed.getStart(source);
  const comma = commaIn(text, kept.getEnd(), start);
  const pieces = [...piecesIn(text, kept.getEnd(), comma.start), ...piecesIn(text, comma.end, start)];
  if (pieces.every(({ kind }) => kind !== "comment"))
    return [{ start: kept.getEnd(), end: removed.getEnd() }];
  const space = pieces.findLast((piece) => piece.end === start && piece.kind === "space");
  return [comma, { start: space?.start ?? start, end: removed.getEnd() }];
}

function commaIn(text: string, start: number, end: number): Cut {
  const comma = optionalCommaIn(text, start, end);
  if (comma === undefined) throw new TypeError("a list without a comma");
  return comma;
}

function optionalCommaIn(text: string, start: number, end: number): Cut | undefined {
  const at = piecesIn(text, start, end).at(-1)?.end ?? start;
  return at < end && text[at] === "," ? { start: at, end: at + 1 } : undefined;
}

const PIECE = /(?<space>[^\S\r\n]+)|(?<newline>\r\n|\n|\r)|(?<comment>\/\/[^\r\n]*|\/\*[^]*?\*\/)/y;

/** The pieces from a position to the next token, or to another position. */
function piecesIn(text: string, start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  for (let at = start; at < end;) {
    PIECE.lastIndex = at;
    const groups = PIECE.exec(text)?.groups;
    if (groups === undefined) break;
    const kind =
      groups["space"] !== undefined ? "space" : groups["newline"] !== undefined ? "newline" : "comment";
    pieces.push({ kind, start: at, end: PIECE.lastIndex });
    at = PIECE.lastIndex;
  }
  return pieces;
}
