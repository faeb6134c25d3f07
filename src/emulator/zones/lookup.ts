import { cached } from "../../api/cached";
import { type Name, nameKey, withinZone } from "./dns-names";
import { type RenderedZones } from "./rendered";
import { type Served, TYPES, servedRecords } from "./zone-data";
import { zoneNameOf } from "./zone";

/** The codes of answers (RFC 1035, 4.1.1). */
export const CODE = { ok: 0, malformed: 1, noSuchName: 3, notImplemented: 4, refused: 5 } as const;

const TYPE_ANY = 255;
/** A longer chain of aliases is cut off. */
const MAX_ALIASES = 16;

export interface FoundRecords {
  readonly code: number;
  readonly isAuthoritative: boolean;
  readonly answers: readonly Served[];
  readonly authority: readonly Served[];
}

/** A zone with its records by name. */
interface ZoneIndex {
  readonly zone: Name;
  readonly all: readonly [soa: Served, ...Served[]];
  /** Has an empty list for a name that only leads to longer names. */
  readonly byName: ReadonlyMap<string, readonly Served[]>;
}

function indexOf(zone: Name, all: ZoneIndex["all"]): ZoneIndex {
  const byName = new Map<string, Served[]>();
  for (const record of all) {
    const key = nameKey(record.owner);
    cached(byName, key, () => []).push(record);
    for (let up = 1; record.owner.length - up > zone.length; up++) {
      const above = nameKey(record.owner.slice(up));
      if (byName.has(above)) break;
      byName.set(above, []);
    }
  }
  return { zone, all, byName };
}

/** The names between a name and its zone, the longest first, and the zone. */
const above = (name: Name, zone: Name): Name[] =>
  Array.from({ length: name.length - zone.length }, (_, up) => name.slice(up + 1));

/** The records of a name, or those of the wildcard that stands for it. It is undefined for a name that does not exist. */
function recordsOf({ zone, byName }: ZoneIndex, name: Name): readonly Served[] | undefined {
  const own = byName.get(nameKey(name));
  if (own) return own;
  const encloser = above(name, zone).find((one) => byName.has(nameKey(one)));
  const wild = encloser && byName.get(nameKey([Buffer.from("*"), ...encloser]));
  return wild?.map((record) => ({ ...record, owner: name }));
}

/** The nameservers that a part of the zone is delegated to, for a name below that part. */
function delegation({ zone, byName }: ZoneIndex, name: Name): readonly Served[] {
  const parts = above(name, zone).slice(0, -1).reverse();
  for (const part of parts) {
    const servers = (byName.get(nameKey(part)) ?? []).filter(({ type }) => type === TYPES["NS"]);
    if (servers.length > 0) return servers;
  }
  return [];
}

/** Answers a question about a name of the zone, and follows its aliases within the zone (RFC 1034, 4.3.2). */
function find(index: ZoneIndex, asked: Name, type: number): FoundRecords {
  const answers: Served[] = [];
  const authority = [index.all[0]];
  let name = asked;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
    const servers = delegation(index, name);
    if (servers.length > 0) {
      return { code: CODE.ok, isAuthoritative: answers.length > 0, answers, authority: servers };
    }
    const records = recordsOf(index, name);
    if (!records) return { code: CODE.noSuchName, isAuthoritative: true, answers, authority };
    const wanted = records.filter((record) => type === TYPE_ANY || record.type === type);
    if (wanted.length > 0) {
      return { code: CODE.ok, isAuthoritative: true, answers: [...answers, ...wanted], authority: [] };
    }
    const alias = records.find((record) => record.type === TYPES["CNAME"]);
    if (!alias) return { code: CODE.ok, isAuthoritative: true, answers, authority };
    answers.push(alias);
    if (!alias.target || !withinZone(alias.target, index.zone)) break;
    name = alias.target;
  }
  return { code: CODE.ok, isAuthoritative: true, answers, authority: [] };
}

const REFUSED: FoundRecords = { code: CODE.refused, isAuthoritative: false, answers: [], authority: [] };

/** Finds records in the rendered zones. Reads a zone again when it was rendered again. */
export class ZoneLookup {
  #version = -1;
  #ids = new Map<string, { readonly id: number; readonly zone: Name }>();
  readonly #indexes = new Map<number, ZoneIndex | undefined>();

  constructor(private readonly zones: RenderedZones) {}

  find(name: Name, type: number): FoundRecords {
    const index = this.#indexFor(name);
    return index ? find(index, name, type) : REFUSED;
  }

  /** All records of a zone, with the SOA first and last as a transfer has them (RFC 5936, 2.2). */
  transfer(zone: Name): readonly Served[] | undefined {
    const index = this.#indexFor(zone);
    return index && index.zone.length === zone.length ? [...index.all, index.all[0]] : undefined;
  }

  #indexFor(name: Name): ZoneIndex | undefined {
    const domains = this.zones.domains();
    if (this.#version !== this.zones.version) {
      this.#version = this.zones.version;
      this.#indexes.clear();
      const named = domains.flatMap((domain) => {
        const zone = zoneNameOf(domain);
        return zone ? [[nameKey(zone), { id: domain.id, zone }] as const] : [];
      });
      this.#ids = new Map(named);
    }
    const found = [name, ...above(name, [])].map((one) => this.#ids.get(nameKey(one))).find(Boolean);
    return found && this.#read(found);
  }

  #read({ id, zone }: { readonly id: number; readonly zone: Name }): ZoneIndex | undefined {
    return cached(this.#indexes, id, () => {
      const rendered = this.zones.of(id);
      return rendered && indexOf(zone, servedRecords(zone, rendered));
    });
  }
}
