// Written by `npm run generate` from the description of Region.
import { defineItem, defineList, defineView } from "./define";
import { type RegionAvailabilityResult, type RegionResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

/** Arguments of {@link getRegionAvailability}. */
export interface GetRegionAvailabilityArgs {
  /** The id of the region. */
  readonly regionId: string;
}

const list = defineList<ListArgs<RegionResult> | undefined, { regions: RegionResult[] }>({
  name: "getRegions",
  reads: "regions.list",
  collection: "regions",
  nouns: ["region", "regions"],
  id: { form: "a region's id, such as us-east", pattern: /^[^/]+$/ },
  by: ["label"],
});
const item = defineItem<ItemArgs<RegionResult, "label", never, string>, RegionResult>({
  name: "getRegion",
  reads: "regions.get",
  list: list.declaration,
});
const availability = defineView<GetRegionAvailabilityArgs, RegionAvailabilityResult>({
  name: "getRegionAvailability",
  reads: "regions.getAvailability",
  parent: {
    property: "regionId",
    noun: "region",
    id: { form: "a region's id, such as us-east", pattern: /^[^/]+$/ },
  },
});

/**
 * The regions.
 *
 * ```ts
 * const { regions } = await nodecloud.getRegions({ filter: { country: "us", status: "ok" } });
 * ```
 */
export const getRegions = list.get;
/** Like {@link getRegions}, with outputs as arguments and as the result. */
export const getRegionsOutput = list.getOutput;

/**
 * One region: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const { capabilities } = await nodecloud.getRegion({ id: "us-east" });
 * ```
 */
export const getRegion = item.get;
/** Like {@link getRegion}, with outputs as arguments and as the result. */
export const getRegionOutput = item.getOutput;

/**
 * The availability of one plan in a region. The API chooses the plan.
 *
 * ```ts
 * const { plan, available } = await nodecloud.getRegionAvailability({ regionId: "us-east" });
 * ```
 */
export const getRegionAvailability = availability.get;
/** Like {@link getRegionAvailability}, with outputs as arguments and as the result. */
export const getRegionAvailabilityOutput = availability.getOutput;
