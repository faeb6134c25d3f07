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
  /** The priority of the target: a lower number is preferred. Only for MX and SRV. */
  priority?: number | null | undefined;
  /** The weight of the target: at equal priority, a higher number is preferred. Only for SRV. */
  weight?: number | null | undefined;
  /** The port of the service. Only for SRV. */
  port?: number | null | undefined;
  /** The name of the service. Only for SRV. */
  service?: string | null | undefined;
  /** The protocol of the service. Only for SRV. */
  protocol?: string | null | undefined;
  /** The tag of a CAA record. Only for CAA. */
  tag?: Known<"issue" | "issuewild" | "iodef"> | null | undefined;
  /** The time to live in seconds. */
  ttl_sec?: number | null | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
}

/** Body of the creation of a record. */
export interface DomainRecordCreate {
  type: "A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA";
  /** Omit it for the domain itself. 1 to 100 characters. */
  name?: string | undefined;
  /** At most 65535 characters. */
  target?: string | undefined;
  /** The lowest value is preferred. Only for MX and SRV; required for SRV. 0 to 255. */
  priority?: number | undefined;
  /** The highest value is preferred among equal priorities. Only for SRV; required. 0 to 65535. */
  weight?: number | undefined;
  /** Only for SRV; required. 0 to 65535. */
  port?: number | undefined;
  /** Only for SRV. */
  service?: string | null | undefined;
  /** Only for SRV. */
  protocol?: string | null | undefined;
  /** Only for CAA; required. */
  tag?: "issue" | "issuewild" | "iodef" | null | undefined;
  /** Seconds. The service rounds to supported values. */
  ttl_sec?: number | undefined;
}

/** Body of a record update: the fields of a record except its type. */
export interface DomainRecordUpdate {
  /** Omit it for the domain itself. 1 to 100 characters. */
  name?: string | undefined;
  /** At most 65535 characters. */
  target?: string | undefined;
  /** The lowest value is preferred. Only for MX and SRV; required for SRV. 0 to 255. */
  priority?: number | undefined;
  /** The highest value is preferred among equal priorities. Only for SRV; required. 0 to 65535. */
  weight?: number | undefined;
  /** Only for SRV; required. 0 to 65535. */
  port?: number | undefined;
  /** Only for SRV. */
  service?: string | null | undefined;
  /** Only for SRV. */
  protocol?: string | null | undefined;
  /** Only for CAA; required. */
  tag?: "issue" | "issuewild" | "iodef" | null | undefined;
  /** Seconds. The service rounds to supported values. */
  ttl_sec?: number | undefined;
}
