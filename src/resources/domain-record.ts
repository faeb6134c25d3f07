import { z } from "zod";
import { recordCreate, records, type DomainRecord as Reply } from "../api/records";
import { defineResource } from "../provider/describe/define-resource";
import { replace, update } from "../provider/describe/fields";
import { recordName, seconds } from "./families/problems";
import { targetNamesSomething, typeRules } from "./families/record-rules";

const { shape } = recordCreate;

/** The inputs by which two records are the same one. */
export const recordTells: readonly string[] = [
  ...["name", "type", "target", "priority", "weight", "port", "tag", "service", "protocol"],
];

export const domainRecord = defineResource<Reply>({
  type: "DomainRecord",
  fields: {
    domainId: replace(z.string().regex(/^\d+$/, "must be a domain's id, a whole number"), {
      required: true,
      compare: "id",
      local: true,
    }),
    type: replace(shape.type, { required: true }),
    name: update(shape.name, { problem: recordName, removed: "replace", rewritten: "respelt" }),
    // The reference shows the form of a target for some types only. Whatever its type, a record holds its data there.
    target: update(shape.target, { required: "made", rewritten: "respelt" }),
    priority: update(shape.priority, { removed: "replace" }),
    weight: update(shape.weight, { removed: "replace" }),
    port: update(shape.port, { removed: "replace" }),
    service: update(shape.service, { default: null, rewritten: "respelt" }),
    protocol: update(shape.protocol, { default: null, rewritten: "respelt" }),
    tag: update(shape.tag, { removed: "replace" }),
    // The service rounds 0 as any other value, so a new record alone has none.
    ttlSec: update(shape.ttl_sec, { removed: "replace", problem: seconds, rewritten: "rounded" }),
  },
  outputs: ["created", "updated"],
  id: {
    form: "domainId/recordId, such as 12/345",
    pattern: /^(?<parent>\d+)\/(?<id>\d+)$/,
    parent: "domainId",
  },
  identity: ["name", "type", "target"],
  alike: { within: "domainId", by: recordTells },
  deleteFirst: true,
  inputRules: [targetNamesSomething],
  rules: typeRules,
  timeouts: { create: 5, update: 5, delete: 5 },

  // As zone files write it: @ is the domain itself.
  called: ({ type, name }) => `${String(type)} ${typeof name === "string" ? name : "@"}`,
  idOf: (reply) => String(reply.id),
  create: ({ client, body, idAt }) =>
    client.records.create({ domainId: idAt("domainId") }, body(records.create)),
  read: (client, { parent: domainId = "", id: recordId }) => client.records.get({ domainId, recordId }),
  list: (client, domainId, options) => client.records.list.all({ domainId }, options),
  update: ({ client, ref: { parent: domainId = "", id: recordId }, write }) =>
    write(records.update, (body) => client.records.update({ domainId, recordId }, body)),
  delete: (client, { parent: domainId = "", id: recordId }) => client.records.delete({ domainId, recordId }),
});
