import { type Known } from "./common";

/** A DNS domain. Fields that the reference does not name pass as they are. */
export interface Domain {
  [field: string]: unknown;
  id: number;
  /** Its name, unique across the whole platform. */
  domain: string;
  type: Known<"master" | "slave">;
  status: Known<"disabled" | "active">;
  description?: string | null | undefined;
  group?: string | null | undefined;
  soa_email?: string | null | undefined;
  /** The servers that a slave domain is transferred from. */
  master_ips?: string[] | null | undefined;
  /** Addresses that may transfer the domain. */
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

/** What both the creation and an update of a domain take. */
interface DomainSettings {
  status?: "disabled" | "active" | undefined;
  /** 1 to 253 characters. */
  description?: string | null | undefined;
  /** 1 to 50 characters. */
  group?: string | null | undefined;
  /** A master domain requires one. */
  soa_email?: string | undefined;
  /** The servers that a slave domain is transferred from; it requires one. */
  master_ips?: string[] | undefined;
  /** Addresses that may transfer the domain, at most 1000 characters together. */
  axfr_ips?: string[] | undefined;
  /** Seconds; the service rounds to values of its own. */
  expire_sec?: number | undefined;
  /** Seconds; the service rounds to values of its own. */
  refresh_sec?: number | undefined;
  /** Seconds; the service rounds to values of its own. */
  retry_sec?: number | undefined;
  /** Seconds; the service rounds to values of its own. */
  ttl_sec?: number | undefined;
  tags?: string[] | undefined;
}

/** Body of the creation of a domain. */
export interface DomainCreate extends DomainSettings {
  /** At most 253 characters, each label at most 63; unique across the whole platform. */
  domain: string;
  type: "master" | "slave";
}

/** Body of a domain update: the fields of a creation, all optional. */
export interface DomainUpdate extends DomainSettings {
  /** At most 253 characters, each label at most 63; unique across the whole platform. */
  domain?: string | undefined;
  type?: "master" | "slave" | undefined;
}

/** The last rendered zone of a domain. */
export interface ZoneFile {
  [field: string]: unknown;
  /** Its lines. */
  zone_file: string[];
}

/** Body of the import of a domain. */
export interface DomainImport {
  /** At most 253 characters, each label at most 63; unique across the whole platform. */
  domain: string;
  /** A name server that allows zone transfers (AXFR) from the service. */
  remote_nameserver: string;
}

/** Body of the clone of a domain. */
export interface DomainClone {
  /** At most 253 characters, each label at most 63; unique across the whole platform. */
  domain: string;
}
