import { z } from "zod";
import { domain as answer, domainCreate, domains } from "../api/domains";
import { defineResource, output, refused } from "../provider/describe/define-resource";
import { replace, update } from "../provider/describe/fields";
import { domainKeepsItsNeeds, needs, newDomainHasItsNeeds } from "./families/domain-rules";
import { idOf } from "./families/ids";
import { clonedDomainIsThere } from "./families/validations";
import { address, domainName, emailAddress, seconds, tag } from "./families/input-problems";

const { shape } = domainCreate;

/** A time of the zone. The service may round it. The reference shows no default: 0 is assumed to reset it. */
const time = (schema: typeof shape.ttl_sec, example: number, what: string) =>
  update(schema, {
    doc: `${what}, in seconds. The service may round it.`,
    example,
    omittedDoc: "the service's default",
    default: 0,
    problem: seconds,
    rewritten: "rounded",
  });

const fields = {
  domain: update(shape.domain, {
    doc: "The name of the domain, unique on the whole platform. Each label has at most 63 characters: ASCII letters, digits and hyphens. Case and a final period are ignored. Write an international name in punycode (`xn--…`).",
    example: "example.org",
    required: true,
    compare: "domain",
    problem: domainName,
    rewritten: "respelt",
    interrupts: { line: "the service no longer answers for the old name" },
  }),
  type: update(shape.type, {
    doc: "The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone.",
    required: true,
    interrupts: {
      line: "the service answers with other records: a master has its own, and a slave has those of another nameserver",
    },
  }),
  status: update(shape.status, {
    doc: "Whether the service renders the domain: `active` or `disabled`.",
    default: "active",
    interrupts: { line: "the service no longer answers for the domain", to: "disabled" },
  }),
  description: update(shape.description, {
    doc: "A description, for display only.",
    example: "The zone of the shop",
    default: null,
  }),
  group: update(shape.group, { doc: "A group label, for display only.", example: "shop", default: null }),
  soaEmail: update(shape.soa_email, {
    doc: "The email address in the zone's SOA record. A `master` requires it.",
    example: "dns@example.org",
    removed: "stays",
    rewritten: "respelt",
    problem: emailAddress,
  }),
  masterIps: update(shape.master_ips, {
    doc: "The IP addresses of the nameservers that a `slave` copies. Order is ignored. A `slave` requires them.",
    example: ["192.0.2.53"],
    compare: "addresses",
    default: [],
    problem: address,
  }),
  axfrIps: update(shape.axfr_ips, {
    doc: "The IP addresses that may transfer the zone, at most 1000 characters together. Leave it empty if none may. Order is ignored.",
    example: ["192.0.2.53"],
    compare: "addresses",
    default: [],
    problem: address,
  }),
  expireSec: time(shape.expire_sec, 1_209_600, "The expire time in the zone's SOA record"),
  refreshSec: time(shape.refresh_sec, 14_400, "The refresh time in the zone's SOA record"),
  retrySec: time(shape.retry_sec, 3_600, "The retry time in the zone's SOA record"),
  ttlSec: time(shape.ttl_sec, 300, "The cache time of the zone"),
  tags: update(shape.tags, {
    doc: "The tags of the domain. Order is ignored.",
    example: ["production"],
    compare: "set",
    default: [],
    problem: tag,
  }),
  cloneFrom: replace(idOf("a domain"), {
    doc: "The id of a domain to clone. The new domain starts with its records.",
    compare: "id",
    copies: true,
    notSent: true,
    removed: "stays",
  }),
  importFrom: replace(z.string().min(1), {
    doc: "A nameserver to import the zone from. The new domain starts with its records. The nameserver must allow zone transfers to the service.",
    example: "ns1.example.net",
    notSent: true,
    removed: "stays",
  }),
};

export const domain = defineResource({
  type: "Domain",
  noun: "domain",
  doc: "A DNS domain. The service is not a registrar: you must own the domain, and delegate it to the service's nameservers at your registrar. A replacement first deletes the old domain with all its records, because the name is unique.",
  example: `
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });`,
  lookup: {
    by: ["domain"],
    list: {
      example: `const { domains } = await nodecloud.getDomains({ filter: { domain: { contains: ".example" } }, sortBy: "domain" });`,
    },
    item: {
      doc: "One domain: by its id, or by a name and a filter that match exactly one.",
      example: `
const zone = await nodecloud.getDomain({ domain: "example.org" });
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });`,
    },
    views: {
      ZoneFile: {
        reads: domains.getZoneFile,
        doc: "The lines of a domain's last rendered zone.",
        example: `const { zoneFile } = await nodecloud.getDomainZoneFile({ domainId: 12 });`,
      },
    },
  },
  argsDoc:
    "A `master` requires `soaEmail`, and a `slave` requires `masterIps`. A domain that starts as a copy requires neither. All inputs except `cloneFrom` and `importFrom` are updated in place.",
  fields,
  variants: {
    by: "type",
    common: { name: "CommonDomainArgs", doc: "The inputs of domains of both types." },
    cases: [
      {
        name: "CopiedDomainArgs",
        doc: "A domain that starts as a clone of another domain.",
        requires: ["cloneFrom"],
      },
      {
        name: "ImportedDomainArgs",
        doc: "A domain that starts with the zone of another nameserver.",
        requires: ["importFrom"],
      },
      {
        name: "AnyDomainArgs",
        doc: "A domain whose type is an output. As soon as the type is known, the preview checks the inputs that it requires.",
        isOutput: true,
      },
      {
        name: "MasterDomainArgs",
        doc: "A domain for which the service is authoritative.",
        is: ["master"],
        requires: [needs.master.property],
      },
      {
        name: "SlaveDomainArgs",
        doc: "A read-only copy of another nameserver's zone.",
        is: ["slave"],
        requires: [needs.slave.property],
      },
    ],
  },
  outputs: {
    type: output(answer.shape.type, "The type of the domain."),
    status: output(answer.shape.status, "Whether the service renders the domain: `active` or `disabled`."),
    description: output(z.string().optional(), "The description."),
    group: output(z.string().optional(), "The group label."),
  },
  id: { form: "123", pattern: /^(?<id>[1-9]\d*)$/ },
  unique: "domain",
  identity: ["domain"],
  deleteFirst: true,
  lossOfData: "the domain is deleted first, with all its records, including those of other programs",
  lostByDeletion: "all records of the domain are deleted, including those of other programs",
  timeouts: { create: 5, update: 5, delete: 5 },
  unsupported: {
    records: "is not supported here: declare DomainRecord resources, or a DomainRecordSet for many records",
    zoneFile:
      "is not supported here: pass it to a DomainRecordSet, or import a zone from a nameserver with importFrom",
  },

  readOperation: domains.get,
  idOf: (reply) => String(reply.id),
  validations: [clonedDomainIsThere],
  changeRules: [newDomainHasItsNeeds, domainKeepsItsNeeds],
  rules: ({ cloneFrom, importFrom }) =>
    cloneFrom !== undefined && importFrom !== undefined
      ? refused("importFrom", "cannot be set together with cloneFrom; set one of them")
      : [],
  create: ({ client, inputs, body, idAt }) => {
    if (inputs.cloneFrom !== undefined) {
      return client.domains.clone({ domainId: idAt("cloneFrom") }, body(domains.clone));
    }
    if (inputs.importFrom !== undefined) {
      return client.domains.import({ ...body(domains.import), remote_nameserver: inputs.importFrom });
    }
    return client.domains.create(body(domains.create));
  },
  read: (client, { id: domainId }) => client.domains.get({ domainId }),
  list: (client, _, options) => client.domains.list.all(options),
  update: ({ client, ref, write }) =>
    write(domains.update, (body) => client.domains.update({ domainId: ref.id }, body)),
  delete: (client, { id: domainId }) => client.domains.delete({ domainId }),
});
