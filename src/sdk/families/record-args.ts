import type * as pulumi from "@pulumi/pulumi";

/** What records of all types have. */
export interface CommonRecordArgs {
  /** 1 to 100 characters; leave it out for the domain itself. */
  name?: pulumi.Input<string>;
  /** At most 65535 characters: for A an IPv4 address, for AAAA an IPv6 address. A trailing period is taken except for A, AAAA and CAA. */
  target: pulumi.Input<string>;
  /**
   * Seconds. The service rounds to one of 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600 and 2419200.
   * Left out at creation: the service's own. Removed: 0 is sent, which the service rounds as any other value.
   */
  ttlSec?: pulumi.Input<number>;
}

/** A record of a type that needs a name and a target only. */
export interface PlainRecordArgs extends CommonRecordArgs {
  /** A change replaces the record. */
  type: "A" | "AAAA" | "NS" | "CNAME" | "TXT" | "PTR";
  priority?: undefined;
  weight?: undefined;
  port?: undefined;
  service?: undefined;
  protocol?: undefined;
  tag?: undefined;
}

/** A mail exchange. */
export interface MxRecordArgs extends CommonRecordArgs {
  /** A change replaces the record. */
  type: "MX";
  /** 0 to 255, lower is preferred. */
  priority?: pulumi.Input<number>;
  weight?: undefined;
  port?: undefined;
  service?: undefined;
  protocol?: undefined;
  tag?: undefined;
}

/** A server of a service. */
export interface SrvRecordArgs extends CommonRecordArgs {
  /** A change replaces the record. */
  type: "SRV";
  /** 0 to 255, lower is preferred. */
  priority: pulumi.Input<number>;
  /** 0 to 65535, higher is preferred at equal priority. */
  weight: pulumi.Input<number>;
  /** 0 to 65535. */
  port: pulumi.Input<number>;
  /** Service name. Removed: none. */
  service?: pulumi.Input<string>;
  /** Protocol. Removed: none. */
  protocol?: pulumi.Input<string>;
  tag?: undefined;
}

/** Who may issue certificates. */
export interface CaaRecordArgs extends CommonRecordArgs {
  /** A change replaces the record. */
  type: "CAA";
  /** What the target is about. */
  tag: pulumi.Input<"issue" | "issuewild" | "iodef">;
  priority?: undefined;
  weight?: undefined;
  port?: undefined;
  service?: undefined;
  protocol?: undefined;
}

/** A record whose type is an output: the preview checks what the type needs, as soon as it is known. */
export interface AnyRecordArgs extends CommonRecordArgs {
  /** A change replaces the record. */
  type: pulumi.Output<string> | Promise<string>;
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
}

/** One record of a DomainRecordSet, by its type: the inputs of a DomainRecord but for the domain. */
export type DomainRecordSetRecord =
  PlainRecordArgs | MxRecordArgs | SrvRecordArgs | CaaRecordArgs | AnyRecordArgs;

/** A record within an output: the preview checks what its type needs. */
export interface RecordValue {
  type: string;
  name?: string | undefined;
  target: string;
  ttlSec?: number | undefined;
  priority?: number | undefined;
  weight?: number | undefined;
  port?: number | undefined;
  service?: string | undefined;
  protocol?: string | undefined;
  tag?: string | undefined;
}
