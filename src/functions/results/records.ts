// Written by `npm run generate` from src/functions and src/api.
import { type Known } from "../../api/types/common";

/** A DNS record of a domain. */
export interface DomainRecordResult {
  /** The id of its resource: `domainId/recordId`. */
  id: string;
  /** Id of the domain. */
  domainId: string;
  /** Type of the record. */
  type: Known<"A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA">;
  /** The name of the record, relative to the domain. Empty for the domain itself. */
  name?: string | undefined;
  /** Data of the record. */
  target?: string | undefined;
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
  tag?: Known<"issue" | "issuewild" | "iodef"> | undefined;
  /** The time to live in seconds. The service rounds it to a supported value. */
  ttlSec?: number | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
}
