// Written by `npm run generate` from the description of DomainRecord.
import { define } from "./define";
import { type DomainRecordResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

const list = define({
  kind: "list",
  name: "getDomainRecords",
  reads: "records.list",
  collection: "records",
  nouns: ["record", "records"],
  parent: { property: "domainId", noun: "domain" },
  by: ["type", "name"],
});
const item = define({ kind: "item", name: "getDomainRecord", reads: "records.get", list: list.declaration });

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
 * One record of a domain: by its id, or by a type, a name and a filter that match exactly one.
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
