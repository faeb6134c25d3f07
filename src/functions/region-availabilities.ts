// Written by `npm run generate` from the description of RegionAvailability.
import { defineList } from "./define";
import { type RegionAvailabilityResult } from "./results";
import { type ListArgs } from "./types";

const list = defineList<
  ListArgs<RegionAvailabilityResult> | undefined,
  { availabilities: RegionAvailabilityResult[] }
>({
  name: "getRegionAvailabilities",
  reads: "regions.listAvailability",
  collection: "availabilities",
  nouns: ["availability", "availabilities"],
  by: ["region", "plan"],
});

/**
 * Which plans can be deployed in which region. The API shows select plans only.
 *
 * ```ts
 * const { availabilities } = await nodecloud.getRegionAvailabilities({ filter: { plan: "g7-premium-2", available: true } });
 * ```
 */
export const getRegionAvailabilities = list.get;
/** Like {@link getRegionAvailabilities}, with outputs as arguments and as the result. */
export const getRegionAvailabilitiesOutput = list.getOutput;
