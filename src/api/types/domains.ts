// Written by `npm run generate` from src/api/domains.ts.
import { type Known } from "./common";

/** A DNS domain. Fields that the reference does not name are kept unchanged. */
export interface Domain {
  [field: string]: unknown;
  id: number;
  /** The domain's name, unique across the platform. Each label has at most 63 characters. */
  domain: string;
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type: Known<"master" | "slave">;
  /** Whether the service renders the domain: `active` or `disabled`. */
  status: Known<"disabled" | "active">;
  /** A description. */
  description?: string | null | undefined;
  /** A group label. */
  group?: string | null | undefined;
  /** Mail address of the zone's administrator. A master domain requires it. */
  soa_email?: string | null | undefined;
  /** The servers from which a slave domain is transferred. A slave domain requires at least one. */
  master_ips?: string[] | null | undefined;
  /** Addresses that can transfer the domain, at most 1000 characters in total. */
  axfr_ips?: string[] | null | undefined;
  /** The expire time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  expire_sec?: number | null | undefined;
  /** The refresh time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  refresh_sec?: number | null | undefined;
  /** The retry time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  retry_sec?: number | null | undefined;
  /** The cache time of the zone, in seconds. The service rounds it to a supported value. */
  ttl_sec?: number | null | undefined;
  /** Tags of the domain. */
  tags?: string[] | null | undefined;
}

/** Body of the clone of a domain. */
export interface DomainClone {
  /** The domain's name, unique across the platform. Each label has at most 63 characters. 1 to 253 characters. */
  domain: string;
}

/** Body of the creation of a domain. */
export interface DomainCreate {
  /** The domain's name, unique across the platform. Each label has at most 63 characters. 1 to 253 characters. */
  domain: string;
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type: "master" | "slave";
  /** Whether the service renders the domain: `active` or `disabled`. */
  status?: "disabled" | "active" | undefined;
  /** A description. 1 to 253 characters. */
  description?: string | null | undefined;
  /** A group label. 1 to 50 characters. */
  group?: string | null | undefined;
  /** Mail address of the zone's administrator. A master domain requires it. */
  soa_email?: string | undefined;
  /** The servers from which a slave domain is transferred. A slave domain requires at least one. */
  master_ips?: string[] | undefined;
  /** Addresses that can transfer the domain, at most 1000 characters in total. */
  axfr_ips?: string[] | undefined;
  /** The expire time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  expire_sec?: number | undefined;
  /** The refresh time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  refresh_sec?: number | undefined;
  /** The retry time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  retry_sec?: number | undefined;
  /** The cache time of the zone, in seconds. The service rounds it to a supported value. */
  ttl_sec?: number | undefined;
  /** Tags of the domain. */
  tags?: string[] | undefined;
}

/** Body of the import of a domain. */
export interface DomainImport {
  /** The domain's name, unique across the platform. Each label has at most 63 characters. 1 to 253 characters. */
  domain: string;
  /** A name server that allows zone transfers (AXFR) from the service. */
  remote_nameserver: string;
}

/** Body of a domain update: the fields of a creation, all optional. */
export interface DomainUpdate {
  /** The domain's name, unique across the platform. Each label has at most 63 characters. 1 to 253 characters. */
  domain?: string | undefined;
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type?: "master" | "slave" | undefined;
  /** Whether the service renders the domain: `active` or `disabled`. */
  status?: "disabled" | "active" | undefined;
  /** A description. 1 to 253 characters. */
  description?: string | null | undefined;
  /** A group label. 1 to 50 characters. */
  group?: string | null | undefined;
  /** Mail address of the zone's administrator. A master domain requires it. */
  soa_email?: string | undefined;
  /** The servers from which a slave domain is transferred. A slave domain requires at least one. */
  master_ips?: string[] | undefined;
  /** Addresses that can transfer the domain, at most 1000 characters in total. */
  axfr_ips?: string[] | undefined;
  /** The expire time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  expire_sec?: number | undefined;
  /** The refresh time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  refresh_sec?: number | undefined;
  /** The retry time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  retry_sec?: number | undefined;
  /** The cache time of the zone, in seconds. The service rounds it to a supported value. */
  ttl_sec?: number | undefined;
  /** Tags of the domain. */
  tags?: string[] | undefined;
}

/** The last rendered zone of a domain. Fields that the reference does not name are kept unchanged. */
export interface ZoneFile {
  [field: string]: unknown;
  /** The lines of the zone. */
  zone_file: string[];
}
