import { refuse } from "./refusal";

/** How deep a body may be nested. What the API takes has four levels. */
const MAX_DEPTH = 100;

/** Goes level by level: a function that called itself would run out of stack where it matters. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return false;
}

/**
 * Reads JSON.
 * @throws SyntaxError as `JSON.parse` does
 * @throws Refusal where it is nested so deep that what walks through it would run out of stack
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw refuse(400, `The body is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}
