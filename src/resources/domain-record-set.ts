import { z } from "zod";
import { MAX_RECORDS } from "../api/records";
import { defineCollection } from "../provider/describe/define-collection";
import { output } from "../provider/describe/define-resource";
import { replace, update } from "../provider/describe/fields";
import { type Properties, UNKNOWN } from "../provider/base/values";
import { domainRecord, sameRecordBy } from "./domain-record";
import { idOf } from "./families/ids";
import { recordName } from "./families/input-problems";
import { recordServed } from "./families/rendered-zone";
import { recordEntries } from "./families/record-entries";
import { dataFieldsOf, lineOf, recordOf } from "./families/record-lines";

/** The form that programs write is the last: the compiler then reports an invalid record at that record only. */
const GIVEN_RECORDS =
  "pulumi.Output<readonly RecordValue[]> | pulumi.Output<Record<string, RecordValue>> | " +
  "pulumi.Input<readonly (pulumi.Input<DomainRecordSetRecord> | pulumi.Output<RecordValue>)[] | " +
  "Record<string, pulumi.Input<DomainRecordSetRecord> | pulumi.Output<RecordValue>>>";

const pattern = /^(?<id>[1-9]\d*)(?:\/(?<subdomain>[^/]+))?$/;

/** The inputs that would declare an existing record: all that its type takes, if they are set. */
function inputsOf({ name, type, target, ttlSec, service, protocol, ...data }: Properties): Properties {
  const all: Properties = { name, type, target, ttlSec };
  if (type === "SRV") Object.assign(all, { service, protocol });
  for (const field of dataFieldsOf(type)) all[field] = data[field];
  const isSet = ([field, value]: [string, unknown]) =>
    value !== undefined &&
    value !== null &&
    !(field === "ttlSec" && value === 0) &&
    !(field !== "target" && value === "");
  return Object.fromEntries(Object.entries(all).filter(isSet));
}

export const domainRecordSet = defineCollection({
  type: "DomainRecordSet",
  noun: "set",
  doc: "Many records of a domain as one resource. The engine takes one step for all of them. The id is the id of the domain, or `domainId/subdomain` if the set has a subdomain.",
  example: `
new nodecloud.DomainRecordSet("zone", {
  domainId: zone.id,
  records: [
    { type: "A", target: "192.0.2.10" },
    { type: "CNAME", name: "www", target: "example.org" },
    { type: "MX", target: "mx.example.net", priority: 10 },
  ],
});`,
  argsDoc: "All inputs except `domainId` are updated in place. Either `records` or `zoneFile` is required.",
  variants: {
    common: { name: "CommonDomainRecordSetArgs", doc: "The inputs of all sets." },
    cases: [
      {
        name: "ZoneFileDomainRecordSetArgs",
        doc: "A set whose records are in a zone file.",
        requires: ["zoneFile"],
      },
      {
        name: "ListedDomainRecordSetArgs",
        doc: "A set whose records are in the program.",
        requires: ["records"],
      },
    ],
  },
  fields: {
    domainId: replace(idOf("a domain"), {
      doc: "The id of the domain.",
      changeDoc: "deletes the records and creates them in the other domain",
      required: true,
      compare: "id",
      notSent: true,
    }),
    records: update(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]), {
      doc: `The records, at most ${MAX_RECORDS.toLocaleString("en")}: a list, or an object that gives each record a key. In a list, its content identifies a record. In an object, its key identifies it, so its name can change in place too.`,
      changeDoc: "creates, updates and deletes single records",
      removalDoc: "is refused unless `zoneFile` takes its place",
      example: [{ type: "A", name: "www", target: "192.0.2.10" }],
      accepts: GIVEN_RECORDS,
      notSent: true,
      removed: "refused",
    }),
    zoneFile: update(z.string(), {
      doc: "The records as the text of a zone file in BIND format, in place of `records`. The SOA record is ignored: its values are inputs of the Domain.",
      example: "www 300 IN A 192.0.2.10\n",
      changeDoc: "creates, updates and deletes single records",
      removalDoc: "is refused unless `records` takes its place",
      notSent: true,
      removed: "refused",
    }),
    subdomain: update(z.string().min(1).max(253), {
      doc: "A name below the domain. The set then covers the records of this name and of the names below it.",
      example: "staging",
      omittedDoc: "the whole domain",
      notSent: true,
      default: null,
      problem: recordName,
    }),
    exclusive: update(z.boolean(), {
      doc: "Whether the set owns all records that it covers. If `true`, it deletes undeclared records: at its creation, and after a refresh finds them. The preview names them, or warns that it may if `domainId` is not known yet. If `false`, the set manages only the records that it created.",
      notSent: true,
      default: false,
    }),
    served: recordServed,
  },
  outputs: {
    records: output(
      z.string(),
      "The records as text, one line per record: name, time to live if it is set, type and data.",
    ),
    subdomain: output(z.string().optional(), "The subdomain that the set covers."),
    exclusive: output(z.boolean().optional(), "Whether the set owns all records that it covers."),
  },
  id: { form: "123 or 123/subdomain", pattern },
  identity: ["domainId"],
  timeouts: { create: 5, update: 5, delete: 5 },

  item: domainRecord,
  property: "records",
  forms: ["records", "zoneFile"],
  maxMembers: MAX_RECORDS,
  sameBy: sameRecordBy,
  scope: ["domainId", "subdomain"],
  exclusive: "exclusive",
  uncovered: ({ subdomain = "" }, { name }) => {
    const called = name === undefined ? "has no name" : `has the name ${JSON.stringify(name)}`;
    const ending = JSON.stringify(`.${subdomain}`);
    return `${called}, which is not in the subdomain of the set: the name must be ${JSON.stringify(subdomain)} or end in ${ending}`;
  },
  place: ({ name, service, protocol }) =>
    [service, protocol, name].filter((part) => part !== undefined).join("."),
  write: lineOf,
  parse: recordOf,
  inputsOf,
  entries: recordEntries,
  fromId: (id) => {
    const groups = pattern.exec(id)?.groups;
    if (groups?.["id"] === undefined) return undefined;
    const { id: domainId, subdomain } = groups;
    return subdomain === undefined ? { domainId } : { domainId, subdomain };
  },
  covers: ({ subdomain }, { name }) => {
    if (typeof subdomain !== "string" || subdomain === UNKNOWN || name === UNKNOWN) return true;
    const [own, top] = [String(name ?? "").toLowerCase(), subdomain.toLowerCase()];
    return own === top || own.endsWith(`.${top}`);
  },
});
