import { type Properties } from "../../provider/base/values";
import { identityOf } from "../../provider/state/members";
import { descriptions } from "../../resources";

const { DomainRecordSet: set } = descriptions;

/** A zone file with the records that it can express, and the positions of the other records. */
export interface ZoneText {
  readonly text: string;
  readonly without: ReadonlySet<number>;
}

/** The longest string in a TXT record, in octets (RFC 1035, 3.3). */
const MAX_STRING = 255;

/**
 * Writes records as a zone file in BIND format, so that the set reads the same records from it.
 *
 * @param there all records of the domain, also those that are managed already
 */
export function zoneTextOf(
  domain: string,
  records: readonly Properties[],
  there: readonly Properties[] = records,
): ZoneText {
  const origin = `$ORIGIN ${domain}.\n`;
  const without = new Set<number>();
  const equals = new Map<string, number>();
  for (const inputs of there) {
    const identity = identityOf(set, inputs);
    equals.set(identity, (equals.get(identity) ?? 0) + 1);
  }
  const lines = records.flatMap((inputs, index) => {
    // A set finds its records by their content, so that it cannot tell equal ones apart. Their ids can.
    const line = equals.get(identityOf(set, inputs)) === 1 ? lineOf(inputs) : undefined;
    const isSame = line !== undefined && readBack(origin + line) === set.write({ inputs });
    if (!isSame) without.add(index);
    return isSame ? [line] : [];
  });
  return { text: `${origin}${lines.join("\n")}\n`, without };
}

function readBack(zoneFile: string): string | undefined {
  // A file cannot hold half of a surrogate pair.
  const { entries, failures } = set.entries({ zoneFile: Buffer.from(zoneFile).toString() });
  const [entry] = entries;
  return failures.length > 0 || entry === undefined || entries.length > 1 ? undefined : set.write(entry);
}

function lineOf({ name, type, target, ttlSec, service, protocol, ...data }: Properties): string | undefined {
  if (typeof type !== "string" || typeof target !== "string") return undefined;
  const labels = given(service, protocol).map((label) => `_${label}`);
  const owner = [...labels, ...given(name)].join(".") || "@";
  return [owner, ...given(ttlSec), type, ...dataOf(type, target, data)].join(" ");
}

const given = (...values: readonly unknown[]): string[] =>
  values.filter((value) => value !== undefined).map(String);

function dataOf(type: string, target: string, data: Properties): string[] {
  switch (type) {
    case "A":
    case "AAAA":
      return [target];
    case "TXT":
      return stringsOf(target);
    case "CAA":
      return ["0", String(data["tag"]), ...stringsOf(target)];
    default:
      return [
        ...given(data["priority"], data["weight"], data["port"]),
        target === "." ? target : `${target}.`,
      ];
  }
}

/** A text as one or several quoted strings. Octets that are no printable ASCII are escaped. */
function stringsOf(text: string): string[] {
  const octets = Buffer.from(text);
  const strings: string[] = [];
  for (let start = 0; start === 0 || start < octets.length; start += MAX_STRING) {
    const part = [...octets.subarray(start, start + MAX_STRING)].map(characterOf);
    strings.push(`"${part.join("")}"`);
  }
  return strings;
}

function characterOf(octet: number): string {
  const character = String.fromCharCode(octet);
  if (octet < 0x20 || octet > 0x7e) return `\\${String(octet).padStart(3, "0")}`;
  return character === '"' || character === "\\" ? `\\${character}` : character;
}
