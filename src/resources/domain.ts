import { z } from "zod";
import { domainCreate, domains, type Domain as Reply } from "../api/domains";
import { defineResource } from "../provider/describe/define-resource";
import { replace, update } from "../provider/describe/fields";
import { domainKeepsItsNeeds, newDomainHasItsNeeds } from "./families/domain-rules";
import { address, domainName, seconds, tag } from "./families/problems";

const { shape } = domainCreate;

export const domain = defineResource<Reply>({
  type: "Domain",
  fields: {
    domain: update(shape.domain, { required: true, problem: domainName, rewritten: "respelt" }),
    type: update(shape.type, { required: true }),
    status: update(shape.status, { default: "active" }),
    description: update(shape.description, { default: null }),
    group: update(shape.group, { default: null }),
    soaEmail: update(shape.soa_email, { removed: "stays", rewritten: "respelt" }),
    masterIps: update(shape.master_ips, { compare: "addresses", default: [], problem: address }),
    axfrIps: update(shape.axfr_ips, { compare: "addresses", default: [], problem: address }),
    expireSec: update(shape.expire_sec, { default: 0, problem: seconds, rewritten: "rounded" }),
    refreshSec: update(shape.refresh_sec, { default: 0, problem: seconds, rewritten: "rounded" }),
    retrySec: update(shape.retry_sec, { default: 0, problem: seconds, rewritten: "rounded" }),
    ttlSec: update(shape.ttl_sec, { default: 0, problem: seconds, rewritten: "rounded" }),
    tags: update(shape.tags, { compare: "set", default: [], problem: tag }),
    cloneFrom: replace(z.string().regex(/^\d+$/, "must be a domain's id, a whole number"), {
      compare: "id",
      local: true,
      removed: "stays",
    }),
    importFrom: replace(z.string().min(1), { local: true, removed: "stays" }),
  },
  outputs: [],
  id: { form: "123", pattern: /^(?<id>\d+)$/ },
  unique: "domain",
  identity: ["domain"],
  deleteFirst: true,
  lossOfData: "the domain is deleted first, with all its records, those of other programs too",
  timeouts: { create: 5, update: 5, delete: 5 },
  absent: {
    records: "is not there: each record is a resource, DomainRecord, and many together are a DomainRecordSet",
    zoneFile: "is not there: DomainRecordSet takes one. importFrom imports a zone from a nameserver",
  },

  idOf: (reply) => String(reply.id),
  inputRules: [newDomainHasItsNeeds, domainKeepsItsNeeds],
  rules: ({ cloneFrom, importFrom }) =>
    cloneFrom !== undefined && importFrom !== undefined
      ? [{ property: "importFrom", reason: "cannot be set together with cloneFrom" }]
      : [],
  create: ({ client, inputs, body, idAt }) => {
    if (inputs["cloneFrom"] !== undefined) {
      return client.domains.clone({ domainId: idAt("cloneFrom") }, body(domains.clone));
    }
    if (inputs["importFrom"] !== undefined) {
      return client.domains.import({
        ...body(domains.import),
        remote_nameserver: String(inputs["importFrom"]),
      });
    }
    return client.domains.create(body(domains.create));
  },
  read: (client, { id: domainId }) => client.domains.get({ domainId }),
  list: (client, _, options) => client.domains.list.all(options),
  update: ({ client, ref, write }) =>
    write(domains.update, (body) => client.domains.update({ domainId: ref.id }, body)),
  delete: (client, { id: domainId }) => client.domains.delete({ domainId }),
});
