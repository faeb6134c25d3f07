// Written by `npm run generate` from the description of RegionAvailability.
import { define } from "./define";
import { type RegionAvailabilityResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ListArgs } from "./types";

const list = define({
  kind: "list",
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
export const getRegionAvailabilities: GetFunction<
  ListArgs<RegionAvailabilityResult> | undefined,
  { availabilities: RegionAvailabilityResult[] }
> = list.get;
/** Like {@link getRegionAvailabilities}, with outputs as arguments and as the result. */
export const getRegionAvailabilitiesOutput: GetOutputFunction<
  ListArgs<RegionAvailabilityResult> | undefined,
  { availabilities: RegionAvailabilityResult[] }
> = list.getOutput;
