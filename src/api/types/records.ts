import { type Known } from "./common";

/** A DNS record of a domain. Fields that the reference does not name pass as they are. */
export interface DomainRecord {
  [field: string]: unknown;
  id: number;
  type: Known<"A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA">;
  /** Empty for the domain itself. */
  name?: string | null | undefined;
  target?: string | null | undefined;
  /** Lower is preferred. Of MX and SRV. */
  priority?: number | null | undefined;
  /** Higher is preferred at equal priority. Of SRV. */
  weight?: number | null | undefined;
  /** Of SRV. */
  port?: number | null | undefined;
  /** Of SRV. */
  service?: string | null | undefined;
  /** Of SRV. */
  protocol?: string | null | undefined;
  /** Of CAA. */
  tag?: Known<"issue" | "issuewild" | "iodef"> | null | undefined;
  /** Seconds. */
  ttl_sec?: number | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
}

/** Body of a record update: the fields of a record except its type. */
export interface DomainRecordUpdate {
  /** 1 to 100 characters; left out for the domain itself. */
  name?: string | undefined;
  /** At most 65535 characters. */
  target?: string | undefined;
  /** 0 to 255, lower is preferred. Only for MX and SRV, required for SRV. */
  priority?: number | undefined;
  /** 0 to 65535, higher is preferred at equal priority. Only for SRV, and required there. */
  weight?: number | undefined;
  /** 0 to 65535. Only for SRV, and required there. */
  port?: number | undefined;
  /** Only for SRV. */
  service?: string | null | undefined;
  /** Only for SRV. */
  protocol?: string | null | undefined;
  /** Only for CAA, and required there. */
  tag?: "issue" | "issuewild" | "iodef" | null | undefined;
  /** Seconds; the service rounds to values of its own. */
  ttl_sec?: number | undefined;
}

/** Body of the creation of a record. */
export interface DomainRecordCreate extends DomainRecordUpdate {
  type: "A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA";
}
