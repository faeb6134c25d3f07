// Written by `npm run generate` from the description of Domain.
import { define } from "./define";
import { type DomainResult, type DomainZoneFileResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** Arguments of {@link getDomainZoneFile}. */
export interface GetDomainZoneFileArgs {
  /** The id of the domain. */
  readonly domainId: string | number;
}

const list = define({
  kind: "list",
  name: "getDomains",
  reads: "domains.list",
  collection: "domains",
  nouns: ["domain", "domains"],
  by: ["domain"],
});
const item = define({ kind: "item", name: "getDomain", reads: "domains.get", list: list.declaration });
const zoneFile = define({
  kind: "view",
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
export const getDomains: GetFunction<ListArgs<DomainResult> | undefined, { domains: DomainResult[] }> =
  list.get;
/** Like {@link getDomains}, with outputs as arguments and as the result. */
export const getDomainsOutput: GetOutputFunction<
  ListArgs<DomainResult> | undefined,
  { domains: DomainResult[] }
> = list.getOutput;

/**
 * One domain: by its id, or by a name and a filter that match exactly one.
 *
 * ```ts
 * const zone = await nodecloud.getDomain({ domain: "example.org" });
 * new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
 * ```
 */
export const getDomain: GetFunction<ItemArgs<DomainResult, "domain">, DomainResult> = item.get;
/** Like {@link getDomain}, with outputs as arguments and as the result. */
export const getDomainOutput: GetOutputFunction<
  ItemArgs<DomainResult, "domain">,
  DomainResult
> = item.getOutput;

/**
 * The lines of a domain's last rendered zone.
 *
 * ```ts
 * const { zoneFile } = await nodecloud.getDomainZoneFile({ domainId: 12 });
 * ```
 */
export const getDomainZoneFile: GetFunction<GetDomainZoneFileArgs, DomainZoneFileResult> = zoneFile.get;
/** Like {@link getDomainZoneFile}, with outputs as arguments and as the result. */
export const getDomainZoneFileOutput: GetOutputFunction<GetDomainZoneFileArgs, DomainZoneFileResult> =
  zoneFile.getOutput;
