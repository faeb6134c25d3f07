import { type Domain } from "../api/types/domains";
import { defineItem, defineList, defineView } from "./define";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** A domain, as {@link getDomain} returns it. */
export interface DomainResult {
  /** The id of its resource. */
  id: string;
  /** The domain's name. */
  domain: string;
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type: Domain["type"];
  /** Whether the service renders the domain: `active` or `disabled`. */
  status: Domain["status"];
  /** A description. */
  description?: string | undefined;
  /** A group label. */
  group?: string | undefined;
  /** Mail address of the zone's administrator. */
  soaEmail?: string | undefined;
  /** The servers from which a slave domain is transferred. */
  masterIps?: string[] | undefined;
  /** Addresses that can transfer the domain. */
  axfrIps?: string[] | undefined;
  /** The expire time in the zone's SOA record, in seconds. */
  expireSec?: number | undefined;
  /** The refresh time in the zone's SOA record, in seconds. */
  refreshSec?: number | undefined;
  /** The retry time in the zone's SOA record, in seconds. */
  retrySec?: number | undefined;
  /** The cache time of the zone, in seconds. */
  ttlSec?: number | undefined;
  /** Tags of the domain. */
  tags?: string[] | undefined;
}

/** The last rendered zone of a domain. */
export interface DomainZoneFileResult {
  /** The lines of the zone. */
  zoneFile: string[];
}

/** Arguments of {@link getDomainZoneFile}. */
export interface GetDomainZoneFileArgs {
  /** The id of the domain. */
  readonly domainId: string | number;
}

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
export const getDomains: GetFunction<ListArgs<DomainResult> | undefined, { domains: DomainResult[] }> =
  list.get;
/** Like {@link getDomains}, with outputs as arguments and as the result. */
export const getDomainsOutput: GetOutputFunction<
  ListArgs<DomainResult> | undefined,
  { domains: DomainResult[] }
> = list.getOutput;

/**
 * One domain: by its id, or by its name and filter, which only it must match.
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
