import { z } from "zod";
import { op } from "./operation";
import { info, openEnum } from "./schema";

/** A data center. */
export const region = z.looseObject({
  id: z.string(),
  label: info(z.string()),
  country: info(z.string()),
  capabilities: info(z.array(z.string())),
  resolvers: info(z.looseObject({ ipv4: info(z.string()), ipv6: info(z.string()) })),
  status: openEnum(["ok", "outage"]),
});

/** Whether a plan can be deployed in a region. */
export const regionAvailability = z.looseObject({
  region: z.string(),
  plan: z.string(),
  available: z.boolean(),
});

export type Region = z.infer<typeof region>;

/** Operations on regions. No credential is named for them. */
export const regions = {
  /** Pages through the regions. */
  list: op({
    method: "GET",
    path: "/regions",
    summary: "Lists the regions.",
    paged: true,
    reply: region,
    scopes: [],
  }),
  /** Pages through the availability of select plans in all regions. */
  listAvailability: op({
    method: "GET",
    path: "/regions/availability",
    summary: "Lists which plans are available in which region.",
    paged: true,
    reply: regionAvailability,
    scopes: [],
  }),
  /** Views one region. */
  get: op({
    method: "GET",
    path: "/regions/{regionId}",
    summary: "Views a region.",
    reply: region,
    scopes: [],
  }),
  /** Views the availability of plans in one region. */
  getAvailability: op({
    method: "GET",
    path: "/regions/{regionId}/availability",
    summary: "Views the availability of plans in a region.",
    reply: regionAvailability,
    scopes: [],
  }),
};
