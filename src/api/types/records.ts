// Written by `npm run generate` from src/api/records.ts.
import { type Known } from "./common";

/** A DNS record of a domain. Fields that the reference does not name are kept unchanged. */
export interface DomainRecord {
  [field: string]: unknown;
  id: number;
  /** Type of the record. */
  type: Known<"A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA">;
  /** The name of the record, relative to the domain. Empty for the domain itself. */
  name?: string | null | undefined;
  /** Data of the record. */
  target?: string | null | undefined;
  /** The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. */
  priority?: number | null | undefined;
  /** The weight of the target: at equal priority, a higher number is preferred. Only for SRV, which requires it. */
  weight?: number | null | undefined;
  /** The port of the service. Only for SRV, which requires it. */
  port?: number | null | undefined;
  /** The name of the service. Only for SRV. */
  service?: string | null | undefined;
  /** The protocol of the service. Only for SRV. */
  protocol?: string | null | undefined;
  /** The tag of a CAA record. Only for CAA, which requires it. */
  tag?: Known<"issue" | "issuewild" | "iodef"> | null | undefined;
  /** The time to live in seconds. The service rounds it to a supported value. */
  ttl_sec?: number | null | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
}

/** Body of the creation of a record. */
export interface DomainRecordCreate {
  /** Type of the record. */
  type: "A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA";
  /** The name of the record, relative to the domain. Omit it for the domain itself. 1 to 100 characters. */
  name?: string | undefined;
  /** Data of the record. At most 65535 characters. */
  target?: string | undefined;
  /** The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. 0 to 255. */
  priority?: number | undefined;
  /**
   * The weight of the target: at equal priority, a higher number is preferred. Only for SRV, which requires it. 0 to
   * 65535.
   */
  weight?: number | undefined;
  /** The port of the service. Only for SRV, which requires it. 0 to 65535. */
  port?: number | undefined;
  /** The name of the service. Only for SRV. */
  service?: string | null | undefined;
  /** The protocol of the service. Only for SRV. */
  protocol?: string | null | undefined;
  /** The tag of a CAA record. Only for CAA, which requires it. */
  tag?: "issue" | "issuewild" | "iodef" | null | undefined;
  /** The time to live in seconds. The service rounds it to a supported value. */
  ttl_sec?: number | undefined;
}

/** Body of a record update: the fields of a record except its type. */
export interface DomainRecordUpdate {
  /** The name of the record, relative to the domain. Omit it for the domain itself. 1 to 100 characters. */
  name?: string | undefined;
  /** Data of the record. At most 65535 characters. */
  target?: string | undefined;
  /** The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. 0 to 255. */
  priority?: number | undefined;
  /**
   * The weight of the target: at equal priority, a higher number is preferred. Only for SRV, which requires it. 0 to
   * 65535.
   */
  weight?: number | undefined;
  /** The port of the service. Only for SRV, which requires it. 0 to 65535. */
  port?: number | undefined;
  /** The name of the service. Only for SRV. */
  service?: string | null | undefined;
  /** The protocol of the service. Only for SRV. */
  protocol?: string | null | undefined;
  /** The tag of a CAA record. Only for CAA, which requires it. */
  tag?: "issue" | "issuewild" | "iodef" | null | undefined;
  /** The time to live in seconds. The service rounds it to a supported value. */
  ttl_sec?: number | undefined;
}
