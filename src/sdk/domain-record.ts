// Written by `npm run generate` from src/resources/domain-record.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { type Documented, isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";

/** The inputs of records of all types. */
export interface CommonRecordArgs {
  /**
   * The name of the record, relative to the domain. 1 to 100 characters. A change updates the record in place. Removing it
   * replaces the record.
   * @default the domain itself
   * @example "www"
   */
  name?: pulumi.Input<string>;
  /**
   * The data of the record: an IPv4 address for A, an IPv6 address for AAAA, a host name or text for other types. It may
   * end with a period, except for A, AAAA and CAA. At most 65535 characters. A change updates the record in place.
   * @example "192.0.2.10"
   */
  target: pulumi.Input<string>;
  /**
   * The time to live in seconds. The service rounds it to one of 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800,
   * 345600, 604800, 1209600 and 2419200. A change updates the record in place. Removing it replaces the record.
   * @default the service's default
   * @example 300
   */
  ttlSec?: pulumi.Input<number>;
  /**
   * Whether to wait until the rendered zone of the domain shows what was changed. The service stores a record at once, and
   * renders the zone later. See `docs/ready.md`. A change looks at the zone, and sends nothing. Removing it resets it to
   * `false`.
   * @default false
   * @example true
   */
  served?: pulumi.Input<boolean>;
}

/** A record of a type other than MX, SRV and CAA. */
export interface PlainRecordArgs extends CommonRecordArgs {
  /**
   * The type of the record. It determines which other inputs the record takes. A change replaces the record.
   * @example "A"
   */
  type: "A" | "AAAA" | "NS" | "CNAME" | "TXT" | "PTR";
  priority?: undefined;
  weight?: undefined;
  port?: undefined;
  service?: undefined;
  protocol?: undefined;
  tag?: undefined;
}

/** An MX record. */
export interface MxRecordArgs extends CommonRecordArgs {
  /**
   * The type of the record. It determines which other inputs the record takes. A change replaces the record.
   * @example "MX"
   */
  type: "MX";
  /**
   * The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. 0 to 255. A change
   * updates the record in place. Removing it replaces the record.
   * @example 10
   */
  priority?: pulumi.Input<number>;
  weight?: undefined;
  port?: undefined;
  service?: undefined;
  protocol?: undefined;
  tag?: undefined;
}

/** An SRV record. */
export interface SrvRecordArgs extends CommonRecordArgs {
  /**
   * The type of the record. It determines which other inputs the record takes. A change replaces the record.
   * @example "SRV"
   */
  type: "SRV";
  /**
   * The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. 0 to 255. A change
   * updates the record in place. Removing it replaces the record.
   */
  priority: pulumi.Input<number>;
  /**
   * The weight of the target: at equal priority, a higher number is preferred. Only for SRV, which requires it. 0 to
   * 65535. A change updates the record in place. Removing it replaces the record.
   * @example 5
   */
  weight: pulumi.Input<number>;
  /**
   * The port of the service. Only for SRV, which requires it. 0 to 65535. A change updates the record in place. Removing
   * it replaces the record.
   * @example 5060
   */
  port: pulumi.Input<number>;
  /**
   * The name of the service. Only for SRV. A change updates the record in place. Removing it clears it.
   * @example "sip"
   */
  service?: pulumi.Input<string>;
  /**
   * The protocol of the service. Only for SRV. A change updates the record in place. Removing it clears it.
   * @example "tcp"
   */
  protocol?: pulumi.Input<string>;
  tag?: undefined;
}

/** A CAA record. */
export interface CaaRecordArgs extends CommonRecordArgs {
  /**
   * The type of the record. It determines which other inputs the record takes. A change replaces the record.
   * @example "CAA"
   */
  type: "CAA";
  /**
   * The tag of a CAA record. Only for CAA, which requires it. A change updates the record in place. Removing it replaces
   * the record.
   * @example "issue"
   */
  tag: pulumi.Input<"issue" | "issuewild" | "iodef">;
  priority?: undefined;
  weight?: undefined;
  port?: undefined;
  service?: undefined;
  protocol?: undefined;
}

/** A record whose type is an output. As soon as the type is known, the preview checks the inputs that it requires. */
export interface AnyRecordArgs extends CommonRecordArgs {
  /** The type of the record. It determines which other inputs the record takes. A change replaces the record. */
  type: pulumi.Output<string> | Promise<string>;
  /**
   * The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. 0 to 255. A change
   * updates the record in place. Removing it replaces the record.
   */
  priority?: pulumi.Input<number>;
  /**
   * The weight of the target: at equal priority, a higher number is preferred. Only for SRV, which requires it. 0 to
   * 65535. A change updates the record in place. Removing it replaces the record.
   */
  weight?: pulumi.Input<number>;
  /**
   * The port of the service. Only for SRV, which requires it. 0 to 65535. A change updates the record in place. Removing
   * it replaces the record.
   */
  port?: pulumi.Input<number>;
  /**
   * The tag of a CAA record. Only for CAA, which requires it. A change updates the record in place. Removing it replaces
   * the record.
   */
  tag?: pulumi.Input<"issue" | "issuewild" | "iodef">;
  /** The name of the service. Only for SRV. A change updates the record in place. Removing it clears it. */
  service?: pulumi.Input<string>;
  /** The protocol of the service. Only for SRV. A change updates the record in place. Removing it clears it. */
  protocol?: pulumi.Input<string>;
}

/** One record of a DomainRecordSet: the inputs of a DomainRecord without the domain. */
export type DomainRecordSetRecord =
  PlainRecordArgs | MxRecordArgs | SrvRecordArgs | CaaRecordArgs | AnyRecordArgs;

/** A record within an output. The preview checks the inputs that its type requires. */
export interface RecordValue {
  /** The type of the record. It determines which other inputs the record takes. */
  type: string;
  /** The name of the record, relative to the domain. */
  name?: string | undefined;
  /**
   * The data of the record: an IPv4 address for A, an IPv6 address for AAAA, a host name or text for other types. It may
   * end with a period, except for A, AAAA and CAA.
   */
  target: string;
  /**
   * The time to live in seconds. The service rounds it to one of 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800,
   * 345600, 604800, 1209600 and 2419200.
   */
  ttlSec?: number | undefined;
  /**
   * Whether to wait until the rendered zone of the domain shows what was changed. The service stores a record at once, and
   * renders the zone later. See `docs/ready.md`.
   */
  served?: boolean | undefined;
  /** The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. */
  priority?: number | undefined;
  /** The weight of the target: at equal priority, a higher number is preferred. Only for SRV, which requires it. */
  weight?: number | undefined;
  /** The port of the service. Only for SRV, which requires it. */
  port?: number | undefined;
  /** The name of the service. Only for SRV. */
  service?: string | undefined;
  /** The protocol of the service. Only for SRV. */
  protocol?: string | undefined;
  /** The tag of a CAA record. Only for CAA, which requires it. */
  tag?: string | undefined;
}

/** The domain of a record. */
export interface RecordPlaceArgs {
  /**
   * The id of the domain. A change replaces the record.
   * @example "123"
   */
  domainId: pulumi.Input<string | number>;
}

/**
 * Inputs of a {@link DomainRecord}. All inputs except `domainId` and `type` are updated in place. If the program computes
 * the type at run time, pass it as an output. The preview then checks it.
 */
export type DomainRecordArgs = RecordPlaceArgs & DomainRecordSetRecord;

/**
 * A record of a DNS domain.
 *
 * ```ts
 * new nodecloud.DomainRecord("mail", { domainId: zone.id, type: "MX", target: "mx.example.net", priority: 10 });
 * ```
 */
export class DomainRecord extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.DomainRecord);

  /** @internal */
  static get description() {
    return descriptions.DomainRecord;
  }

  /** Whether an object is a record of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is DomainRecord {
    return isOfType(outlines.DomainRecord, object);
  }

  /** The id of the domain. */
  declare readonly domainId: pulumi.Output<string>;
  /** The type of the record. */
  declare readonly type: pulumi.Output<
    "A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA" | (string & {})
  >;
  /** The name of the record. Undefined for the domain itself. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** The data of the record. */
  declare readonly target: pulumi.Output<string | undefined>;
  /** The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. */
  declare readonly priority: pulumi.Output<number | undefined>;
  /** The weight of the target: at equal priority, a higher number is preferred. Only for SRV, which requires it. */
  declare readonly weight: pulumi.Output<number | undefined>;
  /** The port of the service. Only for SRV, which requires it. */
  declare readonly port: pulumi.Output<number | undefined>;
  /** The name of the service. Only for SRV. */
  declare readonly service: pulumi.Output<string | undefined>;
  /** The protocol of the service. Only for SRV. */
  declare readonly protocol: pulumi.Output<string | undefined>;
  /** The tag of a CAA record. */
  declare readonly tag: pulumi.Output<"issue" | "issuewild" | "iodef" | (string & {}) | undefined>;
  /** The time to live in seconds. */
  declare readonly ttlSec: pulumi.Output<number>;
  /**
   * Whether to wait until the rendered zone of the domain shows what was changed. The service stores a record at once, and
   * renders the zone later. See `docs/ready.md`.
   */
  declare readonly served: pulumi.Output<boolean | undefined>;
  /** When the record was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  /** When the record was last updated: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly updated: pulumi.Output<string>;

  /**
   * Declares a record.
   * @param name The name of the resource in the program.
   * @param args The inputs of the record.
   * @param opts The options of the resource.
   */
  constructor(name: string, args: Documented<DomainRecordArgs>, opts?: pulumi.CustomResourceOptions) {
    super(outlines.DomainRecord, name, args, opts);
  }

  /**
   * Reads an existing record without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the record. It has the form domainId/recordId, such as 12/345.
   * @param opts The options of the resource.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): DomainRecord {
    return NodeCloudResource.existing(DomainRecord, name, id, opts);
  }
}
