import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { z } from "zod";
import { type FieldProblem } from "../../provider/describe/fields";
import { unmeantText } from "../../provider/inputs/unmeant-text";
import { RECORD_TTLS, roundedTtl } from "../../api/records";
import { listed, quotedStart } from "../../api/text";

/** The functions for `problem` of a field. They ignore values of another type, which the schema refuses. */
type ProblemOf = (value: unknown) => FieldProblem | string | undefined;

const ofText =
  (judge: (text: string) => FieldProblem | string | undefined): ProblemOf =>
  (value) =>
    typeof value === "string" ? judge(value) : undefined;

const isBlank = (text: string) => text.trim() === "";
const quoted = (text: string) => JSON.stringify(text);
/** An address with a zone, such as fe80::1%eth0, is valid on one machine only. */
export const isAddress = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes("%"));

interface Range {
  readonly address: string;
  readonly mask: string | undefined;
  /** The greatest mask of the address's family. */
  readonly most: number;
}

function rangeOf(text: string): Range | undefined {
  const [address = "", mask, ...rest] = text.split("/");
  if (rest.length > 0 || !isAddress(address) || (mask !== undefined && !/^\d+$/.test(mask))) return undefined;
  return { address, mask, most: isIPv4(address) ? 32 : 128 };
}

function maskProblem(text: string, { mask, most }: Range): string | undefined {
  return mask === undefined || Number(mask) <= most
    ? undefined
    : `${quotedStart(text)} has the mask ${mask}; an IPv${most === 32 ? 4 : 6} range has one of 0 to ${most}`;
}

const EMPTY = "is empty; remove it from the list";

/** "Single IP addresses or CIDR ranges". */
export const addressOrRange: ProblemOf = ofText((text) => {
  if (isBlank(text)) return EMPTY;
  const range = rangeOf(text);
  return range === undefined
    ? `${quotedStart(text)} is not an IP address or CIDR range; write one such as 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32`
    : maskProblem(text, range);
});

/** "IPs": the reference does not show whether the service takes a range. It may answer a single address with its mask. */
export const address: ProblemOf = ofText((text) => {
  if (isBlank(text)) return EMPTY;
  const range = rangeOf(text);
  if (range === undefined) {
    return `${quotedStart(text)} is not an IP address; write one such as 192.0.2.1 or 2001:db8::1`;
  }
  const problem = maskProblem(text, range);
  if (problem !== undefined || range.mask === undefined || Number(range.mask) === range.most) return problem;
  const reason = `${quotedStart(text)} is a range; the reference names addresses only, and does not show whether the service takes a range`;
  return { reason, warns: true };
});

const notNegative =
  (what: string): ProblemOf =>
  (value) =>
    typeof value === "number" && value < 0 ? `must be at least 0; it is ${what}` : undefined;

export const seconds = notNegative("a number of seconds");
export const size = notNegative("a size");

/** The time to live of a record. A preview would otherwise promise a change that the account never shows. The value may be a secret. */
export const recordTtl: ProblemOf = (value) => {
  const problem = seconds(value);
  if (problem !== undefined || typeof value !== "number" || roundedTtl(value) === value) return problem;
  const reason = `is rounded by the service, which has ${listed(RECORD_TTLS.map(String), "and")}`;
  return { reason, warns: true };
};

/** A public SSH key. It is never quoted, because it may be a private key. */
export const publicKey: ProblemOf = ofText((text) => {
  if (isBlank(text)) return EMPTY;
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
    ? "is a private key; write the public one, which is in the file that ends in .pub"
    : undefined;
});

export const userName: ProblemOf = ofText((text) => (isBlank(text) ? EMPTY : undefined));

export const emailAddress: ProblemOf = ofText((text) => unmeantText(text, true));

export const tag: ProblemOf = ofText((text) =>
  isBlank(text)
    ? { reason: "is empty; the reference does not show whether the service takes an empty tag", warns: true }
    : undefined,
);

const base64 = z.base64();

/** "base64-encoded cloud-config". It may contain secrets, so it is never quoted. */
export const base64Text: ProblemOf = ofText((text) =>
  base64.safeParse(text).success ? undefined : "is not base64; encode it, or set userData to the plain text",
);

const MOST_IN_LABEL = 63;
const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text);
/** A trailing period ends a full name. */
const labelsOf = (name: string) => name.replace(/\.$/, "").split(".");
/** Letters, digits and hyphens (RFC 1035, 2.3.1), and an underscore at the beginning, for names of services. */
const LABEL = /^(?!-)[a-z0-9_-]+(?<!-)$/i;
/** A reverse zone of less than 256 addresses has a slash (RFC 2317). */
const REVERSE_LABEL = /^(?!-)[a-z0-9_/-]+(?<!-)$/i;
const isReverse = (name: string) => /\.(in-addr|ip6)\.arpa\.?$/i.test(name);

/** "Labels at most 63 chars, RFC1035". The schema checks the lengths. */
export const domainName: ProblemOf = ofText((name) => {
  if (name === "") return undefined;
  if (!isAscii(name)) {
    const ascii = domainToASCII(name);
    const form = ascii === "" ? "its punycode form" : `its punycode form, ${quoted(ascii)}`;
    return `${quoted(name)} is not in ASCII (RFC 1035); write ${form}`;
  }
  const labels = labelsOf(name);
  if (labels.includes("")) return `${quoted(name)} has an empty label; write one period between two labels`;
  const wrong = labels.find((label) => !(isReverse(name) ? REVERSE_LABEL : LABEL).test(label));
  return wrong === undefined
    ? undefined
    : `${quoted(name)} is not a domain name (RFC 1035); the label ${quoted(wrong)} must be of letters, digits and hyphens, with no hyphen at its ends`;
});

/** Names that are invalid in any DNS. The reference shows no other rules for names of records. Parts are not quoted, because a name may be a secret. */
export const recordName: ProblemOf = ofText((name) => {
  if (name === "") return "is empty; omit it for the domain itself";
  // The schema reports the problem.
  if (name.length > 100) return undefined;
  const labels = labelsOf(name);
  if (labels.includes("")) return `${quoted(name)} has an empty label; write one period between two labels`;
  if (!isAscii(name)) {
    const reason = `${quoted(name)} is not in ASCII; write its punycode form, because the reference does not show whether the service converts it`;
    return { reason, warns: true };
  }
  const longest = Math.max(...labels.map((label) => label.length));
  return longest > MOST_IN_LABEL
    ? `${quoted(name)} has a label of ${longest} characters; a label has at most ${MOST_IN_LABEL} (RFC 1035)`
    : undefined;
});
