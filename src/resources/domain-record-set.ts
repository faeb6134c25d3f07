import { z } from "zod";
import { defineCollection } from "../provider/describe/define-collection";
import { type Description } from "../provider/describe/define-resource";
import { replace, update } from "../provider/describe/fields";
import { ANSWERED, LEFT } from "../provider/state/hidden";
import { type Properties, UNKNOWN } from "../provider/state/values";
import { domainRecord, recordTells } from "./domain-record";
import { recordName } from "./families/problems";
import { recordEntries } from "./families/record-entries";
import { dataFieldsOf, lineOf, recordOf } from "./families/record-lines";

const pattern = /^(?<id>\d+)(?:\/(?<subdomain>[^/]+))?$/;

/** What a record that is there would be in a program: all that its type has, where it is set. */
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
  fields: {
    domainId: replace(z.string().regex(/^\d+$/, "must be a domain's id, a whole number"), {
      required: true,
      compare: "id",
      local: true,
    }),
    records: update(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]), {
      local: true,
      removed: "refused",
    }),
    zoneFile: update(z.string(), { local: true, removed: "refused" }),
    subdomain: update(z.string().min(1).max(253), { local: true, default: null, problem: recordName }),
    exclusive: update(z.boolean(), { local: true, default: false }),
  },
  outputs: [],
  secretOutputs: [ANSWERED, LEFT],
  id: { form: "123, or 123/subdomain", pattern },
  identity: ["domainId"],
  timeouts: { create: 5, update: 5, delete: 5 },

  item: domainRecord as unknown as Description,
  property: "records",
  forms: ["records", "zoneFile"],
  most: 12_000,
  tells: recordTells,
  scope: ["domainId", "subdomain"],
  exclusive: "exclusive",
  uncovered: "is not in the subdomain of the set: its name must be that, or end in a period and that",
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
