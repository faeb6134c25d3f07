import { existsSync } from "node:fs";
import { resolve } from "node:path";
import picomatch from "picomatch";
import { counted } from "../../../api/text";
import { type Context } from "../../context";
import { readInput } from "../../input";
import { type AccountObject, type Drift, type Unmanaged } from "../findings";
import { type Ignored, type Report } from "../report";
import { type IgnoreEntry, parseIgnoreFile } from "./parse";

/** The ignore file that is read if no other is named. */
export const IGNORE_FILE = ".nodecloudignore";

/** The objects that an ignore file hides, and what its reader should know about its entries. */
type Ignoring = Pick<Report, "ignored" | "notes">;

/** The entries of the ignore file. A missing file has none, unless the user has named it. */
export async function readIgnoreFile(context: Context, file?: string): Promise<IgnoreEntry[]> {
  const name = file ?? IGNORE_FILE;
  if (file === undefined && !existsSync(resolve(context.directory, name))) return [];
  const text = await readInput(context, name, `the ignore file ${name}`);
  return parseIgnoreFile(text.toString(), name);
}

/** Finds the unmanaged objects that the entries hide on this day. Changed and deleted resources are never hidden. */
export function ignoring(
  entries: readonly IgnoreEntry[],
  { findings, gaps, isPartial }: Drift,
  now: Date,
): Ignoring {
  const today = now.toISOString().slice(0, 10);
  const all = findings.filter((finding) => finding.kind === "unmanaged");
  const hidden = new Map<Unmanaged, Ignored>();
  const notes: string[] = [];
  for (const entry of entries) {
    const { place, reason, until } = entry;
    const objects = all.filter(matcherOf(entry));
    if (until !== undefined && until < today) {
      const found = objects.length === 0 ? "remove it" : `it matches ${counted(objects.length, "object")}`;
      notes.push(`${place}: the entry ended on ${until} and hides nothing any more (${reason}); ${found}`);
      continue;
    }
    // What could not be looked at may be what the entry is about.
    if (objects.length === 0 && gaps.length === 0 && isPartial !== true)
      notes.push(
        `${place}: the entry matches no unmanaged object (${reason}); remove it if it is no longer needed`,
      );
    for (const object of objects)
      if (!hidden.has(object)) hidden.set(object, { object, reason, ...(until !== undefined && { until }) });
  }
  return { ignored: all.flatMap((object) => hidden.get(object) ?? []), notes };
}

/** Tells which objects an entry is about. */
export function matcherOf({ kinds, id, label, tags = [] }: Omit<IgnoreEntry, "place" | "reason">) {
  const [isId, isLabel] = [id, label].map((pattern) => (pattern === undefined ? undefined : glob(pattern)));
  const areTags = tags.map(glob);
  return (object: AccountObject): boolean =>
    (kinds === undefined || kinds.includes(object.type)) &&
    (isId === undefined || isId(object.id)) &&
    (isLabel === undefined || (object.label !== undefined && isLabel(object.label))) &&
    areTags.every((isTag) => object.tags?.some((tag) => isTag(tag)) === true);
}

/** Ids and labels are no paths: `*` matches `/` and a leading dot too, and a leading `!` is a character. */
const glob = (pattern: string): ((text: string) => boolean) => {
  const matches = picomatch(pattern, { bash: true, dot: true, nonegate: true, windows: false });
  return (text) => matches(text);
};
