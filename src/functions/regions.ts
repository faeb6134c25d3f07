import { defineItem, defineList, defineView } from "./define";
import { type RegionAvailabilityResult, type RegionResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** Arguments of {@link getRegionAvailability}. */
export interface GetRegionAvailabilityArgs {
  /** The id of the region. */
  readonly regionId: string;
}

const id = { form: "a region's id, such as us-east", pattern: /^[^/]+$/ };

const list = defineList({
  name: "getRegions",
  reads: "regions.list",
  collection: "regions",
  nouns: ["region", "regions"],
  id,
  by: ["label"],
});
const item = defineItem("getRegion", { list, reads: "regions.get" });

const availabilities = defineList({
  name: "getRegionAvailabilities",
  reads: "regions.listAvailability",
  collection: "availabilities",
  nouns: ["availability", "availabilities"],
  by: ["region", "plan"],
});
const availability = defineView<"regions.getAvailability", "regionId", never, string>({
  name: "getRegionAvailability",
  reads: "regions.getAvailability",
  parent: { property: "regionId", noun: "region", id },
});

/**
 * The regions.
 *
 * ```ts
 * const { regions } = await nodecloud.getRegions({ filter: { country: "us", status: "ok" } });
 * ```
 */
export const getRegions: GetFunction<ListArgs<RegionResult> | undefined, { regions: RegionResult[] }> =
  list.get;
/** Like {@link getRegions}, with outputs as arguments and as the result. */
export const getRegionsOutput: GetOutputFunction<
  ListArgs<RegionResult> | undefined,
  { regions: RegionResult[] }
> = list.getOutput;

/**
 * One region: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const { capabilities } = await nodecloud.getRegion({ id: "us-east" });
 * ```
 */
export const getRegion: GetFunction<ItemArgs<RegionResult, "label", never, string>, RegionResult> = item.get;
/** Like {@link getRegion}, with outputs as arguments and as the result. */
export const getRegionOutput: GetOutputFunction<
  ItemArgs<RegionResult, "label", never, string>,
  RegionResult
> = item.getOutput;

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
> = availabilities.get;
/** Like {@link getRegionAvailabilities}, with outputs as arguments and as the result. */
export const getRegionAvailabilitiesOutput: GetOutputFunction<
  ListArgs<RegionAvailabilityResult> | undefined,
  { availabilities: RegionAvailabilityResult[] }
> = availabilities.getOutput;

/**
 * The availability of one plan in a region. The API chooses the plan.
 *
 * ```ts
 * const { plan, available } = await nodecloud.getRegionAvailability({ regionId: "us-east" });
 * ```
 */
export const getRegionAvailability: GetFunction<GetRegionAvailabilityArgs, RegionAvailabilityResult> =
  availability.get;
/** Like {@link getRegionAvailability}, with outputs as arguments and as the result. */
export const getRegionAvailabilityOutput: GetOutputFunction<
  GetRegionAvailabilityArgs,
  RegionAvailabilityResult
> = availability.getOutput;
