import { isIPv4, isIPv6 } from "node:net";
import type * as pulumi from "@pulumi/pulumi";
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
import { NodeCloudResource } from "../provider/resource";
import { type Properties, UNKNOWN } from "../provider/values";

/** Inputs of a {@link DomainRecord}. All but `domainId` and `type` can be changed in place. */
export interface DomainRecordArgs {
  /** Id of the domain. A change replaces the record. */
  domainId: pulumi.Input<string | number>;
  /** A change replaces the record. */
  type: pulumi.Input<"A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA">;
  /** 1 to 100 characters; leave it out for the domain itself. */
  name?: pulumi.Input<string>;
  /**
   * At most 65535 characters: for A an IPv4 address, for AAAA an IPv6 address. A trailing period is taken except for A, AAAA and CAA.
   */
  target?: pulumi.Input<string>;
  /** 0 to 255, lower is preferred. Only for MX and SRV, required for SRV. */
  priority?: pulumi.Input<number>;
  /** 0 to 65535, higher is preferred at equal priority. Only for SRV, and required there. */
  weight?: pulumi.Input<number>;
  /** 0 to 65535. Only for SRV, and required there. */
  port?: pulumi.Input<number>;
  /** Service name. Only for SRV. Removed: none. */
  service?: pulumi.Input<string>;
  /** Protocol. Only for SRV. Removed: none. */
  protocol?: pulumi.Input<string>;
  /** Only for CAA, and required there. */
  tag?: pulumi.Input<"issue" | "issuewild" | "iodef">;
  /**
   * Seconds. The service rounds to one of 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600 and 2419200.
   * Left out at creation: the service's own. Removed: 0 is sent, which the service rounds as any other value.
   */
  ttlSec?: pulumi.Input<number>;
}

const { shape } = recordCreate;

const domainRecord = defineResource<Reply>({
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
  list: (client, domainId) => client.records.list.all({ domainId }),
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

/**
 * A record of a DNS domain.
 *
 * ```ts
 * new nodecloud.DomainRecord("mail", { domainId: zone.id, type: "MX", target: "mx.example.org", priority: 10 });
 * ```
 */
export class DomainRecord extends NodeCloudResource {
  /** @internal */
  static readonly description = domainRecord;

  declare readonly domainId: pulumi.Output<string>;
  declare readonly type: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string | undefined>;
  declare readonly target: pulumi.Output<string | undefined>;
  declare readonly priority: pulumi.Output<number | undefined>;
  declare readonly weight: pulumi.Output<number | undefined>;
  declare readonly port: pulumi.Output<number | undefined>;
  declare readonly service: pulumi.Output<string | undefined>;
  declare readonly protocol: pulumi.Output<string | undefined>;
  declare readonly tag: pulumi.Output<string | undefined>;
  declare readonly ttlSec: pulumi.Output<number>;
  /** `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  declare readonly updated: pulumi.Output<string>;

  constructor(name: string, args: DomainRecordArgs, opts?: pulumi.CustomResourceOptions) {
    super(domainRecord, name, args, opts);
  }

  /** Reads a record that another program or person manages. Its id is `domainId/recordId`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): DomainRecord {
    return NodeCloudResource.existing(DomainRecord, name, id, opts);
  }
}
