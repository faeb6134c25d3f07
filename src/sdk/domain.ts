// Written by `npm run generate` from src/resources/domain.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { type Documented, isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";

/** The inputs of domains of both types. */
export interface CommonDomainArgs {
  /**
   * The name of the domain, unique on the whole platform. Each label has at most 63 characters: ASCII letters, digits and
   * hyphens. Case and a final period are ignored. Write an international name in punycode (`xn--…`). 1 to 253 characters.
   * A change updates the domain in place.
   * @example "example.org"
   */
  domain: pulumi.Input<string>;
  /**
   * Whether the service renders the domain: `active` or `disabled`. A change updates the domain in place. Removing it
   * resets it to `"active"`.
   * @default "active"
   * @example "disabled"
   */
  status?: pulumi.Input<"disabled" | "active">;
  /**
   * A description, for display only. 1 to 253 characters. A change updates the domain in place. Removing it clears it.
   * @example "The zone of the shop"
   */
  description?: pulumi.Input<string>;
  /**
   * A group label, for display only. 1 to 50 characters. A change updates the domain in place. Removing it clears it.
   * @example "shop"
   */
  group?: pulumi.Input<string>;
  /**
   * The email address in the zone's SOA record. A `master` requires it. A change updates the domain in place. Removing it
   * keeps the current value; the preview warns.
   * @example "dns@example.org"
   */
  soaEmail?: pulumi.Input<string>;
  /**
   * The IP addresses of the nameservers that a `slave` copies. Order is ignored. A `slave` requires them. A change updates
   * the domain in place. Removing it resets it to `[]`.
   * @default []
   * @example ["192.0.2.53"]
   */
  masterIps?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The IP addresses that may transfer the zone, at most 1000 characters together. Leave it empty if none may. Order is
   * ignored. A change updates the domain in place. Removing it resets it to `[]`.
   * @default []
   * @example ["192.0.2.53"]
   */
  axfrIps?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The expire time in the zone's SOA record, in seconds. The service may round it. A change updates the domain in place.
   * Removing it resets it to `0`.
   * @default the service's default
   * @example 1209600
   */
  expireSec?: pulumi.Input<number>;
  /**
   * The refresh time in the zone's SOA record, in seconds. The service may round it. A change updates the domain in place.
   * Removing it resets it to `0`.
   * @default the service's default
   * @example 14400
   */
  refreshSec?: pulumi.Input<number>;
  /**
   * The retry time in the zone's SOA record, in seconds. The service may round it. A change updates the domain in place.
   * Removing it resets it to `0`.
   * @default the service's default
   * @example 3600
   */
  retrySec?: pulumi.Input<number>;
  /**
   * The cache time of the zone, in seconds. The service may round it. A change updates the domain in place. Removing it
   * resets it to `0`.
   * @default the service's default
   * @example 300
   */
  ttlSec?: pulumi.Input<number>;
  /**
   * The tags of the domain. Order is ignored. A change updates the domain in place. Removing it resets it to `[]`.
   * @default []
   * @example ["production"]
   */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The id of a domain to clone. The new domain starts with its records. A change replaces the domain. Removing it keeps
   * the current value; the preview warns.
   * @example "123"
   */
  cloneFrom?: pulumi.Input<string | number>;
  /**
   * A nameserver to import the zone from. The new domain starts with its records. The nameserver must allow zone transfers
   * to the service. A change replaces the domain. Removing it keeps the current value; the preview warns.
   * @example "ns1.example.net"
   */
  importFrom?: pulumi.Input<string>;
}

/** A domain that starts as a clone of another domain. */
export interface CopiedDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates the domain in place.
   * @example "master"
   */
  type: pulumi.Input<"master" | "slave">;
  /**
   * The id of a domain to clone. The new domain starts with its records. A change replaces the domain. Removing it keeps
   * the current value; the preview warns.
   */
  cloneFrom: pulumi.Input<string | number>;
}

/** A domain that starts with the zone of another nameserver. */
export interface ImportedDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates the domain in place.
   */
  type: pulumi.Input<"master" | "slave">;
  /**
   * A nameserver to import the zone from. The new domain starts with its records. The nameserver must allow zone transfers
   * to the service. A change replaces the domain. Removing it keeps the current value; the preview warns.
   */
  importFrom: pulumi.Input<string>;
}

/** A domain whose type is an output. As soon as the type is known, the preview checks the inputs that it requires. */
export interface AnyDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates the domain in place.
   */
  type: pulumi.Output<string> | Promise<string>;
}

/** A domain for which the service is authoritative. */
export interface MasterDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates the domain in place.
   */
  type: "master";
  /**
   * The email address in the zone's SOA record. A `master` requires it. A change updates the domain in place. Removing it
   * keeps the current value; the preview warns.
   */
  soaEmail: pulumi.Input<string>;
}

/** A read-only copy of another nameserver's zone. */
export interface SlaveDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates the domain in place.
   * @example "slave"
   */
  type: "slave";
  /**
   * The IP addresses of the nameservers that a `slave` copies. Order is ignored. A `slave` requires them. A change updates
   * the domain in place. Removing it resets it to `[]`.
   */
  masterIps: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * Inputs of a {@link Domain}. A `master` requires `soaEmail`, and a `slave` requires `masterIps`. A domain that starts as
 * a copy requires neither. All inputs except `cloneFrom` and `importFrom` are updated in place.
 */
export type DomainArgs =
  CopiedDomainArgs | ImportedDomainArgs | AnyDomainArgs | MasterDomainArgs | SlaveDomainArgs;

/**
 * A DNS domain. The service is not a registrar: you must own the domain, and delegate it to the service's nameservers at
 * your registrar. A replacement first deletes the old domain with all its records, because the name is unique.
 *
 * ```ts
 * const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
 * new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });
 * ```
 */
export class Domain extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.Domain);

  /** @internal */
  static get description() {
    return descriptions.Domain;
  }

  /** Whether an object is a domain of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is Domain {
    return isOfType(outlines.Domain, object);
  }

  /**
   * The name of the domain, unique on the whole platform. Each label has at most 63 characters: ASCII letters, digits and
   * hyphens. Case and a final period are ignored. Write an international name in punycode (`xn--…`).
   */
  declare readonly domain: pulumi.Output<string>;
  /** The type of the domain. */
  declare readonly type: pulumi.Output<"master" | "slave" | (string & {})>;
  /** Whether the service renders the domain: `active` or `disabled`. */
  declare readonly status: pulumi.Output<"disabled" | "active" | (string & {})>;
  /** The description. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The group label. */
  declare readonly group: pulumi.Output<string | undefined>;
  /** The email address in the zone's SOA record. A `master` requires it. */
  declare readonly soaEmail: pulumi.Output<string | undefined>;
  /** The IP addresses of the nameservers that a `slave` copies. Order is ignored. A `slave` requires them. */
  declare readonly masterIps: pulumi.Output<string[]>;
  /**
   * The IP addresses that may transfer the zone, at most 1000 characters together. Leave it empty if none may. Order is
   * ignored.
   */
  declare readonly axfrIps: pulumi.Output<string[]>;
  /** The expire time in the zone's SOA record, in seconds. The service may round it. */
  declare readonly expireSec: pulumi.Output<number>;
  /** The refresh time in the zone's SOA record, in seconds. The service may round it. */
  declare readonly refreshSec: pulumi.Output<number>;
  /** The retry time in the zone's SOA record, in seconds. The service may round it. */
  declare readonly retrySec: pulumi.Output<number>;
  /** The cache time of the zone, in seconds. The service may round it. */
  declare readonly ttlSec: pulumi.Output<number>;
  /** The tags of the domain. Order is ignored. */
  declare readonly tags: pulumi.Output<string[]>;
  /** The id of a domain to clone. The new domain starts with its records. */
  declare readonly cloneFrom: pulumi.Output<string | undefined>;
  /**
   * A nameserver to import the zone from. The new domain starts with its records. The nameserver must allow zone transfers
   * to the service.
   */
  declare readonly importFrom: pulumi.Output<string | undefined>;

  /**
   * Declares a domain.
   * @param name The name of the resource in the program.
   * @param args The inputs of the domain.
   * @param opts The options of the resource.
   */
  constructor(name: string, args: Documented<DomainArgs>, opts?: pulumi.CustomResourceOptions) {
    super(outlines.Domain, name, args, opts);
  }

  /**
   * Reads an existing domain without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the domain. It has the form 123.
   * @param opts The options of the resource.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Domain {
    return NodeCloudResource.existing(Domain, name, id, opts);
  }
}
