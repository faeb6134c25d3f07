import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { type DomainRecordSetRecord } from "./families/record-args";
import { outlines } from "./outlines";

/** Which domain a record belongs to. */
export interface RecordPlaceArgs {
  /** Id of the domain. A change replaces the record. */
  domainId: pulumi.Input<string | number>;
}

/**
 * Inputs of a {@link DomainRecord}: what its type takes and needs, and the domain. All but `domainId` and `type` can be changed in place. A type
 * that is no constant of the program is an output, and is checked in the preview.
 */
export type DomainRecordArgs = RecordPlaceArgs & DomainRecordSetRecord;

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
