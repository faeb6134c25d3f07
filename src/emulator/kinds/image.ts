import { z } from "zod";
import { image as answer, UPLOAD_WINDOW_SECONDS } from "../../api/images";
import { type ObjectKind, onlyFields, type ShapedBy } from "../kind/kind";
import { fieldsOf, text, whole } from "../kind/field-types";
import { type Entity } from "../store/table";
import { GONE, type Transition, minutes } from "../store/transitions";

const fields = {
  ...fieldsOf(answer, ["description", "eol", "expiry", "vendor"]),
  type: z.enum(["manual", "automatic"]),
};

const hidden = {
  /** The last segment of the upload URL. It is null for an image that is captured from a disk. */
  upload_key: text.nullable(),
  /** The compressed size of the uploaded data. */
  upload_bytes: whole.nullable(),
  /** The SHA-256 of the uploaded data. */
  upload_sha256: text.nullable(),
};

const transitions = {
  capture: { steps: [["creating", minutes(5)]], end: "available" },
  process: { steps: [["pending_upload", minutes(5)]], end: "available" },
  // The client takes this time, and a faster clock does not make the client faster.
  awaitUpload: { steps: [["pending_upload", UPLOAD_WINDOW_SECONDS]], end: GONE, shortestRealSeconds: 60 },
} as const satisfies Record<string, Transition>;

export type ImageFields = ShapedBy<typeof fields>;
export type ImageHidden = ShapedBy<typeof hidden>;
export type ImageEntity = Entity<ImageFields, ImageHidden>;

/** The private images. The public ones are in the catalogue. */
export const image: ObjectKind<ImageFields, ImageHidden, typeof transitions> = {
  ...onlyFields,
  stored: "images",
  fields,
  hidden,
  transitions,
  statuses: { available: "good" },
  secrets: ["upload_key", "upload_to"],
  name: { column: "label", of: ({ label }) => label },
  idPrefix: "private/",
  collections: {
    images: {
      place: 80,
      title: "Images",
      one: "image",
      many: "images",
      columns: ["id", "type", "size", "created_by", "created", "description"],
      changedByHand: () => ({ label: "by-hand" }),
      path: "/images",
      example: { path: "/images/upload", body: { label: "golden", region: "us-east" } },
    },
  },
};
