import { isIPv4, isIPv6 } from "node:net";
import { type Name, formatAbsolute, formatName, nameKey, parseName, withinZone } from "./dns-names";

/** The fields of a domain that its zone file depends on. */
export interface ZoneDomain {
  readonly id: number;
  readonly domain: string;
  readonly type: string;
  readonly status: string;
  readonly soa_email: string | null;
  readonly expire_sec: number;
  readonly refresh_sec: number;
  readonly retry_sec: number;
  readonly ttl_sec: number;
}

/** The fields of a record that its line depends on. */
export interface ZoneRecord {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly target: string;
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly service: string | null;
  readonly protocol: string | null;
  readonly tag: string | null;
  readonly ttl_sec: number;
}

/** What the service would serve where a time is left at 0; the reference does not show it. */
const DEFAULTS = { refresh_sec: 14_400, retry_sec: 14_400, expire_sec: 1_209_600, ttl_sec: 86_400 };

/** The greatest time that DNS knows (RFC 2181, 8). */
const MAX_SECONDS = 2 ** 31 - 1;

const MAX_STRING_OCTETS = 255;

/** The nameservers of the service, which serve every zone. */
export const NAMESERVERS = ["ns1.nodecloud.example.", "ns2.nodecloud.example."];

/** The time that is set, as far as DNS can say it, or else the usual one. */
function secondsOf(domain: ZoneDomain, field: keyof typeof DEFAULTS): number {
  const seconds = domain[field];
  return seconds > 0 ? Math.min(seconds, MAX_SECONDS) : DEFAULTS[field];
}

function escaped(octet: number): string {
  if (octet < 32 || octet > 126) return `\\${String(octet).padStart(3, "0")}`;
  const character = String.fromCharCode(octet);
  return /["\\]/.test(character) ? `\\${character}` : character;
}

function quoted(octets: Buffer): string {
  return `"${[...octets].map(escaped).join("")}"`;
}

/** A text in as many strings as it needs: each holds up to 255 octets. */
function texts(text: string): string {
  const octets = Buffer.from(text);
  const count = Math.max(1, Math.ceil(octets.length / MAX_STRING_OCTETS));
  return Array.from({ length: count }, (_, index) =>
    quoted(octets.subarray(index * MAX_STRING_OCTETS, (index + 1) * MAX_STRING_OCTETS)),
  ).join(" ");
}

/** A target that is a name: it is absolute, with its closing dot or without. */
function nameTarget(target: string): string | undefined {
  const name = parseName(target);
  return name && formatAbsolute(name);
}

function after(numbers: readonly number[], target: string | undefined): string | undefined {
  return target && [...numbers, target].join(" ");
}

/** The data of a record; undefined where its target does not fit its type. */
function dataOf({ type, target, priority, weight, port, tag }: ZoneRecord): string | undefined {
  switch (type) {
    case "A":
      return isIPv4(target) ? target : undefined;
    case "AAAA":
      return isIPv6(target) && !target.includes("%") ? target : undefined;
    case "MX":
      return after([priority], nameTarget(target));
    case "SRV":
      return after([priority, weight, port], nameTarget(target));
    case "CAA":
      return `0 ${tag ?? ""} ${quoted(Buffer.from(target))}`;
    case "TXT":
      return texts(target);
    default:
      return nameTarget(target);
  }
}

/** The whole name of a record; undefined where it is none, or one of another zone. */
function ownerOf({ name, service, protocol, type }: ZoneRecord, zone: Name): Name | undefined {
  const underscored = (label: string) => (label.startsWith("_") ? label : `_${label}`);
  const labels = type === "SRV" && service && protocol ? [service, protocol].map(underscored) : [];
  const text = [...labels, ...(name === "" || name === "@" ? [] : [name])].join(".");
  if (text === "") return zone;
  const suffix = text.endsWith(".") ? "" : `.${formatAbsolute(zone)}`;
  const owner = parseName(text + suffix);
  return owner && withinZone(owner, zone) && owner;
}

/** Which record is an alias that cannot stand: at the apex, or beside other records of its name (RFC 1034, 3.6.2). */
function strayAliases(
  entries: readonly { readonly owner?: Name | undefined; readonly record: ZoneRecord }[],
  zone: Name,
) {
  const first = new Map<string, ZoneRecord>();
  const others = new Set([nameKey(zone)]);
  for (const { owner, record } of entries) {
    if (!owner) continue;
    if (record.type !== "CNAME") others.add(nameKey(owner));
    else if (!first.has(nameKey(owner))) first.set(nameKey(owner), record);
  }
  return (owner: Name, record: ZoneRecord) =>
    record.type === "CNAME" && (others.has(nameKey(owner)) || first.get(nameKey(owner)) !== record);
}

function ownerText(owner: Name, zone: Name): string {
  const own = withinZone(owner, zone) ?? owner;
  return own.length === 0 ? "@" : formatName(own);
}

/** Makes the line of each record. What it takes to tell whether an alias can stand is looked for with the first alias. */
function lineMaker(records: readonly ZoneRecord[], zone: Name): (record: ZoneRecord) => string {
  let isStray: ReturnType<typeof strayAliases> | undefined;
  const cannotStand = (owner: Name, record: ZoneRecord) => {
    if (record.type !== "CNAME") return false;
    isStray ??= strayAliases(
      records.map((each) => ({ record: each, owner: ownerOf(each, zone) })),
      zone,
    );
    return isStray(owner, record);
  };
  return (record) => {
    const owner = ownerOf(record, zone);
    const data = dataOf(record);
    if (!owner || data === undefined || cannotStand(owner, record)) {
      return `; record ${record.id} (${record.type}) is left out: it cannot be served`;
    }
    const ttl = record.ttl_sec > 0 ? [record.ttl_sec] : [];
    return [ownerText(owner, zone), ...ttl, "IN", record.type, data].join(" ");
  };
}

/** The mail address as a name: the dots before the at sign belong to its first label. */
function contactOf(email: string): string {
  const at = email.lastIndexOf("@");
  const host = parseName(email.slice(at + 1));
  return host && at > 0 ? formatAbsolute([Buffer.from(email.slice(0, at)), ...host]) : ".";
}

/** The lines before those of the records. */
function headOf(domain: ZoneDomain, zone: Name): string[] {
  const ttl = secondsOf(domain, "ttl_sec");
  const times = [
    secondsOf(domain, "refresh_sec"),
    secondsOf(domain, "retry_sec"),
    secondsOf(domain, "expire_sec"),
    ttl,
  ];
  return [
    `; ${formatName(zone)} [${domain.id}]`,
    `$ORIGIN ${formatAbsolute(zone)}`,
    `$TTL ${ttl}`,
    `@ IN SOA ${NAMESERVERS[0]} ${contactOf(domain.soa_email ?? "")} ${domain.id} ${times.join(" ")}`,
    ...NAMESERVERS.map((server) => `@ IN NS ${server}`),
  ];
}

/** The lines of a zone file, made when they are asked for: a part of a long one costs little. */
export interface ZoneFile {
  readonly length: number;
  slice(from: number, to: number): string[];
}

/** The zone file; without lines for a domain that is disabled, kept elsewhere, or whose name DNS cannot have. */
export function zoneFile(domain: ZoneDomain, records: readonly ZoneRecord[]): ZoneFile {
  const zone = parseName(domain.domain);
  if (!zone || domain.status === "disabled" || domain.type === "slave") {
    return { length: 0, slice: () => [] };
  }
  const head = headOf(domain, zone);
  const lineOf = lineMaker(records, zone);
  return {
    length: head.length + records.length,
    slice(from, to) {
      const [first, end] = [from, to].map((line) => Math.max(0, line - head.length));
      return [...head.slice(from, to), ...records.slice(first, end).map(lineOf)];
    },
  };
}

/** All lines of the zone file. */
export function renderZone(domain: ZoneDomain, records: readonly ZoneRecord[]): string[] {
  const file = zoneFile(domain, records);
  return file.slice(0, file.length);
}
