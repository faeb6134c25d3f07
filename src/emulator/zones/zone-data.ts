import { type Name, ROOT, nameOctets, parseName } from "./dns-names";
import { NAMESERVERS, type Rendered, type ZoneRecord, contactOf, servable, timesOf, stringsOf } from "./zone";

/** The numbers of the types of records (RFC 1035, 3596, 2782 and 8659). */
export const TYPES: Readonly<Record<string, number>> = {
  ...{ A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, CAA: 257 },
};

/** A record as a nameserver serves it. */
export interface Served {
  readonly owner: Name;
  readonly type: number;
  readonly ttl: number;
  readonly data: Buffer;
  /** The name that an alias, an NS, an MX or an SRV record leads to. */
  readonly target?: Name;
}

export const u16 = (...values: readonly number[]): Buffer =>
  Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));

export const u32 = (...values: readonly number[]): Buffer =>
  u16(...values.flatMap((value) => [value >>> 16, value & 0xffff]));

const withLength = (octets: Buffer): Buffer => Buffer.concat([Buffer.of(octets.length), octets]);

/** The octets of an IPv6 address. */
function octetsV6(address: string): Buffer {
  // A URL writes an IPv4 part as two groups.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text = "") => text.split(":").filter(Boolean);
  const zeros = new Array<string>(8 - groups(head).length - groups(tail).length).fill("0");
  return u16(...[...groups(head), ...zeros, ...groups(tail)].map((group) => parseInt(group, 16)));
}

/** The data of a record that can be served. */
function dataOf({ type, target, priority, weight, port, tag }: ZoneRecord): Pick<Served, "data" | "target"> {
  switch (type) {
    case "A":
      return { data: Buffer.from(target.split(".").map(Number)) };
    case "AAAA":
      return { data: octetsV6(target) };
    case "TXT":
      return { data: Buffer.concat(stringsOf(target).map(withLength)) };
    case "CAA":
      return { data: Buffer.concat([Buffer.of(0), withLength(Buffer.from(tag ?? "")), Buffer.from(target)]) };
  }
  const name = parseName(target) ?? ROOT;
  const numbers = { MX: [priority], SRV: [priority, weight, port] }[type] ?? [];
  return { data: Buffer.concat([u16(...numbers), nameOctets(name)]), target: name };
}

/** All records of a zone, the SOA first. A nameserver serves them as the zone file has them. */
export function servedRecords(zone: Name, { domain, records }: Rendered): [soa: Served, ...Served[]] {
  const times = timesOf(domain);
  const usual = times.at(-1) ?? 0;
  const servers = NAMESERVERS.map((name) => parseName(name) ?? ROOT);
  const names = [...nameOctets(servers[0] ?? ROOT), ...nameOctets(contactOf(domain))];
  const soa = Buffer.concat([Buffer.from(names), u32(domain.id, ...times)]);
  const serve = servable(records, zone);
  return [
    { owner: zone, type: TYPES["SOA"] ?? 0, ttl: usual, data: soa },
    ...servers.map((target) => ({
      ...{ owner: zone, type: TYPES["NS"] ?? 0, ttl: usual },
      ...{ data: nameOctets(target), target },
    })),
    ...records.flatMap((record): Served[] => {
      const owner = serve(record)?.owner;
      if (!owner) return [];
      const ttl = record.ttl_sec > 0 ? record.ttl_sec : usual;
      return [{ owner, type: TYPES[record.type] ?? 0, ttl, ...dataOf(record) }];
    }),
  ];
}
