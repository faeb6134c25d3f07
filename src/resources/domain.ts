import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { domainCreate, domains, type Domain as Reply } from "../api/domains";
import { defineResource } from "../provider/define";
import { replace, update } from "../provider/fields";
import { NodeCloudResource } from "../provider/resource";

/** Inputs of a {@link Domain}. All but `cloneFrom` and `importFrom` can be changed in place. */
export interface DomainArgs {
  /** The name, 1 to 253 characters, unique on the whole platform. */
  domain: pulumi.Input<string>;
  /** `master` is answered for by the service, `slave` is a read-only copy of another nameserver's zone. */
  type: pulumi.Input<"master" | "slave">;
  /** Whether the domain is rendered. @default "active" */
  status?: pulumi.Input<"active" | "disabled">;
  /** 1 to 253 characters. Removed: none. */
  description?: pulumi.Input<string>;
  /** 1 to 50 characters. Removed: none. */
  group?: pulumi.Input<string>;
  /** Address of the zone's administrator. */
  soaEmail?: pulumi.Input<string>;
  /** Addresses of the nameservers that a `slave` copies; their order means nothing. Removed: `[]`. */
  masterIps?: pulumi.Input<pulumi.Input<string>[]>;
  /** Addresses that may transfer the zone, at most 1000 characters together; their order means nothing. Removed: `[]`. */
  axfrIps?: pulumi.Input<pulumi.Input<string>[]>;
  /** Seconds; the service may keep another value than the one given. Removed: 0, the service's default. */
  expireSec?: pulumi.Input<number>;
  /** Seconds; the service may keep another value than the one given. Removed: 0, the service's default. */
  refreshSec?: pulumi.Input<number>;
  /** Seconds; the service may keep another value than the one given. Removed: 0, the service's default. */
  retrySec?: pulumi.Input<number>;
  /** Seconds; the service may keep another value than the one given. Removed: 0, the service's default. */
  ttlSec?: pulumi.Input<number>;
  /** Their order means nothing. Removed: `[]`. */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Id of a domain whose records to start with. A change replaces the domain. */
  cloneFrom?: pulumi.Input<string | number>;
  /** A nameserver whose zone to start with; it must allow zone transfers to the service. A change replaces the domain. */
  importFrom?: pulumi.Input<string>;
}

const { shape } = domainCreate;

const domain = defineResource<Reply>({
  type: "Domain",
  fields: {
    domain: update(shape.domain, { required: true }),
    type: update(shape.type, { required: true }),
    status: update(shape.status, { default: "active" }),
    description: update(shape.description, { default: null }),
    group: update(shape.group, { default: null }),
    soaEmail: update(shape.soa_email),
    masterIps: update(shape.master_ips, { compare: "addresses", default: [] }),
    axfrIps: update(shape.axfr_ips, { compare: "addresses", default: [] }),
    expireSec: update(shape.expire_sec, { default: 0 }),
    refreshSec: update(shape.refresh_sec, { default: 0 }),
    retrySec: update(shape.retry_sec, { default: 0 }),
    ttlSec: update(shape.ttl_sec, { default: 0 }),
    tags: update(shape.tags, { compare: "set", default: [] }),
    cloneFrom: replace(z.string().regex(/^\d+$/, "must be a domain's id, a whole number"), {
      compare: "id",
      local: true,
    }),
    importFrom: replace(z.string().min(1), { local: true }),
  },
  outputs: [],
  id: { form: "123", pattern: /^(?<id>\d+)$/ },
  unique: "domain",
  identity: ["domain"],
  deleteFirst: true,
  lossOfData: "the domain is deleted first, with all its records, those of other programs too",
  timeouts: { create: 5, update: 5, delete: 5 },
  absent: {
    records: "is not there: each record is a resource, DomainRecord",
    zoneFile: "is not there: the API takes no zone file. importFrom imports a zone from a nameserver",
  },

  idOf: (reply) => String(reply.id),
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
  list: (client) => client.domains.list.all(),
  update: ({ client, ref, write }) =>
    write(domains.update, (body) => client.domains.update({ domainId: ref.id }, body)),
  delete: (client, { id: domainId }) => client.domains.delete({ domainId }),
});

/**
 * A DNS domain. A replacement deletes the old one first, with all its records, for its name is unique.
 *
 * ```ts
 * const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
 * new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });
 * ```
 */
export class Domain extends NodeCloudResource {
  /** @internal */
  static readonly description = domain;

  declare readonly domain: pulumi.Output<string>;
  declare readonly type: pulumi.Output<string>;
  declare readonly status: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly group: pulumi.Output<string | undefined>;
  declare readonly soaEmail: pulumi.Output<string | undefined>;
  declare readonly masterIps: pulumi.Output<string[]>;
  declare readonly axfrIps: pulumi.Output<string[]>;
  declare readonly expireSec: pulumi.Output<number>;
  declare readonly refreshSec: pulumi.Output<number>;
  declare readonly retrySec: pulumi.Output<number>;
  declare readonly ttlSec: pulumi.Output<number>;
  declare readonly tags: pulumi.Output<string[]>;

  constructor(name: string, args: DomainArgs, opts?: pulumi.CustomResourceOptions) {
    super(domain, name, args, opts);
  }

  /** Reads a domain that another program or person manages. Its id is a number. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Domain {
    return NodeCloudResource.existing(Domain, name, id, opts);
  }
}
