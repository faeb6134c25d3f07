import { RECORD_TTLS, RECORD_TYPE_FIELDS } from "../../api/records";
import { type Part } from "../../provider/describe/together";
import { canonicalAddress, type Properties, UNKNOWN } from "../../provider/base/values";
import { NAMING } from "./record-rules";

/** The labels of a name in lower case, without escapes. */
export type Labels = readonly string[];

/** A record in its zone. */
export interface ZoneEntry {
  readonly part: Part;
  readonly order: number;
  readonly type: string;
  readonly inputs: Properties;
  /** The labels of its name before those of the domain. Undefined for a name that is not in the domain, or not valid. */
  readonly own: Labels | undefined;
  /** Whether its name and type are known. */
  readonly isKnown: boolean;
  /** The target as a name. Undefined for other targets, and for one that is not valid. */
  readonly target: Labels | undefined;
  /** The size of its set of records in a message, up to this record. */
  readonly octets: number;
}

/** The records of one name and type. */
interface RecordSet {
  readonly entries: Set<ZoneEntry>;
  octets: number;
}

export const ADDRESSES = ["A", "AAAA"];
/** The type, class and time to live of a set of records. */
const SET_OCTETS = 8;
/** A backslash takes the meaning of a period away. */
const PERIOD = /(?<=(?:^|[^\\])(?:\\\\)*)\./;
const isAbsolute = (name: string) => name.split(PERIOD).at(-1) === "";
export const wireOf = (labels: Labels) =>
  labels.reduce((sum, label) => sum + Buffer.byteLength(label) + 1, 1);
const keyOf = (labels: Labels) => labels.join("\0");

/** Undefined if a label is empty. */
export function labelsOf(name: string): Labels | undefined {
  if (name === "." || name === "" || name === "@") return [];
  const labels = name.split(PERIOD);
  if (labels.at(-1) === "") labels.pop();
  const plain = (_: string, code: string) => (code.length === 3 ? String.fromCharCode(Number(code)) : code);
  if (labels.includes("")) return undefined;
  return labels.map((label) => label.replace(/\\(\d{3}|[^])/g, plain).toLowerCase());
}

export const endsIn = (labels: Labels, end: Labels) =>
  labels.length >= end.length && end.every((label, index) => labels.at(index - end.length) === label);

/** Records of one domain, by what they have to do with each other. */
export class ZoneRecords {
  /** The labels of the domain's name. */
  readonly name: Labels | undefined;
  readonly #entries = new Map<Part, ZoneEntry>();
  readonly #sets = new Map<string, Map<string, RecordSet>>();
  readonly #targeting = new Map<string, Set<ZoneEntry>>();
  readonly #same = new Map<string, ZoneEntry>();
  /** How many records are at each name and below it. */
  readonly #at = new Map<string, number>();
  #order = 0;
  #unknown = 0;

  /** @param name the name of the domain, if it is known */
  constructor(name?: string) {
    this.name = name === undefined ? undefined : labelsOf(name);
  }

  add(part: Part): void {
    const { inputs } = part;
    const type = String(inputs["type"]);
    const own = this.#ownOf(inputs);
    const target = NAMING.includes(type) && inputs["target"] !== UNKNOWN ? inputs["target"] : undefined;
    const labels = typeof target === "string" ? labelsOf(target) : undefined;
    const key = own === undefined ? "" : keyOf(own);
    const types = this.#sets.get(key) ?? new Map<string, RecordSet>();
    const set = types.get(type) ?? { entries: new Set(), octets: SET_OCTETS };
    const octets = set.octets + 2 + octetsOf(type, inputs, labels);
    const isKnown = ["type", "name", "service", "protocol"].every((field) => inputs[field] !== UNKNOWN);
    const entry: ZoneEntry = {
      part,
      order: this.#order++,
      type,
      inputs,
      own,
      isKnown,
      target: labels,
      octets,
    };
    this.#entries.set(part, entry);
    if (!isKnown) this.#unknown++;
    if (own === undefined || !isKnown) return;
    set.octets = octets;
    set.entries.add(entry);
    this.#sets.set(key, types.set(type, set));
    own.forEach((_, index) => this.#count(own.slice(index), 1));
    if (labels !== undefined) {
      const to = keyOf(labels);
      this.#targeting.set(to, (this.#targeting.get(to) ?? new Set()).add(entry));
    }
    const content = contentOf(entry);
    if (!this.#same.has(content)) this.#same.set(content, entry);
  }

  remove(part: Part): void {
    const entry = this.#entries.get(part);
    this.#entries.delete(part);
    if (entry === undefined) return;
    const { own, type, isKnown, target } = entry;
    if (!isKnown) this.#unknown--;
    if (own === undefined) return;
    const types = this.#sets.get(keyOf(own));
    if (types?.get(type)?.entries.delete(entry) !== true) return;
    if (types.get(type)?.entries.size === 0) types.delete(type);
    own.forEach((_, index) => this.#count(own.slice(index), -1));
    if (target !== undefined) this.#targeting.get(keyOf(target))?.delete(entry);
    if (this.#same.get(contentOf(entry)) === entry) this.#same.delete(contentOf(entry));
  }

  entryOf(part: Part): ZoneEntry | undefined {
    return this.#entries.get(part);
  }

  /** Whether the name and type of each record are known. */
  get isKnown(): boolean {
    return this.#unknown === 0;
  }

  /** The records whose problems a record may be the reason for. */
  related(part: Part): Part[] {
    const entry = this.#entries.get(part);
    if (entry?.own === undefined) return [];
    const { own, type } = entry;
    const others =
      type === "CNAME"
        ? this.#targeting.get(keyOf(this.full(own)))
        : this.#sets.get(keyOf(own))?.get("CNAME")?.entries;
    return [...(others ?? [])].map((other) => other.part);
  }

  /** A name with that of the domain, if it is known. */
  full(own: Labels): Labels {
    return [...own, ...(this.name ?? [])];
  }

  /** Another record of the name of a CNAME. Of several CNAMEs, checkers take the first as the right one. */
  besides(entry: ZoneEntry): ZoneEntry | undefined {
    const types = entry.own && this.#sets.get(keyOf(entry.own));
    for (const [type, { entries }] of types ?? [])
      for (const other of entries) {
        const isSecond = type !== "CNAME" || (other.order < entry.order && !isEqual(other, entry));
        if (other !== entry && isSecond && isSure(other)) return other;
      }
    return undefined;
  }

  /** The first record of the same name and type, if it has another time to live. */
  otherTime(entry: ZoneEntry): ZoneEntry | undefined {
    const set = entry.own && this.#sets.get(keyOf(entry.own))?.get(entry.type);
    if (set === undefined || timeOf(entry) === UNKNOWN) return undefined;
    for (const other of set.entries) {
      if (other === entry) return undefined;
      if (!isSure(other) || timeOf(other) === UNKNOWN) continue;
      if (timeOf(other) === timeOf(entry)) return undefined;
      // The account may have this record with the time to live that it had before.
      if (other.part.isThere !== true || !isEqual(other, entry)) return other;
    }
    return undefined;
  }

  /** A record with the same data of the same name, as DNS compares it. */
  sameAs(entry: ZoneEntry): ZoneEntry | undefined {
    if (entry.own === undefined || entry.inputs["target"] === UNKNOWN) return undefined;
    const other = this.#same.get(contentOf(entry));
    return other === undefined ||
      other === entry ||
      other.part.isThere === true ||
      entry.part.isThere === true
      ? undefined
      : other;
  }

  /** The CNAME that the target of a record names, or whether it has an address. Undefined if this is not known, or not asked of the zone. */
  hostOf({ own, type, target }: ZoneEntry): ZoneEntry | "none" | undefined {
    const { name } = this;
    if (name === undefined || own === undefined || target === undefined || !endsIn(target, name))
      return undefined;
    const isAtCut = (labels: Labels) => labels.length > 0 && this.#has(labels, "NS");
    const isBelowCut = (labels: Labels) =>
      labels.some((_, index) => index > 0 && isAtCut(labels.slice(index)));
    // What is below a delegation is not served, except the addresses of its nameservers.
    if (isBelowCut(own) || (type !== "NS" && isAtCut(own))) return undefined;
    const host = target.slice(0, target.length - name.length);
    if (this.#has(host, ...ADDRESSES)) return undefined;
    const isThere = host.length === 0 || this.#at.has(keyOf(host));
    if (isAtCut(host) || isBelowCut(host))
      return type === "NS" && (own.length > 0 || isThere) ? "none" : undefined;
    const covering = isThere ? host : this.#wildcardOf(host);
    if (this.#has(covering, ...ADDRESSES)) return undefined;
    const [alias] = this.#sets.get(keyOf(covering))?.get("CNAME")?.entries ?? [];
    return alias === undefined ? "none" : isSure(alias) ? alias : undefined;
  }

  /** The wildcard that answers for a name that does not exist (RFC 4592, 3.3.1). */
  #wildcardOf(own: Labels): Labels {
    const above = own.map((_, index) => own.slice(index + 1)).find((labels) => this.#at.has(keyOf(labels)));
    return ["*", ...(above ?? [])];
  }

  #has(own: Labels, ...types: readonly string[]): boolean {
    const there = this.#sets.get(keyOf(own));
    return types.some((type) => there?.has(type));
  }

  #count(own: Labels, by: number): void {
    const [key, count] = [keyOf(own), (this.#at.get(keyOf(own)) ?? 0) + by];
    if (count > 0) this.#at.set(key, count);
    else this.#at.delete(key);
  }

  #ownOf({ name, type, service, protocol }: Properties): Labels | undefined {
    if (name === UNKNOWN || service === UNKNOWN || protocol === UNKNOWN) return undefined;
    const text = typeof name === "string" ? name : "";
    let own = labelsOf(text);
    if (text !== "" && isAbsolute(text)) {
      if (own === undefined || this.name === undefined || !endsIn(own, this.name)) return undefined;
      own = own.slice(0, own.length - this.name.length);
    }
    if (type !== "SRV" || typeof service !== "string" || typeof protocol !== "string") return own;
    const underscored = (label: string) => (label.startsWith("_") ? label : `_${label}`).toLowerCase();
    return own && [underscored(service), underscored(protocol), ...own];
  }
}

/** Whether a problem may rely on a record: it is not known to change. */
const isSure = ({ part }: ZoneEntry) => part.isSure !== false;

/** Whether two records are the same, or one is the other as the account has it. */
const isEqual = (one: ZoneEntry, other: ZoneEntry) => contentOf(one) === contentOf(other);

/** The time to live of a record. Unknown if the service rounds it. */
function timeOf({ inputs, part }: ZoneEntry): unknown {
  const { ttlSec } = inputs;
  if (ttlSec === undefined || ttlSec === null || ttlSec === 0) return undefined;
  return part.isThere === true || RECORD_TTLS.some((ttl) => ttl === ttlSec) ? ttlSec : UNKNOWN;
}

/** The data of a record with its name, in one spelling. */
function contentOf({ own = [], type, target, inputs }: ZoneEntry): string {
  const text = String(inputs["target"]);
  const data =
    target === undefined ? (ADDRESSES.includes(type) ? canonicalAddress(text) : text) : keyOf(target);
  return JSON.stringify([keyOf(own), type, data, ...FIELDS.map((field) => inputs[field] ?? null)]);
}

const FIELDS = Object.keys(RECORD_TYPE_FIELDS);

/** The size of the data of a record in a message. */
function octetsOf(type: string, { target, tag }: Properties, labels: Labels | undefined): number {
  if (labels !== undefined) return wireOf(labels) + (type === "SRV" ? 6 : type === "MX" ? 2 : 0);
  const octets = typeof target === "string" && target !== UNKNOWN ? Buffer.byteLength(target) : 0;
  // A text is sent in strings of up to 255 octets, each after its length.
  if (type === "TXT") return octets + Math.max(1, Math.ceil(octets / 255));
  return type === "CAA" ? 2 + String(tag).length + octets : type === "A" ? 4 : 16;
}
