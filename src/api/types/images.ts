// Written by `npm run generate` from src/api/images.ts.
import { type Known } from "./common";

/**
 * An image for deploying nodes: public, or private to the account. Fields that the reference does not name are kept
 * unchanged.
 */
export interface Image {
  [field: string]: unknown;
  /** `private/<id>`, or `node/<name>` for a public image. */
  id: string;
  /** Name in the account. */
  label: string;
  /** A note on the image. */
  description?: string | null | undefined;
  /** The capabilities of the image, such as `cloud-init`. */
  capabilities?: string[] | null | undefined;
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
  /** User who created the image. */
  created_by?: string | null | undefined;
  /** Whether the image is deprecated. */
  deprecated?: boolean | null | undefined;
  /** The planned end of life of the image, `YYYY-MM-DDThh:mm:ss`. */
  eol?: string | null | undefined;
  /** When the image expires, `YYYY-MM-DDThh:mm:ss`. Only `automatic` images expire. */
  expiry?: string | null | undefined;
  /** Whether the image is public. */
  is_public?: boolean | null | undefined;
  /** Smallest disk that the image can be deployed to, in MB. */
  size?: number | null | undefined;
  /** Status of the image. */
  status: Known<"creating" | "pending_upload" | "available">;
  /** How the image was created: `manual`, or `automatic` from a deleted node. */
  type?: Known<"manual" | "automatic"> | null | undefined;
  /** Vendor of the distribution. */
  vendor?: string | null | undefined;
}

/** Body of the creation of an image from a disk. */
export interface ImageCreate {
  disk_id: number;
  label?: string | undefined;
  /** 1 to 65000 characters. */
  description?: string | undefined;
}

/** Body of an image update. */
export interface ImageUpdate {
  label?: string | undefined;
  /** 1 to 65000 characters. */
  description?: string | null | undefined;
}

/** Response of the upload operation. Fields that the reference does not name are kept unchanged. */
export interface ImageUpload {
  [field: string]: unknown;
  image: Image;
  /** The address to upload the data to. */
  upload_to: string;
}

/** Body of the creation of an image by upload. */
export interface ImageUploadCreate {
  label: string;
  /** Region id, such as `us-east`. */
  region: string;
  /** 1 to 65000 characters. */
  description?: string | undefined;
}
