import { defineItem, defineList } from "./define";
import { type ItemOf } from "./types";

/** A record of a domain as {@link getDomainRecord} gives it. */
export type DomainRecordResult = ItemOf<"records.list", "domainId">;

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
export const getDomainRecords = list.get;
/** {@link getDomainRecords} of outputs, as an output. */
export const getDomainRecordsOutput = list.getOutput;

/**
 * One record of a domain: by its id, or as the only one that has this type and name or fits the filter.
 *
 * ```ts
 * const www = await nodecloud.getDomainRecord({ domainId: zone.id, type: "A", name: "www" });
 * const byId = await nodecloud.getDomainRecord({ id: "12/345" });
 * ```
 */
export const getDomainRecord = item.get;
/** {@link getDomainRecord} of outputs, as an output. */
export const getDomainRecordOutput = item.getOutput;
