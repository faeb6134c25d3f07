import { type Known } from "./common";

/** A DNS domain. Fields that the reference does not name are kept unchanged. */
export interface Domain {
  [field: string]: unknown;
  id: number;
  /** The domain's name, unique across the platform. */
  domain: string;
  type: Known<"master" | "slave">;
  status: Known<"disabled" | "active">;
  description?: string | null | undefined;
  group?: string | null | undefined;
  soa_email?: string | null | undefined;
  /** The servers from which a slave domain is transferred. */
  master_ips?: string[] | null | undefined;
  /** Addresses that can transfer the domain. */
  axfr_ips?: string[] | null | undefined;
  /** Seconds. */
  expire_sec?: number | null | undefined;
  /** Seconds. */
  refresh_sec?: number | null | undefined;
  /** Seconds. */
  retry_sec?: number | null | undefined;
  /** Seconds. */
  ttl_sec?: number | null | undefined;
  tags?: string[] | null | undefined;
}

/** Fields of both the creation and the update of a domain. */
interface DomainSettings {
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

/** Body of the creation of a domain. */
export interface DomainCreate extends DomainSettings {
  /** At most 253 characters, each label at most 63. Unique across the platform. */
  domain: string;
  type: "master" | "slave";
}

/** Body of a domain update: the fields of a creation, all optional. */
export interface DomainUpdate extends DomainSettings {
  /** At most 253 characters, each label at most 63. Unique across the platform. */
  domain?: string | undefined;
  type?: "master" | "slave" | undefined;
}

/** The last rendered zone of a domain. */
export interface ZoneFile {
  [field: string]: unknown;
  /** The lines of the zone. */
  zone_file: string[];
}

/** Body of the import of a domain. */
export interface DomainImport {
  /** At most 253 characters, each label at most 63. Unique across the platform. */
  domain: string;
  /** A name server that allows zone transfers (AXFR) from the service. */
  remote_nameserver: string;
}

/** Body of the clone of a domain. */
export interface DomainClone {
  /** At most 253 characters, each label at most 63. Unique across the platform. */
  domain: string;
}
