// Written by `npm run generate` from src/resources/domain.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";

/** The inputs of domains of both types. */
export interface CommonDomainArgs {
  /**
   * The name of the domain, unique on the whole platform. Each label has at most 63 characters: ASCII letters, digits and
   * hyphens. Write an international name in punycode. 1 to 253 characters. A change updates it in place.
   */
  domain: pulumi.Input<string>;
  /**
   * Whether the service renders the domain. A change updates it in place. Removing it restores the default.
   * @default "active"
   */
  status?: pulumi.Input<"disabled" | "active">;
  /** A description. 1 to 253 characters. A change updates it in place. Removing it clears it. */
  description?: pulumi.Input<string>;
  /** A group label. 1 to 50 characters. A change updates it in place. Removing it clears it. */
  group?: pulumi.Input<string>;
  /**
   * The mail address of the zone's administrator. A `master` requires it. A change updates it in place. Removing it leaves
   * the value as it is.
   */
  soaEmail?: pulumi.Input<string>;
  /**
   * The IP addresses of the nameservers that a `slave` copies. Order is ignored. A `slave` requires them. A change updates
   * it in place. Removing it restores the default.
   * @default []
   */
  masterIps?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The IP addresses that may transfer the zone, at most 1000 characters together. Order is ignored. A change updates it
   * in place. Removing it restores the default.
   * @default []
   */
  axfrIps?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The expire time in the zone's SOA record. In seconds. The service may round it to another value. A change updates it
   * in place. Removing it resets it to 0, which is the service's default.
   * @default 0
   */
  expireSec?: pulumi.Input<number>;
  /**
   * The refresh time in the zone's SOA record. In seconds. The service may round it to another value. A change updates it
   * in place. Removing it resets it to 0, which is the service's default.
   * @default 0
   */
  refreshSec?: pulumi.Input<number>;
  /**
   * The retry time in the zone's SOA record. In seconds. The service may round it to another value. A change updates it in
   * place. Removing it resets it to 0, which is the service's default.
   * @default 0
   */
  retrySec?: pulumi.Input<number>;
  /**
   * The cache time of the zone. In seconds. The service may round it to another value. A change updates it in place.
   * Removing it resets it to 0, which is the service's default.
   * @default 0
   */
  ttlSec?: pulumi.Input<number>;
  /**
   * Tags for grouping. Order is ignored. A change updates it in place. Removing it restores the default.
   * @default []
   */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The id of a domain whose records the new domain starts with. A change replaces the domain. Removing it leaves the
   * value as it is.
   */
  cloneFrom?: pulumi.Input<string | number>;
  /**
   * A nameserver whose zone the new domain starts with. It must allow zone transfers to the service. A change replaces the
   * domain. Removing it leaves the value as it is.
   */
  importFrom?: pulumi.Input<string>;
}

/** A domain that starts with the records of another domain. It has what its type requires from there. */
export interface CopiedDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates it in place.
   */
  type: pulumi.Input<"master" | "slave">;
  /**
   * The id of a domain whose records the new domain starts with. A change replaces the domain. Removing it leaves the
   * value as it is.
   */
  cloneFrom: pulumi.Input<string | number>;
}

/** A domain that starts with the zone of another nameserver. */
export interface ImportedDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates it in place.
   */
  type: pulumi.Input<"master" | "slave">;
  /**
   * A nameserver whose zone the new domain starts with. It must allow zone transfers to the service. A change replaces the
   * domain. Removing it leaves the value as it is.
   */
  importFrom: pulumi.Input<string>;
}

/** A domain whose type is an output. The preview checks what the type requires as soon as it is known. */
export interface AnyDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates it in place.
   */
  type: pulumi.Output<string> | Promise<string>;
}

/** A domain that the service is authoritative for. */
export interface MasterDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates it in place.
   */
  type: "master";
  /**
   * The mail address of the zone's administrator. A `master` requires it. A change updates it in place. Removing it leaves
   * the value as it is.
   */
  soaEmail: pulumi.Input<string>;
}

/** A read-only copy of another nameserver's zone. */
export interface SlaveDomainArgs extends CommonDomainArgs {
  /**
   * The service is authoritative for a `master`. A `slave` is a read-only copy of another nameserver's zone. A change
   * updates it in place.
   */
  type: "slave";
  /**
   * The IP addresses of the nameservers that a `slave` copies. Order is ignored. A `slave` requires them. A change updates
   * it in place. Removing it restores the default.
   * @default []
   */
  masterIps: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * Inputs of a {@link Domain}. A `master` requires `soaEmail`, and a `slave` requires `masterIps`. A domain that starts as
 * a copy requires neither. All inputs but `cloneFrom` and `importFrom` are updated in place.
 */
export type DomainArgs =
  CopiedDomainArgs | ImportedDomainArgs | AnyDomainArgs | MasterDomainArgs | SlaveDomainArgs;

/**
 * A DNS domain. The service is no registrar: you must own the domain, and delegate it to the service's nameservers at your
 * registrar. A replacement deletes the old domain first, with all its records, because the name is unique.
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

  /** Whether an object is a domain of this class. It knows those of other copies of the package, and what policies are shown. */
  static override isInstance(object: unknown): object is Domain {
    return isOfType(outlines.Domain, object);
  }

  /**
   * The name of the domain, unique on the whole platform. Each label has at most 63 characters: ASCII letters, digits and
   * hyphens. Write an international name in punycode.
   */
  declare readonly domain: pulumi.Output<string>;
  /** The type of the domain. */
  declare readonly type: pulumi.Output<"master" | "slave" | (string & {})>;
  /** Whether the service renders the domain. */
  declare readonly status: pulumi.Output<"disabled" | "active" | (string & {})>;
  /** The description. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The group label. */
  declare readonly group: pulumi.Output<string | undefined>;
  /** The mail address of the zone's administrator. A `master` requires it. */
  declare readonly soaEmail: pulumi.Output<string | undefined>;
  /** The IP addresses of the nameservers that a `slave` copies. Order is ignored. A `slave` requires them. */
  declare readonly masterIps: pulumi.Output<string[]>;
  /** The IP addresses that may transfer the zone, at most 1000 characters together. Order is ignored. */
  declare readonly axfrIps: pulumi.Output<string[]>;
  /** The expire time in the zone's SOA record. In seconds. The service may round it to another value. */
  declare readonly expireSec: pulumi.Output<number>;
  /** The refresh time in the zone's SOA record. In seconds. The service may round it to another value. */
  declare readonly refreshSec: pulumi.Output<number>;
  /** The retry time in the zone's SOA record. In seconds. The service may round it to another value. */
  declare readonly retrySec: pulumi.Output<number>;
  /** The cache time of the zone. In seconds. The service may round it to another value. */
  declare readonly ttlSec: pulumi.Output<number>;
  /** Tags for grouping. Order is ignored. */
  declare readonly tags: pulumi.Output<string[]>;
  /** The id of a domain whose records the new domain starts with. */
  declare readonly cloneFrom: pulumi.Output<string | undefined>;
  /** A nameserver whose zone the new domain starts with. It must allow zone transfers to the service. */
  declare readonly importFrom: pulumi.Output<string | undefined>;

  constructor(name: string, args: DomainArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.Domain, name, args, opts);
  }

  /** Reads an existing domain without managing it. The form of its id is 123. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Domain {
    return NodeCloudResource.existing(Domain, name, id, opts);
  }
}
