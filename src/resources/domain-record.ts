import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../descriptions";
import { typeOf } from "../provider/registration";
import { isOfType, NodeCloudResource } from "../provider/resource";
import { outlines } from "./outlines";

/** Inputs of a {@link DomainRecord}. All but `domainId` and `type` can be changed in place. */
export interface DomainRecordArgs {
  /** Id of the domain. A change replaces the record. */
  domainId: pulumi.Input<string | number>;
  /** A change replaces the record. */
  type: pulumi.Input<"A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA">;
  /** 1 to 100 characters; leave it out for the domain itself. */
  name?: pulumi.Input<string>;
  /**
   * Required for a new record. At most 65535 characters: for A an IPv4 address, for AAAA an IPv6 address. A trailing period is taken except for A, AAAA and CAA.
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

/**
 * A record of a DNS domain.
 *
 * ```ts
 * new nodecloud.DomainRecord("mail", { domainId: zone.id, type: "MX", target: "mx.example.org", priority: 10 });
 * ```
 */
export class DomainRecord extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.DomainRecord);

  /** @internal */
  static get description() {
    return descriptions.DomainRecord;
  }

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is DomainRecord {
    return isOfType(outlines.DomainRecord, object);
  }

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
    super(outlines.DomainRecord, name, args, opts);
  }

  /** Reads a record that another program or person manages. Its id is `domainId/recordId`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): DomainRecord {
    return NodeCloudResource.existing(DomainRecord, name, id, opts);
  }
}
