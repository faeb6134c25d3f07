/** The name that a misspelt one probably means. Undefined if none is near. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const text = wanted.toLowerCase();
  // Two swapped letters count as two edits. A short word must keep at least one letter.
  const tolerated = Math.min(text.length - 1, Math.max(2, text.length / 3));
  return names
    .map((name) => {
      const known = name.toLowerCase();
      return { name, distance: known.startsWith(text) ? 0 : distance(text, known) };
    })
    .filter((candidate) => candidate.distance <= tolerated)
    .sort((a, b) => a.distance - b.distance)[0]?.name;
}

/** The advice on an unknown name, for messages: the name that it probably means, or the names that there are. */
export function hintFor(wanted: string, names: readonly string[], kind: string): string {
  const meant = nearestName(wanted, names);
  return meant === undefined ? `the ${kind} are ${names.join(", ")}` : `did you mean ${meant}?`;
}

/** The number of single-letter edits between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
