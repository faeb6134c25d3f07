// Written by `npm run generate` from src/api/images.ts.
import { type Known } from "./common";

/**
 * An image for deploying nodes: public, or private to the account. Fields that the reference does not name are kept
 * unchanged.
 */
export interface Image {
  [field: string]: unknown;
  /** `node/<name>` or `private/<id>`. */
  id: string;
  label: string;
  description?: string | null | undefined;
  capabilities?: string[] | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  created?: string | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  updated?: string | null | undefined;
  created_by?: string | null | undefined;
  deprecated?: boolean | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  eol?: string | null | undefined;
  /** `YYYY-MM-DDThh:mm:ss`. */
  expiry?: string | null | undefined;
  is_public?: boolean | null | undefined;
  size?: number | null | undefined;
  status: Known<"creating" | "pending_upload" | "available">;
  type?: Known<"manual" | "automatic"> | null | undefined;
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

/** Response of the upload operation. */
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
