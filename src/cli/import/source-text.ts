import { isObject } from "../../provider/state/values";

/** An expression in place of a value: `zone.id`. */
export class Expression {
  constructor(
    readonly text: string,
    /** The variable of another resource that it uses. */
    readonly variable?: string,
  ) {}
}

/** The width within which an object or a list stays on one line. */
const WIDTH = 100;
const INDENT = "  ";

/** A value as TypeScript. `used` is the width that is taken on its first line. */
export function sourceOf(value: unknown, depth = 0, used = 0): string {
  if (value instanceof Expression) return value.text;
  if (!Array.isArray(value) && !isObject(value)) return JSON.stringify(value);
  const line = onOneLine(value);
  if (depth * INDENT.length + used + line.length <= WIDTH) return line;
  const outer = INDENT.repeat(depth);
  const inner = outer + INDENT;
  const items = Array.isArray(value)
    ? value.map((item: unknown) => `${inner}${sourceOf(item, depth + 1)},\n`)
    : Object.entries(value).map(([name, item]) => {
        const start = `${keyOf(name)}: `;
        return `${inner}${start}${sourceOf(item, depth + 1, start.length)},\n`;
      });
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${items.join("")}${outer}${close}`;
}

function onOneLine(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const items = Object.entries(value).map(([name, item]) => `${keyOf(name)}: ${onOneLine(item)}`);
  return items.length === 0 ? "{}" : `{ ${items.join(", ")} }`;
}

function keyOf(name: string): string {
  // Any other spelling sets the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
