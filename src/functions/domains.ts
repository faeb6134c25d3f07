// Written by `npm run generate` from the description of Domain.
import { defineItem, defineList, defineView } from "./define";
import { type DomainResult, type DomainZoneFileResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

/** Arguments of {@link getDomainZoneFile}. */
export interface GetDomainZoneFileArgs {
  /** The id of the domain. */
  readonly domainId: string | number;
}

const list = defineList<ListArgs<DomainResult> | undefined, { domains: DomainResult[] }>({
  name: "getDomains",
  reads: "domains.list",
  collection: "domains",
  nouns: ["domain", "domains"],
  by: ["domain"],
});
const item = defineItem<ItemArgs<DomainResult, "domain">, DomainResult>({
  name: "getDomain",
  reads: "domains.get",
  list: list.declaration,
});
const zoneFile = defineView<GetDomainZoneFileArgs, DomainZoneFileResult>({
  name: "getDomainZoneFile",
  reads: "domains.getZoneFile",
  parent: { property: "domainId", noun: "domain" },
});

/**
 * The domains of the account.
 *
 * ```ts
 * const { domains } = await nodecloud.getDomains({ filter: { domain: { contains: ".example" } }, sortBy: "domain" });
 * ```
 */
export const getDomains = list.get;
/** Like {@link getDomains}, with outputs as arguments and as the result. */
export const getDomainsOutput = list.getOutput;

/**
 * One domain: by its id, or by a name and a filter that match exactly one.
 *
 * ```ts
 * const zone = await nodecloud.getDomain({ domain: "example.org" });
 * new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
 * ```
 */
export const getDomain = item.get;
/** Like {@link getDomain}, with outputs as arguments and as the result. */
export const getDomainOutput = item.getOutput;

/**
 * The lines of a domain's last rendered zone.
 *
 * ```ts
 * const { zoneFile } = await nodecloud.getDomainZoneFile({ domainId: 12 });
 * ```
 */
export const getDomainZoneFile = zoneFile.get;
/** Like {@link getDomainZoneFile}, with outputs as arguments and as the result. */
export const getDomainZoneFileOutput = zoneFile.getOutput;
