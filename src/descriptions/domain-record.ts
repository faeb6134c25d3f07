import { isIPv4, isIPv6 } from "node:net";
import { z } from "zod";
import {
  RECORD_TYPE_FIELDS,
  recordCreate,
  records,
  type DomainRecord as Reply,
  TYPES_WITHOUT_PERIOD,
} from "../api/records";
import { defineResource, type Failure } from "../provider/define";
import { replace, update } from "../provider/fields";
import { type Properties, UNKNOWN } from "../provider/values";

const { shape } = recordCreate;

export const domainRecord = defineResource<Reply>({
  type: "DomainRecord",
  fields: {
    domainId: replace(z.string().regex(/^\d+$/, "must be a domain's id, a whole number"), {
      required: true,
      compare: "id",
      local: true,
    }),
    type: replace(shape.type, { required: true }),
    name: update(shape.name),
    target: update(shape.target),
    priority: update(shape.priority),
    weight: update(shape.weight),
    port: update(shape.port),
    service: update(shape.service, { default: null }),
    protocol: update(shape.protocol, { default: null }),
    tag: update(shape.tag),
    ttlSec: update(shape.ttl_sec, { default: 0 }),
  },
  outputs: ["created", "updated"],
  id: {
    form: "domainId/recordId, such as 12/345",
    pattern: /^(?<parent>\d+)\/(?<id>\d+)$/,
    parent: "domainId",
  },
  identity: ["name", "type", "target"],
  deleteFirst: true,
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

type TypeRule = { readonly valid: readonly string[]; readonly required: readonly string[] };

const typeFields: Readonly<Record<string, TypeRule>> = {
  ...RECORD_TYPE_FIELDS,
  // "Of an SRV record", says the reference, and not what becomes of them elsewhere.
  service: { valid: ["SRV"], required: [] },
  protocol: { valid: ["SRV"], required: [] },
};

function typeRules({ type, target, ...inputs }: Properties): Failure[] {
  if (typeof type !== "string" || type === UNKNOWN) return [];
  const failures = Object.entries(typeFields).flatMap(([property, { valid, required }]): Failure[] => {
    const isSet = inputs[property] !== undefined;
    if (isSet && !valid.includes(type)) {
      return [
        {
          property,
          reason: `is only for records of type ${valid.join(" and ")}, and this is of type ${type}`,
        },
      ];
    }
    return !isSet && required.includes(type)
      ? [{ property, reason: `is required for a record of type ${type}` }]
      : [];
  });
  const isKnown = typeof target === "string" && target !== UNKNOWN;
  const reason = isKnown ? targetProblem(type, target) : undefined;
  return reason === undefined ? failures : [...failures, { property: "target", reason }];
}

/** What a target cannot be in a record of this type. */
function targetProblem(type: string, target: string): string | undefined {
  if (TYPES_WITHOUT_PERIOD.includes(type) && target.endsWith(".")) {
    return `must not end with a period in a record of type ${type}`;
  }
  if (type === "A" && !isIPv4(target))
    return `must be an IPv4 address in a record of type A, not "${target}"`;
  // An address with a zone, such as fe80::1%eth0, means something on one machine only.
  if (type === "AAAA" && (!isIPv6(target) || target.includes("%"))) {
    return `must be an IPv6 address in a record of type AAAA, not "${target}"`;
  }
  return undefined;
}
