import { counted, nounFor } from "../../api/text";
import { usageError } from "../errors";

/** A part of a report that can be shortened or left out. */
export interface ShortenablePart {
  readonly short: string;
  readonly whole: string;
  /** The name that the report shows in any case. Parts without a name may be left out. */
  readonly name?: string;
}

/** The part of a report that is left out because it does not fit. */
export interface Cut {
  /** Says what was left out. */
  readonly line: string;
  /** The names of the parts that are left out and must be named. */
  readonly names: readonly string[];
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/**
 * The longest report that has at most so many bytes. Parts come in the order of their importance, those with a name first: first the last ones lose their
 * differences, and if that does not suffice, the last ones are left out, or only named. What is cut is said. Throws if the names do not fit.
 */
export function fit<Some extends ShortenablePart>(
  parts: readonly Some[],
  mostBytes: number,
  layout: (parts: readonly Some[], cut: Cut | undefined) => string,
): string {
  const whole = layout(parts, undefined);
  if (bytesOf(whole) <= mostBytes) return whole;
  const cutTo = (named: number, detailed: number): Cut => ({
    line: cutLine(parts, named, detailed),
    names: parts.slice(named).flatMap(({ name }) => name ?? []),
  });
  const withCut = (named: number, detailed: number) =>
    layout(
      parts.slice(0, named).map((part, at) => (at < detailed ? part : { ...part, whole: part.short })),
      cutTo(named, detailed),
    );
  const fits = (named: number, detailed: number) => bytesOf(withCut(named, detailed)) <= mostBytes;
  const named = greatest(parts.length, (count) => fits(count, 0));
  const detailed = greatest(named, (count) => fits(named, count));
  const result = withCut(named, detailed);
  if (bytesOf(result) <= mostBytes) return result;
  const { names } = cutTo(named, detailed);
  const rest = shortened(result, mostBytes);
  if (!names.every((name) => rest.includes(name)))
    throw usageError(
      `${mostBytes} bytes are too few to name ${counted(names.length, "change")} that must be reviewed: set --max-bytes, or use --format text`,
    );
  return rest;
}

function cutLine(parts: readonly ShortenablePart[], named: number, detailed: number): string {
  const omitted = parts.length - named;
  const brief = parts.slice(detailed, named).filter(({ short, whole }) => short !== whole).length;
  const what = [
    ...(omitted > 0
      ? [`${omitted} of ${counted(parts.length, "change")} ${nounFor(omitted, "is", "are")} left out`]
      : []),
    ...(brief > 0 ? [`the differences of ${counted(brief, "change")} are left out`] : []),
  ];
  return `Cut to fit: ${what.join(", and ")}. The least important are left out first. The counts above include them.`;
}

/** The greatest number up to `most` that fits. A greater number never fits where a lesser one does not. */
function greatest(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first lines that fit, with a last line that says so. */
function shortened(text: string, mostBytes: number): string {
  const last = "Cut to fit: the rest is left out.\n";
  const lines = text.split("\n");
  const withFirst = (count: number) => [...lines.slice(0, count), last].join("\n");
  return withFirst(greatest(lines.length, (count) => bytesOf(withFirst(count)) <= mostBytes));
}
