// Written by `npm run generate` from src/functions and src/api.
import { type Known } from "../../api/types/common";

/** A DNS domain. */
export interface DomainResult {
  /** The id of its resource. */
  id: string;
  /** The domain's name, unique across the platform. Each label has at most 63 characters. */
  domain: string;
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type: Known<"master" | "slave">;
  /** Whether the service renders the domain: `active` or `disabled`. */
  status: Known<"disabled" | "active">;
  /** A description. */
  description?: string | undefined;
  /** A group label. */
  group?: string | undefined;
  /** Mail address of the zone's administrator. A master domain requires it. */
  soaEmail?: string | undefined;
  /** The servers from which a slave domain is transferred. A slave domain requires at least one. */
  masterIps?: string[] | undefined;
  /** Addresses that can transfer the domain, at most 1000 characters in total. */
  axfrIps?: string[] | undefined;
  /** The expire time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  expireSec?: number | undefined;
  /** The refresh time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  refreshSec?: number | undefined;
  /** The retry time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  retrySec?: number | undefined;
  /** The cache time of the zone, in seconds. The service rounds it to a supported value. */
  ttlSec?: number | undefined;
  /** Tags of the domain. */
  tags?: string[] | undefined;
}

/** The last rendered zone of a domain. */
export interface DomainZoneFileResult {
  /** The lines of the zone. */
  zoneFile: string[];
}
