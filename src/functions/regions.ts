// Written by `npm run generate` from the description of Region.
import { define } from "./define";
import { type RegionAvailabilityResult, type RegionResult } from "./results";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** Arguments of {@link getRegionAvailability}. */
export interface GetRegionAvailabilityArgs {
  /** The id of the region. */
  readonly regionId: string;
}

const list = define({
  kind: "list",
  name: "getRegions",
  reads: "regions.list",
  collection: "regions",
  nouns: ["region", "regions"],
  id: { form: "a region's id, such as us-east", pattern: /^[^/]+$/ },
  by: ["label"],
});
const item = define({ kind: "item", name: "getRegion", reads: "regions.get", list: list.declaration });
const availability = define({
  kind: "view",
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
