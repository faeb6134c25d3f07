import { z } from "zod";
import { crud } from "./crud";
import { op, typed } from "./operation";
import { asAnswer, openEnum } from "./schema";
import {
  type Domain,
  type DomainClone,
  type DomainCreate,
  type DomainImport,
  type DomainUpdate,
  type ZoneFile,
} from "./types/domains";

export type { Domain } from "./types/domains";

/** The fields that a program sets and an answer repeats. */
const settings = {
  /** The domain's name, unique across the platform. Each label has at most 63 characters. */
  domain: z
    .string()
    .min(1)
    .max(253)
    .refine(
      (name) => name.split(".").every((part) => part.length <= 63),
      "must have labels of at most 63 characters each",
    ),
  /** `master` if the service is authoritative, `slave` if it copies another nameserver's zone. */
  type: z.enum(["master", "slave"]),
  /** Whether the service renders the domain: `active` or `disabled`. */
  status: z.enum(["disabled", "active"]).optional(),
  /** A description. */
  description: z.string().min(1).max(253).nullable().optional(),
  /** A group label. */
  group: z.string().min(1).max(50).nullable().optional(),
  /** Mail address of the zone's administrator. A master domain requires it. */
  soa_email: z.email().optional(),
  /** The servers from which a slave domain is transferred. A slave domain requires at least one. */
  master_ips: z.array(z.string()).optional(),
  /** Addresses that can transfer the domain, at most 1000 characters in total. */
  axfr_ips: z
    .array(z.string())
    .refine((ips) => ips.join("").length <= 1000, "must have at most 1000 characters in total")
    .optional(),
  /** The expire time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  expire_sec: z.int().optional(),
  /** The refresh time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  refresh_sec: z.int().optional(),
  /** The retry time in the zone's SOA record, in seconds. The service rounds it to a supported value. */
  retry_sec: z.int().optional(),
  /** The cache time of the zone, in seconds. The service rounds it to a supported value. */
  ttl_sec: z.int().optional(),
  /** Tags of the domain. */
  tags: z.array(z.string()).optional(),
};

/**
 * Body of the creation of a domain.
 * @internal
 */
export const domainCreate = z.object(settings);

/**
 * Body of a domain update: the fields of a creation, all optional.
 * @internal
 */
export const domainUpdate = domainCreate.partial();

/**
 * A DNS domain.
 * @internal
 */
export const domain = z.looseObject({
  id: z.int(),
  ...asAnswer(settings),
  /** Whether the service renders the domain: `active` or `disabled`. */
  status: openEnum(settings.status.unwrap().options),
});

/**
 * The last rendered zone of a domain.
 * @internal
 */
export const zoneFile = z.looseObject({
  /** The lines of the zone. */
  zone_file: z.array(z.string()),
});

/**
 * Body of the import of a domain.
 * @internal
 */
export const domainImport = z.object({
  ...domainCreate.pick({ domain: true }).shape,
  /** A name server that allows zone transfers (AXFR) from the service. */
  remote_nameserver: z.string(),
});

/**
 * Body of the clone of a domain.
 * @internal
 */
export const domainClone = domainCreate.pick({ domain: true });

const plain = crud({
  path: "/domains",
  id: "domainId",
  nouns: ["a domain", "the account's domains"],
  scopes: "domains",
  reply: typed<Domain>(domain),
  create: typed<DomainCreate>(domainCreate),
  update: typed<DomainUpdate>(domainUpdate),
});

/** Operations on DNS domains. */
export const domains = {
  /** Lists the account's domains, page by page. */
  list: plain.list,
  /** Creates a domain. Its name must be unique across the platform. */
  create: plain.create,
  /** Creates a domain from the zone of another name server, which must allow zone transfers (AXFR) to the service. */
  import: op({
    method: "POST",
    path: "/domains/import",
    summary: "Imports a domain from a remote nameserver.",
    body: typed<DomainImport>(domainImport),
    reply: typed<Domain>(domain),
    scopes: ["domains:read_write"],
  }),
  /** Views one domain. */
  get: plain.get,
  /** Changes a domain. */
  update: plain.update,
  /** Deletes a domain and its records. */
  delete: op({ ...plain.delete, summary: "Deletes a domain and its records." }),
  /** Creates a domain with the records of another domain. */
  clone: op({
    method: "POST",
    path: "/domains/{domainId}/clone",
    summary: "Clones a domain and its records under another name.",
    body: typed<DomainClone>(domainClone),
    reply: typed<Domain>(domain),
    scopes: ["domains:read_write"],
  }),
  /** Views the last rendered zone, line by line. */
  getZoneFile: op({
    method: "GET",
    path: "/domains/{domainId}/zone-file",
    summary: "Views a domain's last rendered zone file.",
    reply: typed<ZoneFile>(zoneFile),
    scopes: ["domains:read_only"],
  }),
};
