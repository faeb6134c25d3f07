// Written by `npm run generate` from src/resources/domain-record-set.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";
import { type DomainRecordSetRecord, type RecordValue } from "./domain-record";

/**
 * Inputs of a {@link DomainRecordSet}. All inputs but `domainId` are updated in place. Either `records` or `zoneFile` is
 * required.
 */
export interface DomainRecordSetArgs {
  /** The id of the domain. A change deletes the records and creates them in the other domain. */
  domainId: pulumi.Input<string | number>;
  /**
   * The records, at most 12,000: a list, or an object that gives each record a key. In a list, a record is identified by
   * its content. In an object, it is identified by its key, so that its name can change in place too. A change creates,
   * updates and deletes single records. Removing it is refused, unless `zoneFile` takes its place.
   */
  records?:
    | pulumi.Output<RecordValue[]>
    | pulumi.Output<Record<string, RecordValue>>
    | pulumi.Input<
        | (pulumi.Input<DomainRecordSetRecord> | pulumi.Output<RecordValue>)[]
        | Record<string, pulumi.Input<DomainRecordSetRecord> | pulumi.Output<RecordValue>>
      >;
  /**
   * The records as the text of a zone file in BIND format, in place of `records`. Its SOA record is ignored, because the
   * inputs of the domain say it. A change creates, updates and deletes single records. Removing it is refused, unless
   * `records` takes its place.
   */
  zoneFile?: pulumi.Input<string>;
  /**
   * A name below the domain. The set then covers the records of this name and of the names below it. 1 to 253 characters.
   * A change updates it in place. Removing it clears it.
   * @default the whole domain
   */
  subdomain?: pulumi.Input<string>;
  /**
   * Whether the set owns all records that it covers. Records that it does not declare are then deleted: when it is
   * created, and when a refresh finds some. The preview names them. Otherwise the set manages only the records that it
   * created. A change updates it in place. Removing it restores the default.
   * @default false
   */
  exclusive?: pulumi.Input<boolean>;
}

/**
 * Many records of a domain as one resource: one step for the engine, however many records there are. Its id is that of the
 * domain, followed by the subdomain where it has one.
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

  /** Whether an object is a set of this class. It knows those of other copies of the package, and what policies are shown. */
  static override isInstance(object: unknown): object is DomainRecordSet {
    return isOfType(outlines.DomainRecordSet, object);
  }

  /** The id of the domain. */
  declare readonly domainId: pulumi.Output<string>;
  /** The records as text, a line for each: name, time to live where it is set, type and data. */
  declare readonly records: pulumi.Output<string>;
  /** The subdomain that the set covers. */
  declare readonly subdomain: pulumi.Output<string | undefined>;
  /** Whether the set owns all records that it covers. */
  declare readonly exclusive: pulumi.Output<boolean | undefined>;

  constructor(name: string, args: DomainRecordSetArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.DomainRecordSet, name, args, opts);
  }

  /** Reads an existing set without managing it. The form of its id is 123, or 123/subdomain. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DomainRecordSet {
    return NodeCloudResource.existing(DomainRecordSet, name, id, opts);
  }
}
