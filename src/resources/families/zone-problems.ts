import { isIP } from "node:net";
import { quotedStart } from "../../api/text";
import { type Clash, type Part, type Whole } from "../../provider/describe/together";
import { UNKNOWN } from "../../provider/base/values";
import { NAMING } from "./record-rules";
import {
  ADDRESSES,
  endsIn,
  type ZoneEntry,
  type Labels,
  labelsOf,
  wireOf,
  ZoneRecords,
} from "./zone-records";

interface RecordProblem {
  readonly reason: string | ((other: string) => string);
  readonly with?: ZoneEntry;
}

/** Finds one problem of a record in its zone. */
interface Rule {
  readonly property: string;
  readonly types?: readonly string[];
  find(entry: ZoneEntry, zone: ZoneRecords, isComplete: boolean): RecordProblem | string | false | undefined;
}

/** Their target must have an address. */
const HOSTING = ["NS", "MX", "SRV"];
const [MAX_LABEL, MAX_NAME, MAX_MESSAGE] = [63, 255, 65_535];
const HOST_LABEL = /^(?!-)[a-z\d-]+(?<!-)$/;
/** Names that have addresses though no host has them: of macros in SPF, and of Active Directory. */
const isSpecial = (type: string, [first = "", second = "", ...rest]: Labels) =>
  (type === "A" && [first, second].some((label) => ["_spf", "_spf_rate", "_spf_verify"].includes(label))) ||
  (first === "gc" && second === "_msdcs" && isHost(rest));
/** Names of DNS-SD (RFC 6763, 11), whose targets are no hosts. */
const isBrowsed = ([first = "", second, third]: Labels) =>
  ["b", "db", "r", "dr", "lb"].includes(first) && second === "_dns-sd" && third === "_udp";

const isHost = (labels: Labels) => labels.every((label) => HOST_LABEL.test(label));
const textAt = ({ inputs }: ZoneEntry, field: string) => {
  const value = inputs[field];
  return typeof value === "string" && value !== UNKNOWN ? value : undefined;
};

const isHostName = (target: string) => !/\s/.test(target) && isIP(target.replace(/\.$/, "")) === 0;

/** Why a name cannot be in a message. */
function nameProblem(labels: Labels | undefined): string | undefined {
  if (labels === undefined) return "has an empty label; write one period between two labels";
  const longest = Math.max(0, ...labels.map((label) => Buffer.byteLength(label)));
  if (longest > MAX_LABEL) return `has a label of ${longest} octets; a label has at most ${MAX_LABEL}`;
  const octets = wireOf(labels);
  return octets > MAX_NAME
    ? `makes a name of ${octets} octets; a name has at most ${MAX_NAME}, with the domain and one for each label`
    : undefined;
}

/**
 * The problems that `named-checkzone` and `kzonecheck` report, and those that they do not see: a name that repeats the domain, an address as the target of
 * types other than MX and NS, and equal records.
 */
const RULES: readonly Rule[] = [
  {
    property: "name",
    find: (entry, zone) =>
      entry.own === undefined
        ? zone.name !== undefined &&
          entry.isKnown &&
          `${quotedStart(textAt(entry, "name") ?? "")} is not in the domain ${zone.name.join(".")}; write the name relative to it, without a period at the end`
        : nameProblem(zone.full(entry.own)),
  },
  {
    property: "name",
    find: (entry, { name: zone = [] }) => {
      const name = textAt(entry, "name");
      const labels = name === undefined || name.endsWith(".") ? [] : (labelsOf(name) ?? []);
      if (zone.length === 0 || !endsIn(labels, zone)) return undefined;
      const rest = labels.slice(0, labels.length - zone.length).join(".");
      const advice = rest === "" ? "omit it for the domain itself" : `write ${JSON.stringify(rest)}`;
      const [quoted, full] = [quotedStart(name ?? ""), [...labels, ...zone].join(".")];
      return `${quoted} ends in the name of the domain, so the record is that of "${full}"; ${advice}`;
    },
  },
  {
    property: "name",
    types: [...ADDRESSES, "MX"],
    find: (entry, zone) => {
      const full = entry.own === undefined ? [] : zone.full(entry.own);
      const isFine =
        isHost(full[0] === "*" ? full.slice(1) : full) ||
        (entry.type !== "MX" && isSpecial(entry.type, full));
      // A name that is not in ASCII has a warning already.
      return (
        !isFine &&
        full.every((label) => /^\p{ASCII}*$/u.test(label)) &&
        `${quotedStart(entry.own?.join(".") ?? "")} is not the name of a host, which a record of type ${entry.type} needs: letters, digits and hyphens, with no hyphen at the ends of a label`
      );
    },
  },
  {
    property: "name",
    find: ({ own = [], type }) => {
      const quoted = quotedStart(own.join("."));
      if (type === "NS" && own[0] === "*")
        return `${quoted} is a wildcard, and an NS record cannot have one: create an NS record for each name`;
      return (
        own.includes("*", 1) &&
        `${quoted} has a * that is not its first label, so it is no wildcard (RFC 4592): write the * first, or omit it`
      );
    },
  },
  {
    property: "type",
    types: ["CNAME"],
    find: ({ own }) =>
      own?.length === 0 &&
      "is CNAME at the domain itself, which has SOA and NS records; a CNAME is the only record of its name (RFC 1034, 3.6.2): write A and AAAA records",
  },
  {
    property: "type",
    types: ["CNAME"],
    find: (entry, zone) => {
      const other = entry.own?.length === 0 ? undefined : zone.besides(entry);
      const reason = (called: string) =>
        `is CNAME, and ${called} has the same name; a CNAME is the only record of its name (RFC 1034, 3.6.2): remove or rename one of them`;
      return other && { reason, with: other };
    },
  },
  {
    property: "target",
    types: NAMING,
    find: (entry) => {
      const target = textAt(entry, "target") ?? "";
      if (isHostName(target)) return undefined;
      const numbers = /^([\d\s]+)\s(\S+)$/.exec(target);
      if (numbers !== null && HOSTING.includes(entry.type) && entry.type !== "NS")
        return `${quotedStart(target)} begins with ${entry.type === "MX" ? "a priority: set priority" : "numbers: set priority, weight and port"}, and target to the name alone`;
      return /\s/.test(target)
        ? `${quotedStart(target)} contains a blank; a record of type ${entry.type} names one host`
        : `${quotedStart(target)} is an IP address; a record of type ${entry.type} names a host: write a name that has this address in an A or AAAA record`;
    },
  },
  {
    property: "target",
    types: NAMING,
    find: (entry, zone) => {
      const target = textAt(entry, "target") ?? "";
      const reason = nameProblem(labelsOf(target));
      if (reason !== undefined) return `${quotedStart(target)} ${reason}`;
      const full = entry.own === undefined ? [] : zone.full(entry.own);
      const isReverse = /^(?:in-addr|ip6)\.arpa$/.test(full.slice(-2).join("."));
      const isOfHost =
        HOSTING.includes(entry.type) || (entry.type === "PTR" && isReverse && !isBrowsed(full));
      return (
        isOfHost &&
        isHostName(target) &&
        !isHost(entry.target ?? []) &&
        `${quotedStart(target)} is not the name of a host: letters, digits and hyphens, with no hyphen at the ends of a label`
      );
    },
  },
  {
    property: "target",
    types: HOSTING,
    find: (entry, zone, isComplete) => {
      const found = zone.hostOf(entry);
      const quoted = quotedStart(textAt(entry, "target") ?? "");
      if (typeof found === "object") {
        const reason = (called: string) =>
          `${quoted} is an alias (${called}), and a record of type ${entry.type} must name a host (RFC 2181, 10.3): write the name that the CNAME has as its target`;
        return { reason, with: found };
      }
      return (
        found === "none" &&
        isComplete &&
        `${quoted} is in the domain, and no record that exists or was declared before gives it an address: create an A or AAAA record`
      );
    },
  },
  {
    property: "target",
    find: (entry, zone) =>
      entry.own !== undefined &&
      entry.octets + wireOf(zone.full(entry.own)) > MAX_MESSAGE &&
      `makes the records of type ${entry.type} with this name longer than a message of DNS, which has at most ${MAX_MESSAGE} octets: shorten or remove some`,
  },
  {
    property: "ttlSec",
    find: (entry, zone) => {
      const other = zone.otherTime(entry);
      const time = ({ inputs }: ZoneEntry) =>
        inputs["ttlSec"] === undefined ? "none" : String(inputs["ttlSec"]);
      const reason = (called: string) =>
        `is ${time(entry)}, and ${called} with the same name and type has ${other && time(other)}; the records of one name and type have one time to live (RFC 2181, 5.2): set the same`;
      return other && { reason, with: other };
    },
  },
  {
    property: "target",
    find: (entry, zone) => {
      const other = zone.sameAs(entry);
      const reason = (called: string) => `makes this record the same as ${called}: remove one of the two`;
      return other && { reason, with: other };
    },
  },
];

/** The records of a domain, and what checkers of zones refuse or warn of in them. A value that is not known yet causes no problem. */
export class Zone extends ZoneRecords implements Whole {
  /** The problems of a record. `isComplete`: all records of the domain in the program and the account are known. */
  problems(part: Part, isComplete: boolean): Clash[] {
    const entry = this.entryOf(part);
    if (entry === undefined || entry.inputs["type"] === UNKNOWN) return [];
    return RULES.flatMap(({ types, property, find }): Clash[] => {
      const found =
        types === undefined || types.includes(entry.type)
          ? find(entry, this, isComplete && this.isKnown)
          : undefined;
      if (found === undefined || found === false) return [];
      const { reason, with: other }: RecordProblem = typeof found === "string" ? { reason: found } : found;
      return [{ part, property, reason, ...(other === undefined ? {} : { with: other.part }) }];
    });
  }
}
