import { type Context } from "../context";
import { usageError, unfitParts } from "../errors";
import { readInput } from "../input";
import { quietly } from "../../api/quietly";
import { isObject } from "../../provider/base/values";
import { type Shard } from "../stacks/select-stacks";
import { type Gap } from "../stacks/names-and-gaps";
import { type DriftPart } from "./part";

/** Rises with a change that an earlier version could not read. */
const VERSION = 1;

/** A part as a run with `--shard` writes it. */
interface PartFile {
  readonly version: typeof VERSION;
  readonly shard: Shard;
  readonly part: DriftPart;
}

/** Reads `2/4`. */
export function shardIn(text: string): Shard {
  const [index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (index < 1 || index > count)
    throw usageError(
      `--shard: ${JSON.stringify(text)} is no shard: write its number and how many there are, from 1/4 to 4/4`,
    );
  return { index, count };
}

export const partFile = (shard: Shard, part: DriftPart): string =>
  JSON.stringify({ version: VERSION, shard, part } satisfies PartFile);

/** Reads the parts of a comparison. One that is missing counts as stacks that could not be read. */
export async function readParts(context: Context, files: readonly string[]): Promise<DriftPart[]> {
  if (files.length === 0)
    throw usageError(
      "--merge: name the files that runs with --shard have written: nodecloud drift --merge part-*.json",
    );
  const parts = await Promise.all(
    files.map(async (file) => ({ file, ...partIn(file, await readInput(context, file)) })),
  );
  const [first, ...others] = parts;
  const { count } = first?.shard ?? { count: 0 };
  const found = new Map<number, (typeof parts)[number]>();
  for (const one of first === undefined ? [] : [first, ...others]) {
    const { shard, file } = one;
    const other = found.get(shard.index);
    if (shard.count !== count)
      throw unfitParts(
        `--merge: ${file} is of ${shard.count} shards and ${first?.file} of ${count}: give the files of one comparison`,
      );
    if (String(one.part.only) !== String(first?.part.only))
      throw unfitParts(
        `--merge: ${file} and ${first?.file} are of other kinds: use one --only for all shards`,
      );
    if (other !== undefined)
      throw unfitParts(
        `--merge: ${file} and ${other.file} both are shard ${shard.index}/${count}: leave one out`,
      );
    found.set(shard.index, one);
  }
  const unread = Array.from({ length: count }, (_, index): Gap[] =>
    found.has(index + 1)
      ? []
      : [{ what: `shard ${index + 1}/${count}`, reason: "its file is not among those to merge" }],
  ).flat();
  const empty: DriftPart = {
    stacks: [],
    listings: [],
    resources: [],
    unread,
    gaps: [],
    hidden: [],
    notes: [],
  };
  return [...[...found.values()].map(({ part }) => part), empty];
}

function partIn(file: string, bytes: Buffer): PartFile {
  const value = quietly(() => JSON.parse(bytes.toString()) as unknown);
  const { version, shard, part } = isObject(value) ? value : {};
  const isPart = isObject(shard) && isObject(part) && Array.isArray(part["listings"]);
  if (!isPart || typeof version !== "number")
    throw unfitParts(
      `--merge: ${file} is no part of a comparison: give files that nodecloud drift --shard has written`,
    );
  if (version !== VERSION)
    throw unfitParts(
      `--merge: another version of nodecloud has written ${file}: use one version for all shards`,
    );
  return value as unknown as PartFile;
}
