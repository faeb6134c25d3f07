import { edited, editsOf } from "./operators.mjs";
import { placeAround } from "./places.mjs";

/**
 * A changed file of `src` that compiles. `place` is the function around the change.
 * @typedef {{ file: string; line: number; place: string; code: string; what: string; before: string; after: string; text: string }} Mutant
 */

/** @typedef {ReturnType<typeof import("./compiler.mjs").compilerOf>} Compiler */

/** The parts of `src` in which a mistake loses or doubles objects: half of the mutants are there. */
const ROOMS = ["creation", "matching", "object", "hooks", "ownership", "collection"].map(
  (room) => `src/provider/${room}/`,
);

/**
 * Chooses mutants by a seed. Each is on another line, half of them in {@link ROOMS}, and all compile.
 * @param {Compiler} compiler
 * @param {{ count: number; seed: number; within: string | undefined }} options `within` is a pattern of the paths of the files.
 * @returns {Generator<Mutant>}
 */
export function* chooseMutants(compiler, { count, seed, within }) {
  const chance = chanceFrom(seed);
  const files = compiler.files.filter((file) => new RegExp(within ?? "").test(file));
  const isInRooms = (/** @type {string} */ file) => ROOMS.some((room) => file.startsWith(room));
  const halves =
    within === undefined ? [files.filter(isInRooms), files.filter((file) => !isInRooms(file))] : [files];
  const lines = halves.map((half) => half.flatMap((file) => linesOf(compiler.source(file), file)));
  for (let made = 0; made < count; made++) {
    const from = lines[made % lines.length] ?? [];
    const mutant = nextMutant(from, compiler, chance);
    if (mutant === undefined) return;
    yield mutant;
  }
}

/** @typedef {{ file: string; line: number; edits: import("./operators.mjs").Edit[] }} Line */

/**
 * The next line by chance with an edit that compiles.
 * @param {Line[]} lines without those that were taken.
 * @param {Compiler} compiler
 * @param {() => number} chance
 */
function nextMutant(lines, compiler, chance) {
  while (lines.length > 0) {
    const [taken] = lines.splice(Math.floor(chance() * lines.length), 1);
    if (taken === undefined) return undefined;
    const { file, line, edits } = taken;
    const { text } = compiler.source(file);
    while (edits.length > 0) {
      const [edit] = edits.splice(Math.floor(chance() * edits.length), 1);
      if (edit === undefined) break;
      const after = edited(text, edit);
      if (!compiler.accepts(file, after)) continue;
      const code = (text.split("\n")[line - 1] ?? "").trim();
      return {
        file,
        line,
        place: placeAround(file, compiler.source(file), edit.start),
        code,
        what: edit.what,
        before: text.slice(edit.start, edit.end),
        after: edit.text,
        text: after,
      };
    }
  }
  return undefined;
}

/** @param {import("typescript").SourceFile} source @param {string} file @returns {Line[]} */
function linesOf(source, file) {
  /** @type {Map<number, Line>} */
  const lines = new Map();
  for (const edit of editsOf(source)) {
    const line = source.getLineAndCharacterOfPosition(edit.start).line + 1;
    const known = lines.get(line) ?? { file, line, edits: [] };
    known.edits.push(edit);
    lines.set(line, known);
  }
  return [...lines.values()];
}

/** Numbers between 0 and 1, the same for the same seed (mulberry32). @param {number} seed */
export function chanceFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
