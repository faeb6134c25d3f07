import { type Entries, type Entry } from "../../provider/describe/define-collection";
import { isObject, type Properties, UNKNOWN } from "../../provider/base/values";
import { parseZone } from "./zone-file";
import { unmeantText } from "../../provider/inputs/unmeant-text";

/** The records of a program, from the form in which the class hands them over: as one text, or with each part as a text. */
export function recordEntries(given: unknown): Entries {
  if (given === UNKNOWN) return notKnown("records");
  const forms = parsed(given);
  const { records, zoneFile } = isObject(forms) ? forms : {};
  if (records != null && zoneFile != null)
    return failed("zoneFile", "cannot be set together with records; set one of them");
  if (zoneFile != null) return { ...fromZone(parsed(zoneFile)), form: "zoneFile" };
  if (records == null) return failed("records", "or zoneFile is required; set one of them");
  return fromRecords(parsed(records));
}

function fromZone(text: unknown): Entries {
  if (text === UNKNOWN) return notKnown("zoneFile");
  if (typeof text !== "string") return failed("zoneFile", "must be the text of a zone file");
  // The parser does not keep the texts as they were written.
  const unmeant = text.split("\n").flatMap((line, index) => {
    const reason = unmeantText(line, false);
    return reason === undefined ? [] : [{ property: `zoneFile: line ${index + 1}`, reason }];
  });
  if (unmeant.length > 0) return { entries: [], failures: unmeant };
  const { records, problems } = parseZone(text);
  return {
    entries: records.map(({ line, inputs }) => ({ path: `zoneFile: line ${line}`, inputs })),
    failures: problems.map(({ line, reason }) => ({ property: `zoneFile: line ${line}`, reason })),
  };
}

function fromRecords(records: unknown): Entries {
  if (records === UNKNOWN) return notKnown("records");
  if (Array.isArray(records)) {
    return joined(records.map((record, index) => fromRecord(`records[${index}]`, parsed(record))));
  }
  if (!isObject(records))
    return failed("records", "must be a list of records, or an object that gives each record a key");
  return joined(
    Object.entries(records).map(([key, record]) =>
      fromRecord(`records[${JSON.stringify(key)}]`, parsed(record), key),
    ),
  );
}

function fromRecord(path: string, record: unknown, key?: string): Entries {
  if (record === UNKNOWN) {
    const unknown = notKnown(path);
    return { ...unknown, entries: unknown.entries.map((entry) => withKey(entry, key)) };
  }
  if (!isObject(record)) return failed(path, 'must be an object such as { type: "A", target: "192.0.2.1" }');
  const isSet = (value: unknown) => value != null;
  const inputs = Object.values(record).every(isSet)
    ? record
    : Object.fromEntries(Object.entries(record).filter(([, value]) => isSet(value)));
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

/** Unpacks a text of the class. Any other text is not a valid form. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || value === UNKNOWN) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
