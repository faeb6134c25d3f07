import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { outlines } from "./outlines";

/** What domains of both types have. */
export interface CommonDomainArgs {
  /**
   * The name, 1 to 253 characters, each label at most 63: ASCII letters, digits and hyphens, an international name in punycode. It is unique on
   * the whole platform.
   */
  domain: pulumi.Input<string>;
  /** Whether the domain is rendered. @default "active" */
  status?: pulumi.Input<"active" | "disabled">;
  /** 1 to 253 characters. Removed: none. */
  description?: pulumi.Input<string>;
  /** 1 to 50 characters. Removed: none. */
  group?: pulumi.Input<string>;
  /** Mail address of the zone's administrator. */
  soaEmail?: pulumi.Input<string>;
  /** IP addresses of the nameservers that a `slave` copies; their order means nothing. Removed: `[]`. */
  masterIps?: pulumi.Input<pulumi.Input<string>[]>;
  /** IP addresses that may transfer the zone, at most 1000 characters together; their order means nothing. Removed: `[]`. */
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

/** A domain that starts as a copy of another one, which has what its type needs. */
export interface CopiedDomainArgs extends CommonDomainArgs {
  /** The service is authoritative for a `master`; a `slave` is a read-only copy of another nameserver's zone. */
  type: pulumi.Input<"master" | "slave">;
  /** Id of a domain whose records to start with. A change replaces the domain. */
  cloneFrom: pulumi.Input<string | number>;
}

/** A domain that starts with the zone of another nameserver. */
export interface ImportedDomainArgs extends CommonDomainArgs {
  /** The service is authoritative for a `master`; a `slave` is a read-only copy of another nameserver's zone. */
  type: pulumi.Input<"master" | "slave">;
  /** A nameserver whose zone to start with; it must allow zone transfers to the service. A change replaces the domain. */
  importFrom: pulumi.Input<string>;
}

/** A domain whose type is an output: the preview checks what the type needs, as soon as it is known. */
export interface AnyDomainArgs extends CommonDomainArgs {
  /** `master` or `slave`. */
  type: pulumi.Output<string> | Promise<string>;
}

// These two are the last, for the compiler names what is missing in the last one that fits.

/** A domain that the service is authoritative for. */
export interface MasterDomainArgs extends CommonDomainArgs {
  /** The service is authoritative for a `master`; a `slave` is a read-only copy of another nameserver's zone. */
  type: "master";
  /** Mail address of the zone's administrator. */
  soaEmail: pulumi.Input<string>;
}

/** A read-only copy of another nameserver's zone. */
export interface SlaveDomainArgs extends CommonDomainArgs {
  /** The service is authoritative for a `master`; a `slave` is a read-only copy of another nameserver's zone. */
  type: "slave";
  /** IP addresses of the nameservers to copy; their order means nothing. */
  masterIps: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * Inputs of a {@link Domain}: a `master` needs `soaEmail`, a `slave` needs `masterIps`, and a domain that starts as a copy neither. All but
 * `cloneFrom` and `importFrom` can be changed in place.
 */
export type DomainArgs =
  MasterDomainArgs | SlaveDomainArgs | CopiedDomainArgs | ImportedDomainArgs | AnyDomainArgs;

/**
 * A DNS domain. The service is no registrar: you must own the domain, and point it to the service's nameservers where it is registered. A
 * replacement deletes the old one first, with all its records, for its name is unique.
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

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is Domain {
    return isOfType(outlines.Domain, object);
  }

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
    super(outlines.Domain, name, args, opts);
  }

  /** Reads a domain that another program or person manages. Its id is a number. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Domain {
    return NodeCloudResource.existing(Domain, name, id, opts);
  }
}
