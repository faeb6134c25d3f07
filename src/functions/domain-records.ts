// Written by `npm run generate` from the description of DomainRecord.
import { defineItem, defineList } from "./define";
import { type DomainRecordResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

const list = defineList<ListArgs<DomainRecordResult, "domainId">, { records: DomainRecordResult[] }>({
  name: "getDomainRecords",
  reads: "records.list",
  collection: "records",
  nouns: ["record", "records"],
  parent: { property: "domainId", noun: "domain" },
  by: ["type", "name"],
});
const item = defineItem<ItemArgs<DomainRecordResult, "type" | "name", "domainId">, DomainRecordResult>({
  name: "getDomainRecord",
  reads: "records.get",
  list: list.declaration,
});

/**
 * The records of a domain.
 *
 * ```ts
 * const { records } = await nodecloud.getDomainRecords({ domainId: 12, filter: { type: ["A", "AAAA"] }, sortBy: "name" });
 * ```
 */
export const getDomainRecords = list.get;
/** Like {@link getDomainRecords}, with outputs as arguments and as the result. */
export const getDomainRecordsOutput = list.getOutput;

/**
 * One record of a domain: by its id, or by a type, a name and a filter that match exactly one.
 *
 * ```ts
 * const www = await nodecloud.getDomainRecord({ domainId: zone.id, type: "A", name: "www" });
 * const byId = await nodecloud.getDomainRecord({ id: "12/345" });
 * ```
 */
export const getDomainRecord = item.get;
/** Like {@link getDomainRecord}, with outputs as arguments and as the result. */
export const getDomainRecordOutput = item.getOutput;
