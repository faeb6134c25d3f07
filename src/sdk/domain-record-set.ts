import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { type DomainRecordSetRecord, type RecordValue } from "./families/record-args";
import { outlines } from "./outlines";

type GivenRecord = pulumi.Input<DomainRecordSetRecord> | pulumi.Output<RecordValue>;

/** Inputs of a {@link DomainRecordSet}. All but `domainId` can be changed in place; either `records` or `zoneFile` is required. */
export interface DomainRecordSetArgs {
  /** Id of the domain. A change replaces the set: its records are deleted, and made in the other domain. */
  domainId: pulumi.Input<string | number>;
  /**
   * The records, at most 12,000: a list, or an object in which each has a key. A record is known by its content in a list, and by its key in
   * an object, so that there its name can change in place too. What changes is created, updated and deleted record by record.
   */
  // What programs write is the last: the compiler then says what is wrong with a record, and at that record only.
  records?:
    | pulumi.Output<RecordValue[]>
    | pulumi.Output<Record<string, RecordValue>>
    | pulumi.Input<GivenRecord[] | Record<string, GivenRecord>>;
  /**
   * The records as the text of a zone file in the form of BIND, in place of `records`. Its SOA is left out, for the domain's inputs say that.
   * A change updates the records that differ.
   */
  zoneFile?: pulumi.Input<string>;
  /** A name below the domain: the set is then about the records of this name and of those below it only. @default the whole domain */
  subdomain?: pulumi.Input<string>;
  /**
   * Whether the set owns the whole domain, or subdomain: records that it does not declare are deleted, when it is created and whenever a
   * refresh has found some; the preview names them. Otherwise it touches only what it made. @default false
   */
  exclusive?: pulumi.Input<boolean>;
}

/**
 * Many records of a domain as one resource: one step for the engine, however many there are. Its id is that of the domain, with the
 * subdomain where it has one.
 *
 * ```ts
 * new nodecloud.DomainRecordSet("zone", {
 *   domainId: zone.id,
 *   records: [
 *     { type: "A", target: "192.0.2.10" },
 *     { type: "CNAME", name: "www", target: "example.org" },
 *     { type: "MX", target: "mx.example.org", priority: 10 },
 *   ],
 * });
 * ```
 */
export class DomainRecordSet extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.DomainRecordSet);

  /** @internal */
  static get description() {
    return descriptions.DomainRecordSet;
  }

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is DomainRecordSet {
    return isOfType(outlines.DomainRecordSet, object);
  }

  declare readonly domainId: pulumi.Output<string>;
  /** The records as text, a line for each: name, time to live where it is set, type and data. */
  declare readonly records: pulumi.Output<string>;
  declare readonly subdomain: pulumi.Output<string | undefined>;
  declare readonly exclusive: pulumi.Output<boolean | undefined>;

  constructor(name: string, args: DomainRecordSetArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.DomainRecordSet, name, args, opts);
  }

  /** Reads the records of a domain that other programs or people manage. Its id is that of the domain, such as 123, or 123/subdomain. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DomainRecordSet {
    return NodeCloudResource.existing(DomainRecordSet, name, id, opts);
  }
}
