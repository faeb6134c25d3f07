// Written by `npm run generate` from src/functions and src/api.
import { type Known } from "../../api/types/common";

/** Whether a plan can be deployed in a region. */
export interface RegionAvailabilityResult {
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  plan: string;
  /** Whether the plan can be deployed in the region. */
  available: boolean;
}

/** The region's name servers. */
export interface RegionResolversResult {
  /** IPv4 addresses. */
  ipv4?: string | undefined;
  /** IPv6 addresses. */
  ipv6?: string | undefined;
}

/** A data center. */
export interface RegionResult {
  /** For example, `us-east`. */
  id: string;
  /** The city, state or region, and country. */
  label?: string | undefined;
  /** The country of the region. */
  country?: string | undefined;
  /** The capabilities of the region. */
  capabilities?: string[] | undefined;
  /** The region's name servers. */
  resolvers?: RegionResolversResult | undefined;
  /** Whether the region is up: `ok` or `outage`. */
  status: Known<"ok" | "outage">;
}
