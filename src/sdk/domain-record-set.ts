// Written by `npm run generate` from src/resources/domain-record-set.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { type Documented, isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";
import { type DomainRecordSetRecord, type RecordValue } from "./domain-record";

/** The inputs of all sets. */
export interface CommonDomainRecordSetArgs {
  /**
   * The id of the domain. A change deletes the records and creates them in the other domain.
   * @example "123"
   */
  domainId: pulumi.Input<string | number>;
  /**
   * A name below the domain. The set then covers the records of this name and of the names below it. 1 to 253 characters.
   * A change updates the set in place. Removing it clears it.
   * @default the whole domain
   * @example "staging"
   */
  subdomain?: pulumi.Input<string>;
  /**
   * Whether the set owns all records that it covers. If `true`, it deletes undeclared records: at its creation, and after
   * a refresh finds them. The preview names them, or warns that it may if `domainId` is not known yet. If `false`, the set
   * manages only the records that it created. A change updates the set in place. Removing it resets it to `false`.
   * @default false
   * @example true
   */
  exclusive?: pulumi.Input<boolean>;
  /**
   * Whether to wait until the rendered zone of the domain shows what was changed. The service stores a record at once, and
   * renders the zone later. See `docs/ready.md`. A change looks at the zone, and sends nothing. Removing it resets it to
   * `false`.
   * @default false
   * @example true
   */
  served?: pulumi.Input<boolean>;
}

/** A set whose records are in a zone file. */
export interface ZoneFileDomainRecordSetArgs extends CommonDomainRecordSetArgs {
  /**
   * The records as the text of a zone file in BIND format, in place of `records`. The SOA record is ignored: its values
   * are inputs of the Domain. A change creates, updates and deletes single records.
   * @example "www 300 IN A 192.0.2.10\n"
   */
  zoneFile: pulumi.Input<string>;
  records?: undefined;
}

/** A set whose records are in the program. */
export interface ListedDomainRecordSetArgs extends CommonDomainRecordSetArgs {
  /**
   * The records, at most 12,000: a list, or an object that gives each record a key. In a list, its content identifies a
   * record. In an object, its key identifies it, so its name can change in place too. A change creates, updates and
   * deletes single records.
   * @example [{ type: "A", name: "www", target: "192.0.2.10" }]
   */
  records:
    | pulumi.Output<readonly RecordValue[]>
    | pulumi.Output<Record<string, RecordValue>>
    | pulumi.Input<
        | readonly (pulumi.Input<DomainRecordSetRecord> | pulumi.Output<RecordValue>)[]
        | Record<string, pulumi.Input<DomainRecordSetRecord> | pulumi.Output<RecordValue>>
      >;
  zoneFile?: undefined;
}

/**
 * Inputs of a {@link DomainRecordSet}. All inputs except `domainId` are updated in place. Either `records` or `zoneFile`
 * is required.
 */
export type DomainRecordSetArgs = ZoneFileDomainRecordSetArgs | ListedDomainRecordSetArgs;

/**
 * Many records of a domain as one resource. The engine takes one step for all of them. The id is the id of the domain, or
 * `domainId/subdomain` if the set has a subdomain.
 *
 * ```ts
 * new nodecloud.DomainRecordSet("zone", {
 *   domainId: zone.id,
 *   records: [
 *     { type: "A", target: "192.0.2.10" },
 *     { type: "CNAME", name: "www", target: "example.org" },
 *     { type: "MX", target: "mx.example.net", priority: 10 },
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

  /** Whether an object is a set of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is DomainRecordSet {
    return isOfType(outlines.DomainRecordSet, object);
  }

  /** The id of the domain. */
  declare readonly domainId: pulumi.Output<string>;
  /** The records as text, one line per record: name, time to live if it is set, type and data. */
  declare readonly records: pulumi.Output<string>;
  /** The subdomain that the set covers. */
  declare readonly subdomain: pulumi.Output<string | undefined>;
  /** Whether the set owns all records that it covers. */
  declare readonly exclusive: pulumi.Output<boolean | undefined>;
  /**
   * Whether to wait until the rendered zone of the domain shows what was changed. The service stores a record at once, and
   * renders the zone later. See `docs/ready.md`.
   */
  declare readonly served: pulumi.Output<boolean | undefined>;

  /**
   * Declares a set.
   * @param name The name of the resource in the program.
   * @param args The inputs of the set.
   * @param opts The options of the resource.
   */
  constructor(name: string, args: Documented<DomainRecordSetArgs>, opts?: pulumi.CustomResourceOptions) {
    super(outlines.DomainRecordSet, name, args, opts);
  }

  /**
   * Reads an existing set without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the set. It has the form 123 or 123/subdomain.
   * @param opts The options of the resource.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DomainRecordSet {
    return NodeCloudResource.existing(DomainRecordSet, name, id, opts);
  }
}
