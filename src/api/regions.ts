import { z } from "zod";
import { op, typed } from "./operation";
import { lenient, openEnum } from "./schema";
import { type Region, type RegionAvailability } from "./types/regions";

export type { Region } from "./types/regions";

/**
 * A data center.
 * @internal
 */
export const region = z.looseObject({
  /** For example, `us-east`. */
  id: z.string(),
  /** The city, state or region, and country. */
  label: lenient(z.string()),
  /** The country of the region. */
  country: lenient(z.string()),
  /** The capabilities of the region. */
  capabilities: lenient(z.array(z.string())),
  /** The region's name servers. */
  resolvers: lenient(
    z.looseObject({
      /** IPv4 addresses. */
      ipv4: lenient(z.string()),
      /** IPv6 addresses. */
      ipv6: lenient(z.string()),
    }),
  ),
  /** Whether the region is up: `ok` or `outage`. */
  status: openEnum(["ok", "outage"]),
});

/**
 * Whether a plan can be deployed in a region.
 * @internal
 */
export const regionAvailability = z.looseObject({
  /** Region id, such as `us-east`. */
  region: z.string(),
  /** Type id, such as `g6-standard-1`. */
  plan: z.string(),
  /** Whether the plan can be deployed in the region. */
  available: z.boolean(),
});

/** Operations on regions. The reference names no credential for them. */
export const regions = {
  /** Lists the regions, page by page. */
  list: op({
    method: "GET",
    path: "/regions",
    summary: "Lists the regions.",
    paged: true,
    reply: typed<Region>(region),
    scopes: [],
  }),
  /** Lists the availability of select plans in all regions, page by page. */
  listAvailability: op({
    method: "GET",
    path: "/regions/availability",
    summary: "Lists the availability of plans in all regions.",
    paged: true,
    reply: typed<RegionAvailability>(regionAvailability),
    scopes: [],
  }),
  /** Views one region. */
  get: op({
    method: "GET",
    path: "/regions/{regionId}",
    summary: "Views a region.",
    reply: typed<Region>(region),
    scopes: [],
  }),
  /** Views the availability of plans in one region. */
  getAvailability: op({
    method: "GET",
    path: "/regions/{regionId}/availability",
    summary: "Views the availability of plans in a region.",
    reply: typed<RegionAvailability>(regionAvailability),
    scopes: [],
  }),
};
