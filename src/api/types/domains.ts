// Written by `npm run generate` from src/api/domains.ts.
import { type Known } from "./common";

/** A DNS domain. Fields that the reference does not name are kept unchanged. */
export interface Domain {
  [field: string]: unknown;
  id: number;
  /** The domain's name, unique across the platform. */
  domain: string;
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type: Known<"master" | "slave">;
  /** Whether the service renders the domain: `active` or `disabled`. */
  status: Known<"disabled" | "active">;
  /** A description. */
  description?: string | null | undefined;
  /** A group label. */
  group?: string | null | undefined;
  /** Mail address of the zone's administrator. */
  soa_email?: string | null | undefined;
  /** The servers from which a slave domain is transferred. */
  master_ips?: string[] | null | undefined;
  /** Addresses that can transfer the domain. */
  axfr_ips?: string[] | null | undefined;
  /** The expire time in the zone's SOA record, in seconds. */
  expire_sec?: number | null | undefined;
  /** The refresh time in the zone's SOA record, in seconds. */
  refresh_sec?: number | null | undefined;
  /** The retry time in the zone's SOA record, in seconds. */
  retry_sec?: number | null | undefined;
  /** The cache time of the zone, in seconds. */
  ttl_sec?: number | null | undefined;
  /** Tags of the domain. */
  tags?: string[] | null | undefined;
}

/** Body of the clone of a domain. */
export interface DomainClone {
  /** Each label has at most 63 characters. Unique across the platform. 1 to 253 characters. */
  domain: string;
}

/** Body of the creation of a domain. */
export interface DomainCreate {
  /** Each label has at most 63 characters. Unique across the platform. 1 to 253 characters. */
  domain: string;
  type: "master" | "slave";
  status?: "disabled" | "active" | undefined;
  /** 1 to 253 characters. */
  description?: string | null | undefined;
  /** 1 to 50 characters. */
  group?: string | null | undefined;
  /** Required for a master domain. */
  soa_email?: string | undefined;
  /** The servers from which a slave domain is transferred. A slave domain requires at least one. */
  master_ips?: string[] | undefined;
  /** Addresses that can transfer the domain, at most 1000 characters in total. */
  axfr_ips?: string[] | undefined;
  /** Seconds. The service rounds to supported values. */
  expire_sec?: number | undefined;
  /** Seconds. The service rounds to supported values. */
  refresh_sec?: number | undefined;
  /** Seconds. The service rounds to supported values. */
  retry_sec?: number | undefined;
  /** Seconds. The service rounds to supported values. */
  ttl_sec?: number | undefined;
  tags?: string[] | undefined;
}

/** Body of the import of a domain. */
export interface DomainImport {
  /** Each label has at most 63 characters. Unique across the platform. 1 to 253 characters. */
  domain: string;
  /** A name server that allows zone transfers (AXFR) from the service. */
  remote_nameserver: string;
}

/** Body of a domain update: the fields of a creation, all optional. */
export interface DomainUpdate {
  /** Each label has at most 63 characters. Unique across the platform. 1 to 253 characters. */
  domain?: string | undefined;
  type?: "master" | "slave" | undefined;
  status?: "disabled" | "active" | undefined;
  /** 1 to 253 characters. */
  description?: string | null | undefined;
  /** 1 to 50 characters. */
  group?: string | null | undefined;
  /** Required for a master domain. */
  soa_email?: string | undefined;
  /** The servers from which a slave domain is transferred. A slave domain requires at least one. */
  master_ips?: string[] | undefined;
  /** Addresses that can transfer the domain, at most 1000 characters in total. */
  axfr_ips?: string[] | undefined;
  /** Seconds. The service rounds to supported values. */
  expire_sec?: number | undefined;
  /** Seconds. The service rounds to supported values. */
  refresh_sec?: number | undefined;
  /** Seconds. The service rounds to supported values. */
  retry_sec?: number | undefined;
  /** Seconds. The service rounds to supported values. */
  ttl_sec?: number | undefined;
  tags?: string[] | undefined;
}

/** The last rendered zone of a domain. Fields that the reference does not name are kept unchanged. */
export interface ZoneFile {
  [field: string]: unknown;
  /** The lines of the zone. */
  zone_file: string[];
}
