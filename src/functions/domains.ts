import { type Domain } from "../api/types/domains";
import { defineItem, defineList, defineView } from "./define";
import {
  type GetFunction,
  type GetOutputFunction,
  type ItemArgs,
  type ListArgs,
  type ParentArgs,
} from "./types";

/** A domain as {@link getDomain} gives it. */
export interface DomainResult {
  /** The id that its resource has. */
  id: string;
  /** Its name. */
  domain: string;
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type: Domain["type"];
  /** Whether the domain is served. */
  status: Domain["status"];
  /** A note on the domain. */
  description?: string | undefined;
  /** A group label. */
  group?: string | undefined;
  /** Mail address of the zone's administrator. */
  soaEmail?: string | undefined;
  /** The servers that a slave domain is transferred from. */
  masterIps?: string[] | undefined;
  /** Addresses that may transfer the domain. */
  axfrIps?: string[] | undefined;
  /** Seconds. */
  expireSec?: number | undefined;
  /** Seconds. */
  refreshSec?: number | undefined;
  /** Seconds. */
  retrySec?: number | undefined;
  /** Seconds. */
  ttlSec?: number | undefined;
  /** Tags of the domain. */
  tags?: string[] | undefined;
}

/** The last rendered zone of a domain. */
export interface DomainZoneFileResult {
  /** Its lines. */
  zoneFile: string[];
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
/** {@link getDomains} of outputs, as an output. */
export const getDomainsOutput: GetOutputFunction<
  ListArgs<DomainResult> | undefined,
  { domains: DomainResult[] }
> = list.getOutput;

/**
 * One domain: by its id, by its name, or as the only one that fits the filter.
 *
 * ```ts
 * const zone = await nodecloud.getDomain({ domain: "example.org" });
 * new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
 * ```
 */
export const getDomain: GetFunction<ItemArgs<DomainResult, "domain">, DomainResult> = item.get;
/** {@link getDomain} of outputs, as an output. */
export const getDomainOutput: GetOutputFunction<
  ItemArgs<DomainResult, "domain">,
  DomainResult
> = item.getOutput;

/**
 * The lines of the zone of a domain, as it was rendered last.
 *
 * ```ts
 * const { zoneFile } = await nodecloud.getDomainZoneFile({ domainId: 12 });
 * ```
 */
export const getDomainZoneFile: GetFunction<ParentArgs<"domainId">, DomainZoneFileResult> = zoneFile.get;
/** {@link getDomainZoneFile} of outputs, as an output. */
export const getDomainZoneFileOutput: GetOutputFunction<
  ParentArgs<"domainId">,
  DomainZoneFileResult
> = zoneFile.getOutput;
