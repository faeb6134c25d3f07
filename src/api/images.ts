import { z } from "zod";
import { crud } from "./crud";
import { op, typed } from "./operation";
import { dateTime, lenient, openEnum } from "./schema";
import {
  type Image,
  type ImageCreate,
  type ImageUpdate,
  type ImageUpload,
  type ImageUploadCreate,
} from "./types/images";

export type { Image } from "./types/images";

/** The largest upload, compressed: 5 GB. */
export const MAX_UPLOAD_BYTES = 5_000_000_000;

/** How long the service waits for the data of an upload before it deletes the image, in seconds: 24 hours. */
export const UPLOAD_WINDOW_SECONDS = 24 * 60 * 60;

const description = z.string().min(1).max(65_000);

/**
 * An image for deploying nodes: public, or private to the account.
 * @internal
 */
export const image = z.looseObject({
  /** `private/<id>`, or `node/<name>` for a public image. */
  id: z.string(),
  /** Name in the account. */
  label: z.string(),
  /** A note on the image. */
  description: z.string().nullish(),
  /** The capabilities of the image, such as `cloud-init`. */
  capabilities: lenient(z.array(z.string())),
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created: lenient(dateTime),
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated: lenient(dateTime),
  /** User who created the image. */
  created_by: lenient(z.string()),
  /** Whether the image is deprecated. */
  deprecated: lenient(z.boolean()),
  /** The planned end of life of the image, `YYYY-MM-DDThh:mm:ss`. */
  eol: lenient(dateTime),
  /** When the image expires, `YYYY-MM-DDThh:mm:ss`. Only `automatic` images expire. */
  expiry: lenient(dateTime),
  /** Whether the image is public. */
  is_public: lenient(z.boolean()),
  /** Smallest disk that the image can be deployed to, in MB. */
  size: lenient(z.int()),
  /** Status of the image. */
  status: openEnum(["creating", "pending_upload", "available"]),
  /** How the image was created: `manual`, or `automatic` from a deleted node. */
  type: lenient(openEnum(["manual", "automatic"])),
  /** Vendor of the distribution. */
  vendor: lenient(z.string()),
});

/**
 * Response of the upload operation.
 * @internal
 */
export const imageUpload = z.looseObject({
  image,
  /** The address to upload the data to. */
  upload_to: z.string(),
});

/**
 * Body of the creation of an image from a disk.
 * @internal
 */
export const imageCreate = z.object({
  disk_id: z.int(),
  label: z.string().optional(),
  description: description.optional(),
});

/**
 * Body of the creation of an image by upload.
 * @internal
 */
export const imageUploadCreate = z.object({
  label: z.string(),
  /** Region id, such as `us-east`. */
  region: z.string(),
  description: description.optional(),
});

/**
 * Body of an image update.
 * @internal
 */
export const imageUpdate = z.object({
  label: z.string().optional(),
  description: description.nullable().optional(),
});

const plain = crud({
  path: "/images",
  id: "imageId",
  nouns: ["an image", "the images"],
  scopes: "images",
  reply: typed<Image>(image),
  create: typed<ImageCreate>(imageCreate),
  update: typed<ImageUpdate>(imageUpdate),
});

/** Operations on images. */
export const images = {
  /** Lists the public images and, with a token, the account's own images, page by page. */
  list: op({ ...plain.list, anonymous: true }),
  /** Captures a private image from a node's disk. */
  create: op({
    ...plain.create,
    summary: "Creates an image from a disk.",
    scopes: ["images:read_write", "nodes:read_only"],
  }),
  /** Creates a private image. Its data must be sent to `upload_to` within 24 hours. */
  upload: op({
    method: "POST",
    path: "/images/upload",
    summary: "Creates an image for an upload.",
    body: typed<ImageUploadCreate>(imageUploadCreate),
    reply: typed<ImageUpload>(imageUpload),
    scopes: ["images:read_write"],
  }),
  /** Views one image, `node/<name>` or `private/<id>`. */
  get: op({ ...plain.get, anonymous: true }),
  /** Changes a private image's label or description. */
  update: op({ ...plain.update, summary: "Updates a private image." }),
  /** Permanently deletes a private image. */
  delete: op({ ...plain.delete, summary: "Deletes a private image." }),
};
