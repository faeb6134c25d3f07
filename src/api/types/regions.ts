// Written by `npm run generate` from src/api/regions.ts.
import { type Known } from "./common";

/** A data center. Fields that the reference does not name are kept unchanged. */
export interface Region {
  [field: string]: unknown;
  /** For example, `us-east`. */
  id: string;
  label?: string | null | undefined;
  country?: string | null | undefined;
  capabilities?: string[] | null | undefined;
  /** The region's name servers. */
  resolvers?:
    | {
        [field: string]: unknown;
        ipv4?: string | null | undefined;
        ipv6?: string | null | undefined;
      }
    | null
    | undefined;
  status: Known<"ok" | "outage">;
}

/** Whether a plan can be deployed in a region. */
export interface RegionAvailability {
  [field: string]: unknown;
  region: string;
  /** Type id, such as `g6-standard-1`. */
  plan: string;
  available: boolean;
}
