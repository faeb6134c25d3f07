import { isObject } from "../../provider/base/values";

/** An expression in place of a value: `zone.id`. */
export class Expression {
  constructor(
    readonly text: string,
    /** The variable that it uses: that of another resource, or of a module. */
    readonly variable: string,
  ) {}
}

export const UNDEFINED = new Expression("undefined", "undefined");

/** The width within which an object or a list stays on one line. */
const WIDTH = 100;
const INDENT = "  ";

/** A value as TypeScript. `used` is the width that is taken on its first line. With `-Infinity`, it is all one line. */
export function sourceOf(value: unknown, depth = 0, used = 0): string {
  if (value instanceof Expression) return value.text;
  if (!Array.isArray(value) && !isObject(value)) return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map((item: unknown) => ["", item] as const)
    : Object.entries(value).map(([name, item]) => [`${keyOf(name)}: `, item] as const);
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", " "];
  const short = items.map(([start, item]) => start + sourceOf(item, 0, -Infinity)).join(", ");
  const line = items.length === 0 ? open + close : open + space + short + space + close;
  if (depth * INDENT.length + used + line.length <= WIDTH) return line;
  const outer = INDENT.repeat(depth);
  const lines = items.map(
    ([start, item]) => `${outer}${INDENT}${start}${sourceOf(item, depth + 1, start.length)},\n`,
  );
  return `${open}\n${lines.join("")}${outer}${close}`;
}

function keyOf(name: string): string {
  // Any other spelling sets the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
