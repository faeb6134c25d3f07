/** A domain name as DNS has it: its labels, each up to 63 octets of any value. The root has none. */
export type Name = readonly Buffer[];

export const ROOT: Name = [];

const MAX_LABEL_OCTETS = 63;
const MAX_NAME_OCTETS = 255;

/** Octets that mean nothing else in a zone file (RFC 1035, 5.1); all others are escaped. */
const PLAIN = /^[\w*+/=:#%&'-]$/;

/** What a message spends on a name: each label with its length, and the root. */
function octetsOf(name: Name): number {
  return name.reduce((sum, label) => sum + label.length + 1, 1);
}

/** Whether these labels can be a name. */
export function isName(labels: Name): boolean {
  const fits = labels.every(({ length }) => length > 0 && length <= MAX_LABEL_OCTETS);
  return fits && octetsOf(labels) <= MAX_NAME_OCTETS;
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

/** Reads a name as it is written, with or without its closing dot; undefined where it cannot be one. */
export function parseName(text: string): Name | undefined {
  if (text === ".") return ROOT;
  const labels = (text.match(/(?:\\[^]|[^\\.])+|(?<=\.)(?=\.)|^(?=\.)|\\$/gu) ?? [""]).map(unescaped);
  return isName(labels) ? labels : undefined;
}

function escaped(octet: number): string {
  const character = String.fromCharCode(octet);
  if (octet > 32 && octet < 127) return PLAIN.test(character) ? character : `\\${character}`;
  return `\\${String(octet).padStart(3, "0")}`;
}

/** Writes a name without its closing dot; the root is a dot. */
export function formatName(name: Name): string {
  return name.map((label) => [...label].map(escaped).join("")).join(".") || ".";
}

/** Writes a name with its closing dot, as a zone file needs it. */
export function formatAbsolute(name: Name): string {
  return name.length === 0 ? "." : `${formatName(name)}.`;
}

/** A key that names have in common which DNS takes for the same: upper and lower case are one. */
export function nameKey(name: Name): string {
  return formatName(name).toLowerCase();
}

/** The labels of a name that come before those of the zone; undefined where it is not of the zone. */
export function withinZone(name: Name, zone: Name): Name | undefined {
  const own = name.length - zone.length;
  if (own < 0 || nameKey(name.slice(own)) !== nameKey(zone)) return undefined;
  return name.slice(0, own);
}
