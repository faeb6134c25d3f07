// Written by `npm run generate` from src/functions and src/api.
import { type Known } from "../../api/types/common";

/** An image for deploying nodes: public, or private to the account. */
export interface ImageResult {
  /** `private/<id>`, or `node/<name>` for a public image. */
  id: string;
  /** Name in the account. */
  label: string;
  /** A note on the image. */
  description?: string | undefined;
  /** The capabilities of the image, such as `cloud-init`. */
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
  status: Known<"creating" | "pending_upload" | "available">;
  /** How the image was created: `manual`, or `automatic` from a deleted node. */
  type?: Known<"manual" | "automatic"> | undefined;
  /** Vendor of the distribution. */
  vendor?: string | undefined;
}
