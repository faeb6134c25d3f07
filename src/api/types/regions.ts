import { type Known } from "./common";

/** A data center. Fields that the reference does not name pass as they are. */
export interface Region {
  [field: string]: unknown;
  /** Such as `us-east`. */
  id: string;
  label?: string | null | undefined;
  country?: string | null | undefined;
  capabilities?: string[] | null | undefined;
  /** Its name servers. */
  resolvers?:
    | { [field: string]: unknown; ipv4?: string | null | undefined; ipv6?: string | null | undefined }
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
