import { type Image } from "../api/types/images";
import { defineItem, defineList } from "./define";
import { type GetFunction, type GetOutputFunction, type ItemArgs, type ListArgs } from "./types";

/** An image, as {@link getImage} returns it. */
export interface ImageResult {
  /** The id of its resource: `private/<id>`, or `node/<name>` for a public image. */
  id: string;
  /** Name in the account. */
  label: string;
  /** A note on the image. */
  description?: string | undefined;
  /** What the image supports, such as `cloud-init`. */
  capabilities?: string[] | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | undefined;
  /** User who created the image. */
  createdBy?: string | undefined;
  /** Whether the image is deprecated. */
  deprecated?: boolean | undefined;
  /** The planned end of life of the image, `YYYY-MM-DDThh:mm:ss`. */
  eol?: string | undefined;
  /** When the image expires, `YYYY-MM-DDThh:mm:ss`. Only `automatic` images expire. */
  expiry?: string | undefined;
  /** Whether the image is public. */
  isPublic?: boolean | undefined;
  /** Smallest disk that the image can be deployed to, in MB. */
  size?: number | undefined;
  /** Status of the image. */
  status: Image["status"];
  /** How the image was created: `manual`, or `automatic` from a deleted node. */
  type?: Exclude<Image["type"], null>;
  /** Vendor of the distribution. */
  vendor?: string | undefined;
}

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
 * The images for deploying nodes: public ones, and the account's own.
 *
 * ```ts
 * const { images } = await nodecloud.getImages({ filter: { isPublic: false }, sortBy: "created", order: "desc" });
 * ```
 */
export const getImages: GetFunction<ListArgs<ImageResult> | undefined, { images: ImageResult[] }> = list.get;
/** Like {@link getImages}, with outputs as arguments and as the result. */
export const getImagesOutput: GetOutputFunction<
  ListArgs<ImageResult> | undefined,
  { images: ImageResult[] }
> = list.getOutput;

/**
 * One image: by its id, or by its label and filter, which only it must match.
 *
 * ```ts
 * const golden = await nodecloud.getImage({ filter: { label: { matches: "^golden-" } }, mostRecent: true });
 * new nodecloud.Node("web", { image: golden.id, region: "us-east", type: "g6-nanode-1" });
 * ```
 */
export const getImage: GetFunction<ItemArgs<ImageResult, "label", never, string>, ImageResult> = item.get;
/** Like {@link getImage}, with outputs as arguments and as the result. */
export const getImageOutput: GetOutputFunction<
  ItemArgs<ImageResult, "label", never, string>,
  ImageResult
> = item.getOutput;
