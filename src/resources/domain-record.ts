import { z } from "zod";
import { domainRecord as answer, RECORD_TTLS, domainRecordCreate, records } from "../api/records";
import { defineResource, output } from "../provider/describe/define-resource";
import { replace, update } from "../provider/describe/fields";
import { isGiven } from "../provider/base/values";
import { inZone, recordServed, renderedZone } from "./families/rendered-zone";
import { Zone } from "./families/zone-problems";
import { childId, idOf } from "./families/ids";
import { recordName, recordTtl } from "./families/input-problems";
import {
  NAMING,
  inputsOfType,
  plainTypes,
  shownByType,
  targetNamesSomething,
  typeInputs,
  typeRules,
  typesThatTake,
} from "./families/record-rules";
import { listed } from "../api/text";

const { shape } = domainRecordCreate;

/** Two records are the same if these inputs are equal. */
export const sameRecordBy = [
  "name",
  "type",
  "target",
  "priority",
  "weight",
  "port",
  "tag",
  "service",
  "protocol",
] as const;

const ttls = listed(RECORD_TTLS.map(String), "and");

const fields = {
  domainId: replace(idOf("a domain"), {
    doc: "The id of the domain.",
    required: true,
    compare: "id",
    notSent: true,
  }),
  type: replace(shape.type, {
    doc: "The type of the record. It determines which other inputs the record takes.",
    required: true,
  }),
  name: update(shape.name, {
    doc: "The name of the record, relative to the domain.",
    example: "www",
    omittedDoc: "the domain itself",
    problem: recordName,
    removed: "replace",
    rewritten: "respelt",
  }),
  // The reference shows the form of a target for some types only. Records of all types have their data there.
  target: update(shape.target, {
    doc: "The data of the record: an IPv4 address for A, an IPv6 address for AAAA, a host name or text for other types. It may end with a period, except for A, AAAA and CAA.",
    example: "192.0.2.10",
    required: "atCreation",
    rewritten: "respelt",
  }),
  priority: update(shape.priority, {
    doc: `The priority of the target: a lower number is preferred. ${typesThatTake("priority")}`,
    example: 10,
    removed: "replace",
  }),
  weight: update(shape.weight, {
    doc: `The weight of the target: at equal priority, a higher number is preferred. ${typesThatTake("weight")}`,
    example: 5,
    removed: "replace",
  }),
  port: update(shape.port, {
    doc: `The port of the service. ${typesThatTake("port")}`,
    example: 5060,
    removed: "replace",
  }),
  service: update(shape.service, {
    doc: `The name of the service. ${typesThatTake("service")}`,
    example: "sip",
    default: null,
    rewritten: "respelt",
  }),
  protocol: update(shape.protocol, {
    doc: `The protocol of the service. ${typesThatTake("protocol")}`,
    example: "tcp",
    default: null,
    rewritten: "respelt",
  }),
  tag: update(shape.tag, {
    doc: `The tag of a CAA record. ${typesThatTake("tag")}`,
    removed: "replace",
  }),
  // The service rounds 0 like any other value, so no value restores its default: only a new record has it.
  ttlSec: update(shape.ttl_sec, {
    doc: `The time to live in seconds. The service rounds it to one of ${ttls}.`,
    example: 300,
    omittedDoc: "the service's default",
    removed: "replace",
    problem: recordTtl,
    rewritten: "rounded",
  }),
  served: recordServed,
};

export const domainRecord = defineResource({
  type: "DomainRecord",
  noun: "record",
  doc: "A record of a DNS domain.",
  example: `
new nodecloud.DomainRecord("mail", { domainId: zone.id, type: "MX", target: "mx.example.net", priority: 10 });`,
  lookup: {
    by: ["type", "name"],
    list: {
      example: `const { records } = await nodecloud.getDomainRecords({ domainId: 12, filter: { type: ["A", "AAAA"] }, sortBy: "name" });`,
    },
    item: {
      example: `
const www = await nodecloud.getDomainRecord({ domainId: zone.id, type: "A", name: "www" });
const byId = await nodecloud.getDomainRecord({ id: "12/345" });`,
    },
  },
  argsDoc:
    "All inputs except `domainId` and `type` are updated in place. If the program computes the type at run time, pass it as an output. The preview then checks it.",
  fields,
  variants: {
    by: "type",
    common: { name: "CommonRecordArgs", doc: "The inputs of records of all types." },
    apart: { name: "RecordPlaceArgs", doc: "The domain of a record.", paths: ["domainId"] },
    union: {
      name: "DomainRecordSetRecord",
      doc: "One record of a DomainRecordSet: the inputs of a DomainRecord without the domain.",
    },
    value: {
      name: "RecordValue",
      doc: "A record within an output. The preview checks the inputs that its type requires.",
    },
    cases: [
      {
        name: "PlainRecordArgs",
        doc: "A record of a type other than MX, SRV and CAA.",
        is: plainTypes,
      },
      { name: "MxRecordArgs", doc: "An MX record.", ...inputsOfType("MX") },
      { name: "SrvRecordArgs", doc: "An SRV record.", ...inputsOfType("SRV") },
      { name: "CaaRecordArgs", doc: "A CAA record.", ...inputsOfType("CAA") },
      {
        name: "AnyRecordArgs",
        doc: "A record whose type is an output. As soon as the type is known, the preview checks the inputs that it requires.",
        isOutput: true,
        takes: typeInputs,
      },
    ],
  },
  outputs: {
    type: output(answer.shape.type, "The type of the record."),
    name: output(z.string().optional(), "The name of the record. Undefined for the domain itself."),
    target: output(z.string().optional(), "The data of the record."),
    tag: output(answer.shape.tag, "The tag of a CAA record."),
    ttlSec: output(z.int(), "The time to live in seconds."),
    created: output(z.string(), "When the record was created: `YYYY-MM-DDThh:mm:ss`."),
    updated: output(z.string(), "When the record was last updated: `YYYY-MM-DDThh:mm:ss`."),
  },
  id: childId("domainId", "recordId", "Domain"),
  identity: ["name", "type", "target"],
  contentIdentity: { within: "domainId", by: sameRecordBy },
  together: {
    begin: (domain) => new Zone(domain),
    concerns: (before, after) =>
      before["name"] !== after["name"] ||
      before["type"] !== after["type"] ||
      (NAMING.includes(String(after["type"])) && before["target"] !== after["target"]),
    parent: ({ domain, cloneFrom, importFrom }) => ({
      name: domain,
      isEmpty: !isGiven(cloneFrom) && !isGiven(importFrom),
    }),
  },
  parent: {
    read: (client, domainId) => client.domains.get({ domainId }),
    list: (client, options) => client.domains.list.all(options),
  },
  deleteFirst: true,
  rendering: {
    path: "served",
    noun: "zone",
    formOf: inZone,
    read: async (client, domainId) =>
      renderedZone((await client.domains.getZoneFile({ domainId })).zone_file),
  },
  changeRules: [targetNamesSomething],
  rules: typeRules,
  timeouts: { create: 5, update: 5, delete: 5 },

  // As in zone files, @ is the domain itself.
  called: ({ type, name }) => `${String(type)} ${typeof name === "string" && name !== "" ? name : "@"}`,
  readOperation: records.get,
  idOf: (reply) => String(reply.id),
  toOutputs: shownByType,
  create: ({ client, body, idAt }) =>
    client.records.create({ domainId: idAt("domainId") }, body(records.create)),
  read: (client, { parent: domainId = "", id: recordId }) => client.records.get({ domainId, recordId }),
  list: (client, domainId, options) => client.records.list.all({ domainId }, options),
  update: ({ client, ref: { parent: domainId = "", id: recordId }, write }) =>
    write(records.update, (body) => client.records.update({ domainId, recordId }, body)),
  delete: (client, { parent: domainId = "", id: recordId }) => client.records.delete({ domainId, recordId }),
});
