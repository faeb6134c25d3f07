/** A value that must not appear anywhere, with its name for reports. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

const base64Of = (bytes: Buffer) => bytes.toString("base64");

/** The part of a value's base64 that does not depend on the text around it, for each of the three offsets. */
function base64Within(value: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = base64Of(Buffer.concat([Buffer.alloc(before), Buffer.from(value)])).replace(/=+$/, "");
    return encoded.slice(before === 0 ? 0 : before + 1, -1);
  });
}

/** A value as it is, escaped once and twice for JSON, escaped for a URL, and in hexadecimal. */
function escaped(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  return [
    ...[value, json, JSON.stringify(json).slice(1, -1), Buffer.from(value).toString("hex")],
    ...[encodeURIComponent(value), encodeURI(value), encodeURIComponent(value).replaceAll("%20", "+")],
  ];
}

/** The spellings of a value to search for: as it is, escaped, and in base64, also within longer base64. */
export function spellingsOf(value: string): readonly string[] {
  const base64 = base64Within(value);
  return [
    ...new Set([
      ...escaped(value),
      ...base64,
      ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    ]),
  ];
}

/** The texts in which a server could repeat a value. */
export function echoesOf(value: string): readonly string[] {
  const longer = ["", "x", "xy"].map((before) => base64Of(Buffer.from(`${before}${value}${before}`)));
  return [...new Set([...escaped(value), ...longer])];
}

/** Describes each place with a secret, and the text before it. */
export function leaksIn(places: ReadonlyMap<string, string>, secrets: readonly Secret[]): string[] {
  return secrets.flatMap(({ name, value }) => {
    const spellings = spellingsOf(value);
    return [...places].flatMap(([place, text]) => {
      const found = spellings.filter((spelling) => text.includes(spelling));
      const at = text.indexOf(found[0] ?? "");
      const before = JSON.stringify(text.slice(Math.max(0, at - 120), at));
      return found.length === 0
        ? []
        : [`${name} is in ${place} as ${found.join(" and as ")}, after ${before}`];
    });
  });
}
