import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { imageCreate, images, imageUploadCreate, type Image as Reply } from "../api/images";
import { defineResource, isNew } from "../provider/define";
import { replace, setting, update } from "../provider/fields";
import { IMPORT_ID } from "../provider/hidden";
import { NodeCloudResource } from "../provider/resource";
import { type Properties, UNKNOWN } from "../provider/values";
import { regionIsUp } from "./families/account-rules";
import { inspectImageFile, sendImageFile } from "./families/image-file";

/** Inputs of an {@link Image}: captured from a disk with `diskId`, or uploaded with `source` and `region`. */
export interface ImageArgs {
  /** Id of the node's disk to capture. A change replaces the image. */
  diskId?: pulumi.Input<number>;
  /**
   * A raw disk image to upload, as a path or a `pulumi.asset.FileAsset`, gzip-compressed or not (it is then compressed on the way). At most
   * 5 GB compressed. Another content replaces the image; another path with the same content does not.
   */
  source?: pulumi.Input<string | pulumi.asset.FileAsset>;
  /** Region to upload to; once uploaded an image can be used in any. A change replaces the image. */
  region?: pulumi.Input<string>;
  /** @default the resource's name and a random suffix. A change updates. */
  label?: pulumi.Input<string>;
  /** 1 to 65000 characters. Removed: none. A change updates. */
  description?: pulumi.Input<string>;
}

const image = defineResource<Reply>({
  type: "Image",
  fields: {
    diskId: replace(imageCreate.shape.disk_id),
    source: setting(z.string().min(1)),
    // Found by `check`: the SHA-256 of what `source` names.
    sourceHash: replace(z.string(), { local: true }),
    region: replace(imageUploadCreate.shape.region),
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
  derive: async (inputs) =>
    typeof inputs["source"] === "string" && inputs["source"] !== UNKNOWN
      ? { sourceHash: (await inspectImageFile(inputs["source"])).sha256 }
      : {},
  create: async ({ client, inputs, body, memory }) => {
    if (inputs["source"] === undefined) return client.images.create(body(images.create));
    const upload = await client.images.upload(body(images.upload));
    memory["uploadTo"] = upload.upload_to;
    return upload.image;
  },
  finish: async ({ client, inputs, live, memory }) => {
    const { uploadTo, uploaded } = memory;
    if (typeof uploadTo !== "string" || uploaded === true || live.status !== "pending_upload") return;
    await sendImageFile(client, uploadTo, String(inputs["source"]));
    memory["uploaded"] = true;
  },
  read: (client, { id: imageId }) => client.images.get({ imageId }),
  list: (client) => client.images.list.all(),
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

/** The path of a source; only files can be uploaded. */
function pathOf(source: unknown): pulumi.Input<string> {
  if (typeof source === "string") return source;
  // Not `instanceof`: the program may have another copy of the SDK.
  if (pulumi.asset.Asset.isInstance(source) && "path" in source) return source.path as Promise<string>;
  throw new pulumi.RunError(
    "Image: source must be a path or a pulumi.asset.FileAsset; other assets cannot be uploaded",
  );
}

/**
 * A private image to deploy nodes from.
 *
 * ```ts
 * const golden = new nodecloud.Image("golden", { source: "build/disk.img.gz", region: "us-east" });
 * new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: golden.id });
 * ```
 */
export class Image extends NodeCloudResource {
  /** @internal */
  static readonly description = image;

  declare readonly diskId: pulumi.Output<number | undefined>;
  declare readonly source: pulumi.Output<string | undefined>;
  /** SHA-256 of the uploaded file, in hexadecimal. */
  declare readonly sourceHash: pulumi.Output<string | undefined>;
  declare readonly region: pulumi.Output<string | undefined>;
  declare readonly label: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** `creating`, `pending_upload` or `available`. */
  declare readonly status: pulumi.Output<string>;
  /** `manual` or `automatic`. */
  declare readonly type: pulumi.Output<string>;
  /** Among them `cloud-init` where nodes can be given metadata. */
  declare readonly capabilities: pulumi.Output<string[]>;
  declare readonly createdBy: pulumi.Output<string>;
  declare readonly deprecated: pulumi.Output<boolean>;
  declare readonly eol: pulumi.Output<string | undefined>;
  declare readonly expiry: pulumi.Output<string | undefined>;
  declare readonly isPublic: pulumi.Output<boolean>;
  /** The least size of a disk to deploy it to, in MB. */
  declare readonly size: pulumi.Output<number>;
  declare readonly vendor: pulumi.Output<string | undefined>;
  /** `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  declare readonly updated: pulumi.Output<string>;

  constructor(name: string, args: ImageArgs, opts?: pulumi.CustomResourceOptions) {
    // `get` hands over no arguments.
    const source = (args as ImageArgs | undefined)?.source;
    super(
      image,
      name,
      source === undefined ? args : { ...args, source: pulumi.output(source).apply(pathOf) },
      opts,
    );
  }

  /** Reads an image that another program or person manages: `private/123`, or a public one such as `node/debian12`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Image {
    return NodeCloudResource.existing(Image, name, id, opts);
  }
}
