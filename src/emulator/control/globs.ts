/** A pattern of paths: literal characters, `*` for a part of a segment, and `**` for any rest. */
export type Glob = readonly string[];

export const globOf = (pattern: string): Glob => pattern.match(/\*\*|[^]/gu) ?? [];

/**
 * Whether a pattern fits a whole text. The time grows with the product of both lengths, for any number of wildcards:
 * after each character, `fitting[n]` tells whether the first n parts of the pattern fit the text so far.
 */
export function fits(glob: Glob, text: string): boolean {
  const isWild = (index: number) => glob[index] === "*" || glob[index] === "**";
  const fitting = new Array<boolean>(glob.length + 1).fill(false);
  fitting[0] = true;
  for (let index = 0; isWild(index); index++) fitting[index + 1] = true;
  for (const character of text) {
    let before = fitting[0] ?? false;
    let some = (fitting[0] = false);
    for (const [index, part] of glob.entries()) {
      const old = fitting[index + 1] ?? false;
      const stays = part === "**" || (part === "*" && character !== "/");
      const now = isWild(index) ? fitting[index] === true || (stays && old) : before && part === character;
      before = old;
      fitting[index + 1] = now;
      some ||= now;
    }
    if (!some) return false;
  }
  return fitting[glob.length] ?? false;
}
