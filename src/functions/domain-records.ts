import { type DomainRecord } from "../api/types/records";
import { defineItem, defineList } from "./define";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** A record of a domain, as {@link getDomainRecord} returns it. */
export interface DomainRecordResult {
  /** The id of its resource: `domainId/recordId`. */
  id: string;
  /** Id of the domain. */
  domainId: string;
  /** Type of the record. */
  type: DomainRecord["type"];
  /** The name of the record, relative to the domain. Empty for the domain itself. */
  name?: string | undefined;
  /** Data of the record. */
  target?: string | undefined;
  /** The priority of the target: a lower number is preferred. Only for MX and SRV. */
  priority?: number | undefined;
  /** The weight of the target: at equal priority, a higher number is preferred. Only for SRV. */
  weight?: number | undefined;
  /** The port of the service. Only for SRV. */
  port?: number | undefined;
  /** The name of the service. Only for SRV. */
  service?: string | undefined;
  /** The protocol of the service. Only for SRV. */
  protocol?: string | undefined;
  /** The tag of a CAA record. Only for CAA. */
  tag?: Exclude<DomainRecord["tag"], null>;
  /** The time to live in seconds. */
  ttlSec?: number | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
}

const list = defineList({
  name: "getDomainRecords",
  reads: "records.list",
  collection: "records",
  nouns: ["record", "records"],
  parent: { property: "domainId", noun: "domain" },
  by: ["type", "name"],
});
const item = defineItem("getDomainRecord", { list, reads: "records.get" });

/**
 * The records of a domain.
 *
 * ```ts
 * const { records } = await nodecloud.getDomainRecords({ domainId: 12, filter: { type: ["A", "AAAA"] }, sortBy: "name" });
 * ```
 */
export const getDomainRecords: GetFunction<
  ListArgs<DomainRecordResult, "domainId">,
  { records: DomainRecordResult[] }
> = list.get;
/** Like {@link getDomainRecords}, with outputs as arguments and as the result. */
export const getDomainRecordsOutput: GetOutputFunction<
  ListArgs<DomainRecordResult, "domainId">,
  { records: DomainRecordResult[] }
> = list.getOutput;

/**
 * One record of a domain: by its id, or by type, name and filter, which only it must match.
 *
 * ```ts
 * const www = await nodecloud.getDomainRecord({ domainId: zone.id, type: "A", name: "www" });
 * const byId = await nodecloud.getDomainRecord({ id: "12/345" });
 * ```
 */
export const getDomainRecord: GetFunction<
  ItemArgs<DomainRecordResult, "type" | "name", "domainId">,
  DomainRecordResult
> = item.get;
/** Like {@link getDomainRecord}, with outputs as arguments and as the result. */
export const getDomainRecordOutput: GetOutputFunction<
  ItemArgs<DomainRecordResult, "type" | "name", "domainId">,
  DomainRecordResult
> = item.getOutput;
