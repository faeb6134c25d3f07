// Written by `npm run generate` from src/api/regions.ts.
import { type Known } from "./common";

/** A data center. Fields that the reference does not name are kept unchanged. */
export interface Region {
  [field: string]: unknown;
  /** For example, `us-east`. */
  id: string;
  /** The city, state or region, and country. */
  label?: string | null | undefined;
  /** The country of the region. */
  country?: string | null | undefined;
  /** The capabilities of the region. */
  capabilities?: string[] | null | undefined;
  /** The region's name servers. */
  resolvers?:
    | {
        [field: string]: unknown;
        /** IPv4 addresses. */
        ipv4?: string | null | undefined;
        /** IPv6 addresses. */
        ipv6?: string | null | undefined;
      }
    | null
    | undefined;
  /** Whether the region is up: `ok` or `outage`. */
  status: Known<"ok" | "outage">;
}

/** Whether a plan can be deployed in a region. Fields that the reference does not name are kept unchanged. */
export interface RegionAvailability {
  [field: string]: unknown;
  /** Region id, such as `us-east`. */
  region: string;
  /** Type id, such as `g6-standard-1`. */
  plan: string;
  /** Whether the plan can be deployed in the region. */
  available: boolean;
}
