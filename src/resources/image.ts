import { z } from "zod";
import { image as answer, imageCreate, images, imageUploadCreate, MAX_UPLOAD_BYTES } from "../api/images";
import {
  type CheckedInputs,
  defineResource,
  type Failure,
  isNew,
  output,
  type PathOf,
  refused,
} from "../provider/describe/define-resource";
import { replace, setting, update } from "../provider/describe/fields";
import { regionIsUp } from "./families/validations";
import { inspectImageFile, NO_FETCH, pathProblem, sendImageFile } from "./families/image-file";

const fields = {
  diskId: replace(imageCreate.shape.disk_id, {
    doc: "The id of the disk of a node to capture.",
    example: 123,
    removed: "stays",
  }),
  source: setting(z.string().min(1), {
    doc: `A raw disk image to upload: a path or a file asset (\`FileAsset\`). If the file is not compressed with gzip, the provider compresses it during the upload. At most ${MAX_UPLOAD_BYTES / 1e9} GB compressed.`,
    example: "build/disk.img.gz",
    changeDoc: "replaces the image, unless the new file has the same content",
    accepts: "string | pulumi.asset.FileAsset",
    file: true,
    problem: pathProblem,
    removed: "stays",
  }),
  sourceHash: replace(z.string(), {
    called: "the content of source",
    doc: "The SHA-256 of the uploaded file, in hexadecimal.",
    notSent: true,
    removed: "nothing",
  }),
  region: replace(imageUploadCreate.shape.region, {
    doc: "The id of the region to upload to. Once uploaded, the image can be used in any region.",
    example: "us-east",
    removed: "stays",
  }),
  label: update(imageUploadCreate.shape.label, {
    doc: "The label of the image: a short description.",
    example: "golden",
  }),
  description: update(imageCreate.shape.description, {
    doc: "A description of the image.",
    example: "Debian 12 with nginx",
    default: null,
  }),
};

type CheckedImage = CheckedInputs<typeof fields>;

export const image = defineResource({
  type: "Image",
  noun: "image",
  doc: "A private image to deploy nodes from. It is captured from a disk or uploaded from a file.",
  example: `
const golden = new nodecloud.Image("golden", { source: "build/disk.img.gz", region: "us-east" });
new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: golden.id });`,
  lookup: {
    by: ["label"],
    id: { form: "private/123 or node/<name>, such as node/debian12", pattern: /^(private|node)\/[^/]+$/ },
    list: {
      doc: "The images for deploying nodes: public ones, and the account's own.",
      example: `const { images } = await nodecloud.getImages({ filter: { isPublic: false }, sortBy: "created", order: "desc" });`,
    },
    item: {
      example: `
const golden = await nodecloud.getImage({ filter: { label: { matches: "^golden-" } }, mostRecent: true });
new nodecloud.Node("web", { image: golden.id, region: "us-east", type: "g6-nanode-1" });`,
    },
  },
  argsDoc:
    "An image is captured from a disk with `diskId`, or uploaded with `source` and `region`. An image that the program adopts may have `source: undefined` instead: the service does not show where it came from.",
  fields,
  variants: {
    common: { name: "CommonImageArgs", doc: "The inputs of all images." },
    cases: [
      {
        name: "AdoptedImageArgs",
        doc: "An image that the program adopts, and whose source is not known. A program that creates the image is refused.",
        unset: ["source"],
        takes: ["region"],
      },
      { name: "CapturedImageArgs", doc: "An image that is captured from a disk.", requires: ["diskId"] },
      {
        name: "UploadedImageArgs",
        doc: "An image that is uploaded from a file.",
        requires: ["source", "region"],
      },
    ],
  },
  outputs: {
    source: output(z.string().optional(), "The path of the uploaded file."),
    sourceHash: output(z.string().optional(), "The SHA-256 of the uploaded file, in hexadecimal."),
    label: output(z.string(), "The label of the image: a short description."),
    description: output(z.string().optional(), "The description."),
    status: output(
      answer.shape.status,
      "The status of the image. Only an `available` image can be deployed. The service may add other values.",
    ),
    type: output(
      answer.shape.type.unwrap().unwrap().unwrap(),
      "How the image was created: `manual`, or `automatic` from a deleted node. The service may add other values.",
    ),
    capabilities: output(
      z.array(z.string()),
      "The capabilities of the image. A node can use `metadata` only if its image has `cloud-init`.",
    ),
    createdBy: output(z.string(), "The user who created the image."),
    deprecated: output(z.boolean(), "Whether the image is deprecated."),
    eol: output(z.string().optional(), "The planned end of life of the image: `YYYY-MM-DDThh:mm:ss`."),
    expiry: output(
      z.string().optional(),
      "When the image expires: `YYYY-MM-DDThh:mm:ss`. Only `automatic` images expire.",
    ),
    isPublic: output(z.boolean(), "Whether the image is public."),
    size: output(z.int(), "The smallest size of a disk to deploy the image to, in MB."),
    vendor: output(z.string().optional(), "The vendor of the distribution."),
    created: output(z.string(), "When the image was created: `YYYY-MM-DDThh:mm:ss`."),
    updated: output(z.string(), "When the image was last updated: `YYYY-MM-DDThh:mm:ss`."),
  },
  steady: { outputs: ["type", "created", "createdBy", "isPublic", "vendor"] },
  id: { form: "private/123", pattern: /^(?<id>(private|node)\/[^/]+)$/ },
  autoname: { path: "label", max: 64 },
  lostByDeletion: "the image is lost",
  identity: ["label"],
  statuses: { ready: ["available"], busy: ["creating", "pending_upload"] },
  timeouts: { create: 60, update: 60, delete: 60 },
  unsupported: {
    nodeId:
      "is not supported: the API captures single disks, and has no operation to list the disks of a node. Set diskId",
    regions:
      "is not supported: the API has no operation to replicate an image. Once uploaded, it can be used in any region",
    url: `is not supported: ${NO_FETCH}`,
  },

  readOperation: images.get,
  idOf: (reply) => reply.id,
  // A lost answer takes the upload URL with it, so the image can never get its data.
  isWhole: ({ status }) => status !== "pending_upload",
  validations: [regionIsUp],
  rules: sourceRules,
  derived: {
    sourceHash: { from: "source", of: async (source) => (await inspectImageFile(String(source))).sha256 },
  },
  create: async ({ client, inputs, body, memory }) => {
    if (inputs.source === undefined) return client.images.create(body(images.create));
    const upload = await client.images.upload(body(images.upload));
    memory["uploadTo"] = upload.upload_to;
    return upload.image;
  },
  finishCreation: async ({ client, inputs, live, memory, show }) => {
    const { uploadTo, uploaded } = memory;
    if (typeof uploadTo !== "string" || uploaded === true || live.status !== "pending_upload") return;
    await sendImageFile(client, uploadTo, String(inputs.source), show);
    memory["uploaded"] = true;
  },
  read: (client, { id: imageId }) => client.images.get({ imageId }),
  list: (client, _, options) => client.images.list.all(options),
  // Without the scope for private images, the list has only the public ones.
  mayList: (client) => client.images.get({ imageId: "private/0" }),
  isManageable: (reply) => !reply.is_public,
  update: ({ client, ref, write }) =>
    write(images.update, (body) => client.images.update({ imageId: ref.id }, body)),
  delete: (client, { id: imageId }) => client.images.delete({ imageId }),
});

function sourceRules(
  { diskId, source, region }: CheckedImage,
  olds: CheckedImage,
  isAdopted: boolean,
): Failure<PathOf<typeof fields>>[] {
  const isMade = isNew(olds) && !isAdopted;
  if (isMade && diskId === undefined && source === undefined)
    return refused(
      "source",
      "or diskId is required: set source to upload an image, or diskId to capture a disk",
    );
  if (diskId !== undefined && source !== undefined)
    return refused(
      "source",
      "cannot be set together with diskId: an image is either captured or uploaded; set one of them",
    );
  if (source !== undefined && region === undefined)
    return refused("region", "is required with source: it says where to upload to");
  if (diskId !== undefined && region !== undefined)
    return refused("region", "is only for uploads: an image of a disk is in its node's region");
  return [];
}
