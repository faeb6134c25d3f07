import { defineItem, defineList, defineView } from "./define";
import { type ItemOf } from "./types";

/** A domain as {@link getDomain} gives it. */
export type DomainResult = ItemOf<"domains.list">;

const list = defineList({
  name: "getDomains",
  reads: "domains.list",
  collection: "domains",
  nouns: ["domain", "domains"],
  by: ["domain"],
});
const item = defineItem("getDomain", { list, reads: "domains.get" });

const zoneFile = defineView({
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
/** {@link getDomains} of outputs, as an output. */
export const getDomainsOutput = list.getOutput;

/**
 * One domain: by its id, by its name, or as the only one that fits the filter.
 *
 * ```ts
 * const zone = await nodecloud.getDomain({ domain: "example.org" });
 * new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
 * ```
 */
export const getDomain = item.get;
/** {@link getDomain} of outputs, as an output. */
export const getDomainOutput = item.getOutput;

/**
 * The lines of the zone of a domain, as it was rendered last.
 *
 * ```ts
 * const { zoneFile } = await nodecloud.getDomainZoneFile({ domainId: 12 });
 * ```
 */
export const getDomainZoneFile = zoneFile.get;
/** {@link getDomainZoneFile} of outputs, as an output. */
export const getDomainZoneFileOutput = zoneFile.getOutput;
