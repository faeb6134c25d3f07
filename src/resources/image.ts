import { z } from "zod";
import { imageCreate, images, imageUploadCreate, type Image as Reply } from "../api/images";
import { defineResource, isNew } from "../provider/describe/define-resource";
import { replace, setting, update } from "../provider/describe/fields";
import { IMPORT_ID } from "../provider/state/hidden";
import { type Properties } from "../provider/state/values";
import { regionIsUp } from "./families/account-rules";
import { inspectImageFile, sendImageFile } from "./families/image-file";

export const image = defineResource<Reply>({
  type: "Image",
  fields: {
    diskId: replace(imageCreate.shape.disk_id, { removed: "stays" }),
    source: setting(z.string().min(1), "stays"),
    // The SHA-256 of what `source` names.
    sourceHash: replace(z.string(), { local: true, removed: "nothing" }),
    region: replace(imageUploadCreate.shape.region, { removed: "stays" }),
    label: update(imageUploadCreate.shape.label),
    description: update(imageCreate.shape.description, { default: null }),
  },
  outputs: [
    "status",
    "type",
    "capabilities",
    "created",
    "updated",
    "createdBy",
    "deprecated",
    "eol",
    "expiry",
    "isPublic",
    "size",
    "vendor",
  ],
  steady: { outputs: ["type", "created", "createdBy", "isPublic", "vendor"] },
  id: { form: "private/123", pattern: /^(?<id>(private|node)\/[^/]+)$/ },
  autoname: { path: "label", max: 64 },
  identity: ["label"],
  statuses: { ready: ["available"], busy: ["creating", "pending_upload"] },
  timeouts: { create: 60, update: 60, delete: 60 },
  absent: {
    nodeId:
      "is not there: the API captures single disks. Set diskId; it shows no operation that lists a node's disks",
    regions:
      "is not there: the API shows no operation to replicate an image; once uploaded it can be used in any region",
    url: "is not there: the API fetches from no address. Download the file, and set source to its path",
  },

  idOf: (reply) => reply.id,
  // Where its data has to go stood in the lost answer.
  isWhole: ({ status }) => status !== "pending_upload",
  accountRules: [regionIsUp],
  rules: sourceRules,
  derived: {
    sourceHash: { from: "source", of: async (source) => (await inspectImageFile(String(source))).sha256 },
  },
  create: async ({ client, inputs, body, memory }) => {
    if (inputs["source"] === undefined) return client.images.create(body(images.create));
    const upload = await client.images.upload(body(images.upload));
    memory["uploadTo"] = upload.upload_to;
    return upload.image;
  },
  finish: async ({ client, inputs, live, memory, show }) => {
    const { uploadTo, uploaded } = memory;
    if (typeof uploadTo !== "string" || uploaded === true || live.status !== "pending_upload") return;
    await sendImageFile(client, uploadTo, String(inputs["source"]), show);
    memory["uploaded"] = true;
  },
  read: (client, { id: imageId }) => client.images.get({ imageId }),
  list: (client, _, options) => client.images.list.all(options),
  update: ({ client, ref, write }) =>
    write(images.update, (body) => client.images.update({ imageId: ref.id }, body)),
  delete: (client, { id: imageId }) => client.images.delete({ imageId }),
});

function sourceRules({ diskId, source, region, ...inputs }: Properties, olds: Properties) {
  const isMade = isNew(olds) && inputs[IMPORT_ID] === undefined;
  if (isMade && diskId === undefined && source === undefined) {
    return [
      { property: "source", reason: "is required to upload an image, or diskId to capture one from a disk" },
    ];
  }
  if (diskId !== undefined && source !== undefined) {
    return [
      { property: "source", reason: "cannot be set together with diskId: an image is captured or uploaded" },
    ];
  }
  if (source !== undefined && region === undefined) {
    return [{ property: "region", reason: "is required with source: it says where to upload to" }];
  }
  if (diskId !== undefined && region !== undefined) {
    return [
      { property: "region", reason: "is only for uploads: an image of a disk is in its node's region" },
    ];
  }
  return [];
}
