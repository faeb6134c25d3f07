/** A domain name in DNS: a list of labels, each with up to 63 octets of any value. The root has no labels. */
export type Name = readonly Buffer[];

export const ROOT: Name = [];

const MAX_LABEL_OCTETS = 63;
const MAX_NAME_OCTETS = 255;

/** Characters without a special meaning in zone files (RFC 1035, 5.1). All others are escaped. */
const PLAIN = /^[\w*+/=:#%&'-]$/;

/** Whether labels form a valid name. */
export function isName(labels: Name): boolean {
  const fits = labels.every(({ length }) => length > 0 && length <= MAX_LABEL_OCTETS);
  // In a message, each label follows its length, and the root is one octet.
  return fits && labels.reduce((sum, { length }) => sum + length + 1, 1) <= MAX_NAME_OCTETS;
}

function unescaped(label: string): Buffer {
  const parts = label.match(/\\\d{3}|\\?[^]/gu) ?? [];
  return Buffer.concat(
    parts.map((part) =>
      /^\\\d{3}$/.test(part)
        ? Buffer.of(Number(part.slice(1)) & 255)
        : Buffer.from(part.replace(/^\\(?=.)/su, "")),
    ),
  );
}

/** Reads a written name, with or without the final dot. Returns undefined for an invalid name. */
export function parseName(text: string): Name | undefined {
  if (text === ".") return ROOT;
  const labels = (text.match(/(?:\\[^]|[^\\.])+|(?<=\.)(?=\.)|^(?=\.)|\\$/gu) ?? [""]).map(unescaped);
  return isName(labels) ? labels : undefined;
}

/** Writes octets as zone files require. Characters that are not plain are escaped, all others are written as numbers. */
export function escaped(octets: Buffer, plain: RegExp): string {
  const written = [...octets].map((octet) => {
    const character = String.fromCharCode(octet);
    if (plain.test(character)) return character;
    return `\\${octet > 32 && octet < 127 ? character : String(octet).padStart(3, "0")}`;
  });
  return written.join("");
}

/** Writes a name without the final dot. The root is a dot. */
export const formatName = (name: Name): string => name.map((label) => escaped(label, PLAIN)).join(".") || ".";

/** Writes a name with the final dot, as zone files require. */
export const formatAbsolute = (name: Name): string => (name.length === 0 ? "." : `${formatName(name)}.`);

/** A key that is equal for names that are equal in DNS. DNS ignores upper and lower case. */
export const nameKey = (name: Name): string => formatName(name).toLowerCase();

/** The labels of a name before those of the zone. It is undefined for a name outside the zone. */
export function withinZone(name: Name, zone: Name): Name | undefined {
  const own = name.length - zone.length;
  if (own < 0 || nameKey(name.slice(own)) !== nameKey(zone)) return undefined;
  return name.slice(0, own);
}

/** A name as messages have it, without pointers. */
export const nameOctets = (name: Name): Buffer =>
  Buffer.from([...name.flatMap((label) => [label.length, ...label]), 0]);
