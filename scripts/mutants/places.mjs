import ts from "typescript";

/** The place of what a file does when it is loaded. */
const LOADED = 0;

/** A file that tells which of its functions run, to `hits.cjs`. @param {string} name @param {ts.SourceFile} source */
export function marked(name, source) {
  /** @type {[at: number, text: string][]} */
  const marks = [[LOADED, `${hit(name, LOADED)}; `]];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const body = bodyOf(node);
    if (body !== undefined) {
      const place = hit(name, node.getStart(source));
      if (ts.isBlock(body)) marks.push([body.getStart(source) + 1, ` ${place}; `]);
      else marks.push([body.getStart(source), `(${place}, `], [body.getEnd(), ")"]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  let text = "";
  let done = 0;
  for (const [at, mark] of marks.sort(([one], [other]) => one - other)) {
    text += source.text.slice(done, at) + mark;
    done = at;
  }
  return text + source.text.slice(done);
}

/** @param {string} name @param {number} place */
const hit = (name, place) => `(globalThis as any).mutantsHit?.(${JSON.stringify(placeOf(name, place))})`;

/** @param {string} name @param {number} place */
const placeOf = (name, place) => `${name}:${place}`;

/** @param {ts.Node} node @returns {ts.ConciseBody | undefined} */
const bodyOf = (node) => (ts.isFunctionLike(node) && "body" in node ? node.body : undefined);

/**
 * The place of the innermost function around a position, as {@link marked} tells it.
 * @param {string} name
 * @param {ts.SourceFile} source
 * @param {number} position
 */
export function placeAround(name, source, position) {
  let place = LOADED;
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (position < node.getStart(source) || position >= node.getEnd()) return;
    const body = bodyOf(node);
    if (body !== undefined && position >= body.getStart(source)) place = node.getStart(source);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return placeOf(name, place);
}
