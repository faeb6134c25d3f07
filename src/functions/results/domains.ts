// Written by `npm run generate` from src/functions and src/api.
import { type Known } from "../../api/types/common";

/** A DNS domain. */
export interface DomainResult {
  /** The id of its resource. */
  id: string;
  /** The domain's name, unique across the platform. */
  domain: string;
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type: Known<"master" | "slave">;
  /** Whether the service renders the domain: `active` or `disabled`. */
  status: Known<"disabled" | "active">;
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
