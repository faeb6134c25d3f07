import { quietly } from "../../api/quietly";
import { refuse } from "./refusal";

/** The most levels of a body. Bodies of the API have four. */
const MAX_DEPTH = 100;

/** Checks level by level, because a recursive function would overflow the stack. */
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
 * @throws Refusal for a body with so many levels that recursive functions would overflow the stack
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw refuse(400, `The body is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}

/** Reads JSON. Any other text is undefined. */
export const jsonIn = (text: string): unknown => quietly(() => readJson(text));
