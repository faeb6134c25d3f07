import { defineItem, defineList } from "./define";
import { type ItemOf } from "./types";

/** An image as {@link getImage} gives it. */
export type ImageResult = ItemOf<"images.list">;

const list = defineList({
  name: "getImages",
  reads: "images.list",
  collection: "images",
  nouns: ["image", "images"],
  id: { form: "private/123 or node/<name>, such as node/debian12", pattern: /^(private|node)\/[^/]+$/ },
  by: ["label"],
});
const item = defineItem("getImage", { list, reads: "images.get" });

/**
 * The images that nodes can be deployed from: public ones and the account's own.
 *
 * ```ts
 * const { images } = await nodecloud.getImages({ filter: { isPublic: false }, sortBy: "created", order: "desc" });
 * ```
 */
export const getImages = list.get;
/** {@link getImages} of outputs, as an output. */
export const getImagesOutput = list.getOutput;

/**
 * One image: by its id, or as the only one that has this label or fits the filter.
 *
 * ```ts
 * const golden = await nodecloud.getImage({ filter: { label: { matches: "^golden-" } }, mostRecent: true });
 * new nodecloud.Node("web", { image: golden.id, region: "us-east", type: "g6-nanode-1" });
 * ```
 */
export const getImage = item.get;
/** {@link getImage} of outputs, as an output. */
export const getImageOutput = item.getOutput;
