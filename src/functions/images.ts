// Written by `npm run generate` from the description of Image.
import { defineItem, defineList } from "./define";
import { type ImageResult } from "./results";
import { type ItemArgs, type ListArgs } from "./types";

const list = defineList<ListArgs<ImageResult> | undefined, { images: ImageResult[] }>({
  name: "getImages",
  reads: "images.list",
  collection: "images",
  nouns: ["image", "images"],
  id: { form: "private/123 or node/<name>, such as node/debian12", pattern: /^(private|node)\/[^/]+$/ },
  by: ["label"],
});
const item = defineItem<ItemArgs<ImageResult, "label", never, string>, ImageResult>({
  name: "getImage",
  reads: "images.get",
  list: list.declaration,
});

/**
 * The images for deploying nodes: public ones, and the account's own.
 *
 * ```ts
 * const { images } = await nodecloud.getImages({ filter: { isPublic: false }, sortBy: "created", order: "desc" });
 * ```
 */
export const getImages = list.get;
/** Like {@link getImages}, with outputs as arguments and as the result. */
export const getImagesOutput = list.getOutput;

/**
 * One image: by its id, or by a label and a filter that match exactly one.
 *
 * ```ts
 * const golden = await nodecloud.getImage({ filter: { label: { matches: "^golden-" } }, mostRecent: true });
 * new nodecloud.Node("web", { image: golden.id, region: "us-east", type: "g6-nanode-1" });
 * ```
 */
export const getImage = item.get;
/** Like {@link getImage}, with outputs as arguments and as the result. */
export const getImageOutput = item.getOutput;
