import { isObject } from "../base/values";

/** The texts that languages make of a value that is no text, with the problem and the advice. */
const UNMEANT: readonly (readonly [text: RegExp, reason: string])[] = [
  [
    /Calling \[to(?:String|JSON)\] on an \[Output<T>\]/,
    "contains the text of an Output in place of its value; use pulumi.interpolate`…` or apply",
  ],
  [
    /Calling __str__ on an Output\[T\]|<pulumi\.output\.Output object at /,
    "contains the text of an Output in place of its value; use pulumi.Output.format, concat or apply",
  ],
  [
    /%!\w\((?:\*?pulumi\.|MISSING|EXTRA)/,
    "contains a formatting error of Go in place of a value; use pulumi.Sprintf or ApplyT",
  ],
  [
    /\[object (?:Object|Promise|Undefined|Null)\]/,
    "contains the text of an object in place of a value; use one of its properties",
  ],
];

const UNDEFINED = /(?:^|[^A-Za-z0-9])undefined(?:$|[^A-Za-z0-9])/;

/** Parts of a text that may be other texts in base64. */
const ENCODED = /[A-Za-z0-9+/]{32,}/g;

/** Why a text was never meant, such as that of an Output which a program has put into a text. `isName`: the value names an object. */
export function unmeantText(text: string, isName: boolean): string | undefined {
  const encoded = text.match(ENCODED)?.map((part) => Buffer.from(part, "base64").toString("latin1")) ?? [];
  const found = UNMEANT.find(([pattern]) => [text, ...encoded].some((one) => pattern.test(one)));
  if (found !== undefined) return found[1];
  return isName && UNDEFINED.test(text)
    ? 'contains "undefined" in place of a value; give it a value, or omit the property'
    : undefined;
}

/** The texts in a value, each with its path. A key of a map is a text at the path of the map. */
export function* textsAt(path: string, value: unknown): Iterable<readonly [path: string, text: string]> {
  if (typeof value === "string") yield [path, value];
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsAt(`${path}[${index}]`, item);
  else if (isObject(value))
    for (const [name, item] of Object.entries(value)) {
      yield [path, name];
      yield* textsAt(`${path}.${name}`, item);
    }
}
