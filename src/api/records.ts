import { z } from "zod";
import { crud } from "./crud";
import { typed } from "./operation";
import { asAnswer, dateTime, lenient } from "./schema";
import { type DomainRecord, type DomainRecordCreate, type DomainRecordUpdate } from "./types/records";

export type { DomainRecord } from "./types/records";

/** The types of DNS records. */
export const RECORD_TYPES = ["A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR", "CAA"] as const;

/** The times to live that the service supports, in seconds. It rounds any other. */
export const RECORD_TTLS = [
  300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200,
] as const;

/** The supported time to live that is the nearest one. */
export const roundedTtl = (seconds: number): number =>
  RECORD_TTLS.reduce<number>(
    (best, ttl) => (Math.abs(ttl - seconds) < Math.abs(best - seconds) ? ttl : best),
    RECORD_TTLS[0],
  );

/** How many records a domain can have. */
export const MAX_RECORDS = 12_000;

/** The record types for which a field is valid, and those for which it is required. */
export const RECORD_TYPE_FIELDS = {
  priority: { valid: ["MX", "SRV"], required: ["SRV"] },
  weight: { valid: ["SRV"], required: ["SRV"] },
  port: { valid: ["SRV"], required: ["SRV"] },
  tag: { valid: ["CAA"], required: ["CAA"] },
} as const satisfies Record<string, { valid: readonly string[]; required: readonly string[] }>;

/** The record types whose target must not end with a period. */
export const TYPES_WITHOUT_PERIOD: readonly string[] = ["A", "AAAA", "CAA"];

/**
 * Body of a record update: the fields of a record except its type.
 * @internal
 */
export const domainRecordUpdate = z.object({
  /** The name of the record, relative to the domain. Omit it for the domain itself. */
  name: z.string().min(1).max(100).optional(),
  /** Data of the record. */
  target: z.string().max(65_535).optional(),
  /** The priority of the target: a lower number is preferred. Only for MX and SRV. SRV requires it. */
  priority: z.int().min(0).max(255).optional(),
  /** The weight of the target: at equal priority, a higher number is preferred. Only for SRV, which requires it. */
  weight: z.int().min(0).max(65_535).optional(),
  /** The port of the service. Only for SRV, which requires it. */
  port: z.int().min(0).max(65_535).optional(),
  /** The name of the service. Only for SRV. */
  service: z.string().nullable().optional(),
  /** The protocol of the service. Only for SRV. */
  protocol: z.string().nullable().optional(),
  /** The tag of a CAA record. Only for CAA, which requires it. */
  tag: z.enum(["issue", "issuewild", "iodef"]).nullable().optional(),
  /** The time to live in seconds. The service rounds it to a supported value. */
  ttl_sec: z.int().optional(),
});

/**
 * Body of the creation of a record.
 * @internal
 */
export const domainRecordCreate = z.object({
  /** Type of the record. */
  type: z.enum(RECORD_TYPES),
  ...domainRecordUpdate.shape,
});

/**
 * A DNS record of a domain.
 * @internal
 */
export const domainRecord = z.looseObject({
  id: z.int(),
  ...asAnswer(domainRecordCreate.shape),
  /** The name of the record, relative to the domain. Empty for the domain itself. */
  name: z.string().nullish(),
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created: lenient(dateTime),
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated: lenient(dateTime),
});

const plain = crud({
  path: "/domains/{domainId}/records",
  id: "recordId",
  nouns: ["a domain record", "a domain's records"],
  scopes: "domains",
  reply: typed<DomainRecord>(domainRecord),
  create: typed<DomainRecordCreate>(domainRecordCreate),
  update: typed<DomainRecordUpdate>(domainRecordUpdate),
});

/** Operations on the records of a domain. */
export const records = {
  /** Lists a domain's records, page by page. A domain can have 12,000. */
  list: plain.list,
  /** Creates a record. */
  create: plain.create,
  /** Views one record. */
  get: plain.get,
  /** Changes a record, except its type. */
  update: plain.update,
  /** Deletes a record. */
  delete: plain.delete,
};
