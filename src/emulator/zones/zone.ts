import { isIPv4, isIPv6 } from "node:net";
import { type DomainFields } from "../kinds/domain";
import { type Listing } from "../operations/validation";
import {
  type Name,
  ROOT,
  escaped,
  formatAbsolute,
  formatName,
  nameKey,
  parseName,
  withinZone,
} from "./dns-names";

/** The fields of a record that its line depends on. */
export type ZoneRecord = Readonly<
  Record<"type" | "name" | "target", string> &
    Record<"id" | "priority" | "weight" | "port" | "ttl_sec", number> &
    Record<"service" | "protocol" | "tag", string | null>
>;

/** The times that the zone file contains in place of 0. The reference does not show them. */
const DEFAULTS = { refresh_sec: 14_400, retry_sec: 14_400, expire_sec: 1_209_600, ttl_sec: 86_400 };

/** The fields of a domain that its zone file depends on. */
export type ZoneDomain = Readonly<
  Pick<DomainFields, "id" | "domain" | "type" | "status" | "soa_email" | keyof typeof DEFAULTS>
>;

/** A domain with its records as they were when its zone was rendered. */
export interface Rendered {
  readonly domain: ZoneDomain;
  readonly records: readonly ZoneRecord[];
}

/** The longest time in DNS (RFC 2181, 8). */
const MAX_SECONDS = 2 ** 31 - 1;

const MAX_STRING_OCTETS = 255;

/** The nameservers of the service, which serve every zone. */
export const NAMESERVERS = ["ns1.nodecloud.example.", "ns2.nodecloud.example."];

/** Characters without a special meaning in quotes. */
const PLAIN_IN_QUOTES = /^(?!["\\])[ -~]$/;

const quoted = (octets: Buffer): string => `"${escaped(octets, PLAIN_IN_QUOTES)}"`;

/** A text as one or more strings. Each has up to 255 octets. */
export function stringsOf(text: string): Buffer[] {
  const octets = Buffer.from(text);
  const count = Math.max(1, Math.ceil(octets.length / MAX_STRING_OCTETS));
  return Array.from({ length: count }, (_, index) =>
    octets.subarray(index * MAX_STRING_OCTETS, (index + 1) * MAX_STRING_OCTETS),
  );
}

/** A target that is a name. It is absolute, with or without the final dot. */
function nameTarget(target: string): string | undefined {
  const name = parseName(target);
  return name && formatAbsolute(name);
}

const after = (numbers: readonly number[], target: string | undefined): string | undefined =>
  target && [...numbers, target].join(" ");

/** The data of a record. It is undefined if the target does not fit the type. */
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
      return stringsOf(target).map(quoted).join(" ");
    default:
      return nameTarget(target);
  }
}

/** The full name of a record. It is undefined for an invalid name or another zone. */
function ownerOf({ name, service, protocol, type }: ZoneRecord, zone: Name): Name | undefined {
  const underscored = (label: string) => (label.startsWith("_") ? label : `_${label}`);
  const labels = type === "SRV" && service && protocol ? [service, protocol].map(underscored) : [];
  const text = [...labels, ...(name === "" || name === "@" ? [] : [name])].join(".");
  if (text === "") return zone;
  const suffix = text.endsWith(".") ? "" : `.${formatAbsolute(zone)}`;
  const owner = parseName(text + suffix);
  return owner && withinZone(owner, zone) && owner;
}

/** The invalid aliases: those at the apex, and those beside other records of the same name (RFC 1034, 3.6.2). */
function strayAliases(records: readonly ZoneRecord[], zone: Name): ReadonlySet<ZoneRecord> {
  const aliases = new Map<ZoneRecord, string>();
  const taken = new Set([nameKey(zone)]);
  for (const record of records) {
    const owner = ownerOf(record, zone);
    if (!owner) continue;
    if (record.type === "CNAME") aliases.set(record, nameKey(owner));
    else taken.add(nameKey(owner));
  }
  const strays = new Set<ZoneRecord>();
  for (const [alias, name] of aliases) {
    if (taken.has(name)) strays.add(alias);
    taken.add(name);
  }
  return strays;
}

function ownerText(owner: Name, zone: Name): string {
  const own = withinZone(owner, zone) ?? owner;
  return own.length === 0 ? "@" : formatName(own);
}

/**
 * Returns a function that gives the full name of a record and its data in a zone file. It gives nothing for a record that
 * cannot be served. The first alias finds the invalid ones.
 */
export function servable(records: readonly ZoneRecord[], zone: Name) {
  let strays: ReadonlySet<ZoneRecord> | undefined;
  return (record: ZoneRecord): { owner: Name; data: string } | undefined => {
    const owner = ownerOf(record, zone);
    const data = dataOf(record);
    if (record.type === "CNAME") strays ??= strayAliases(records, zone);
    return owner && data !== undefined && !strays?.has(record) ? { owner, data } : undefined;
  };
}

/** Returns a function that makes the line of a record. */
function lineMaker(records: readonly ZoneRecord[], zone: Name): (record: ZoneRecord) => string {
  const serve = servable(records, zone);
  return (record) => {
    const served = serve(record);
    if (!served) return `; record ${record.id} (${record.type}) is left out: it cannot be served`;
    const ttl = record.ttl_sec > 0 ? [record.ttl_sec] : [];
    return [ownerText(served.owner, zone), ...ttl, "IN", record.type, served.data].join(" ");
  };
}

/** A mail address as a name. The part before the at sign is the first label, with its dots. */
export function contactOf({ soa_email: email }: ZoneDomain): Name {
  const at = email?.lastIndexOf("@") ?? -1;
  const host = parseName(email?.slice(at + 1) ?? "");
  return host && at > 0 ? [Buffer.from(email?.slice(0, at) ?? ""), ...host] : ROOT;
}

/** Refresh, retry, expire, and the time to live of all that has none of its own. */
export function timesOf(domain: ZoneDomain): number[] {
  const names = ["refresh_sec", "retry_sec", "expire_sec", "ttl_sec"] as const;
  return names.map((name) => (domain[name] > 0 ? Math.min(domain[name], MAX_SECONDS) : DEFAULTS[name]));
}

/** The lines before the records. */
function headOf(domain: ZoneDomain, zone: Name): string[] {
  const times = timesOf(domain);
  return [
    `; ${formatName(zone)} [${domain.id}]`,
    `$ORIGIN ${formatAbsolute(zone)}`,
    `$TTL ${times.at(-1)}`,
    `@ IN SOA ${NAMESERVERS[0]} ${formatAbsolute(contactOf(domain))} ${domain.id} ${times.join(" ")}`,
    ...NAMESERVERS.map((server) => `@ IN NS ${server}`),
  ];
}

/** The name of a domain's zone. It is undefined for a domain that is disabled, is a slave, or has a name that is not valid in DNS. */
export const zoneNameOf = ({ domain, status, type }: ZoneDomain): Name | undefined =>
  status === "disabled" || type === "slave" ? undefined : parseName(domain);

/** The lines of a zone file; `slice` makes only the requested lines. It has none for a domain without a zone. */
export function zoneFile({ domain, records }: Rendered): Listing<string> {
  const zone = zoneNameOf(domain);
  if (!zone) return [];
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
export function renderZone(rendered: Rendered): string[] {
  const file = zoneFile(rendered);
  return [...file.slice(0, file.length)];
}
