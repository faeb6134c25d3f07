import { type Entry } from "../../provider/collection/define";
import { type Failure } from "../../provider/define";
import { isObject, type Properties, UNKNOWN } from "../../provider/values";
import { parseZone } from "./zone-file";

interface Entries {
  readonly entries: Entry[];
  readonly failures: Failure[];
}

/** Reads a part of what the class handed over. */
type Unpack = (value: unknown) => unknown;

/**
 * The records that a program gives, from how the class hands them over: all as one text, or, where some are outputs, in their own form with
 * a text for each part that is plain.
 */
export function recordEntries(given: unknown): Entries {
  const isWhole = typeof given === "string";
  const unpack: Unpack = isWhole ? (value) => value : parsed;
  const forms = isWhole ? parsed(given) : given;
  const { records, zoneFile } = isObject(forms) ? forms : {};
  if (records !== undefined && zoneFile !== undefined) {
    return failed("zoneFile", "cannot be set together with records");
  }
  if (zoneFile !== undefined) return fromZone(unpack(zoneFile));
  if (records === undefined) return failed("records", "is required, or zoneFile in its place");
  return fromRecords(
    unpack(records),
    Array.isArray(records) || isObject(records) ? unpack : (value) => value,
  );
}

function fromZone(text: unknown): Entries {
  if (text === UNKNOWN) return notKnown("zoneFile");
  if (typeof text !== "string") return failed("zoneFile", "must be the text of a zone file");
  const { records, problems } = parseZone(text);
  return {
    entries: records.map(({ line, inputs }) => ({ path: `zoneFile: line ${line}`, inputs })),
    failures: problems.map(({ line, reason }) => ({ property: `zoneFile: line ${line}`, reason })),
  };
}

function fromRecords(records: unknown, unpack: Unpack): Entries {
  if (records === UNKNOWN) return notKnown("records");
  if (Array.isArray(records)) {
    return joined(records.map((record, index) => fromRecord(`records[${index}]`, unpack(record))));
  }
  if (!isObject(records)) return failed("records", "must be a list of records, or an object of them by keys");
  return joined(
    Object.entries(records).map(([key, record]) =>
      fromRecord(`records[${JSON.stringify(key)}]`, unpack(record), key),
    ),
  );
}

function fromRecord(path: string, record: unknown, key?: string): Entries {
  if (record === UNKNOWN) {
    const unknown = notKnown(path);
    return { ...unknown, entries: unknown.entries.map((entry) => withKey(entry, key)) };
  }
  if (!isObject(record)) return failed(path, 'must be an object such as { type: "A", target: "192.0.2.1" }');
  const inputs = Object.fromEntries(Object.entries(record).filter(([, value]) => value != null));
  return { entries: [withKey({ path, inputs }, key)], failures: [] };
}

const withKey = (entry: Entry, key: string | undefined): Entry =>
  key === undefined ? entry : { ...entry, key };

const notKnown = (path: string): Entries => {
  const inputs: Properties = { name: UNKNOWN, type: UNKNOWN, target: UNKNOWN };
  return { entries: [{ path, inputs }], failures: [] };
};

const failed = (property: string, reason: string): Entries => ({
  entries: [],
  failures: [{ property, reason }],
});

const joined = (parts: readonly Entries[]): Entries => ({
  entries: parts.flatMap(({ entries }) => entries),
  failures: parts.flatMap(({ failures }) => failures),
});

/** What the class packed as text. */
const parsed = (value: unknown): unknown =>
  typeof value === "string" && value !== UNKNOWN ? (JSON.parse(value) as unknown) : value;
