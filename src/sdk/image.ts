// Written by `npm run generate` from src/resources/image.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { type Documented, isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";

/** The inputs of all images. */
export interface CommonImageArgs {
  /**
   * The label of the image: a short description. A change updates the image in place. Removing it restores the automatic
   * name.
   * @default the resource's name and a derived suffix
   * @example "golden"
   */
  label?: pulumi.Input<string>;
  /**
   * A description of the image. 1 to 65000 characters. A change updates the image in place. Removing it clears it.
   * @example "Debian 12 with nginx"
   */
  description?: pulumi.Input<string>;
}

/** An image that the program adopts, and whose source is not known. A program that creates the image is refused. */
export interface AdoptedImageArgs extends CommonImageArgs {
  /**
   * The id of the region to upload to. Once uploaded, the image can be used in any region. A change replaces the image.
   * Removing it keeps the current value; the preview warns.
   * @example "us-east"
   */
  region?: pulumi.Input<string>;
  diskId?: undefined;
  source: undefined;
}

/** An image that is captured from a disk. */
export interface CapturedImageArgs extends CommonImageArgs {
  /**
   * The id of the disk of a node to capture. A change replaces the image.
   * @example 123
   */
  diskId: pulumi.Input<number>;
  region?: undefined;
  source?: undefined;
}

/** An image that is uploaded from a file. */
export interface UploadedImageArgs extends CommonImageArgs {
  /**
   * A raw disk image to upload: a path or a file asset (`FileAsset`). If the file is not compressed with gzip, the
   * provider compresses it during the upload. At most 5 GB compressed. A change replaces the image, unless the new file
   * has the same content.
   * @example "build/disk.img.gz"
   */
  source: pulumi.Input<string | pulumi.asset.FileAsset>;
  /**
   * The id of the region to upload to. Once uploaded, the image can be used in any region. A change replaces the image.
   * Removing it keeps the current value; the preview warns.
   */
  region: pulumi.Input<string>;
  diskId?: undefined;
}

/**
 * Inputs of an {@link Image}. An image is captured from a disk with `diskId`, or uploaded with `source` and `region`. An
 * image that the program adopts may have `source: undefined` instead: the service does not show where it came from.
 */
export type ImageArgs = AdoptedImageArgs | CapturedImageArgs | UploadedImageArgs;

/**
 * A private image to deploy nodes from. It is captured from a disk or uploaded from a file.
 *
 * ```ts
 * const golden = new nodecloud.Image("golden", { source: "build/disk.img.gz", region: "us-east" });
 * new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: golden.id });
 * ```
 */
export class Image extends NodeCloudResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.Image);

  /** @internal */
  static get description() {
    return descriptions.Image;
  }

  /** Whether an object is an image of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is Image {
    return isOfType(outlines.Image, object);
  }

  /** The id of the disk of a node to capture. */
  declare readonly diskId: pulumi.Output<number | undefined>;
  /** The path of the uploaded file. */
  declare readonly source: pulumi.Output<string | undefined>;
  /** The SHA-256 of the uploaded file, in hexadecimal. */
  declare readonly sourceHash: pulumi.Output<string | undefined>;
  /** The id of the region to upload to. Once uploaded, the image can be used in any region. */
  declare readonly region: pulumi.Output<string | undefined>;
  /** The label of the image: a short description. */
  declare readonly label: pulumi.Output<string>;
  /** The description. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The status of the image. Only an `available` image can be deployed. The service may add other values. */
  declare readonly status: pulumi.Output<"creating" | "pending_upload" | "available" | (string & {})>;
  /** How the image was created: `manual`, or `automatic` from a deleted node. The service may add other values. */
  declare readonly type: pulumi.Output<"manual" | "automatic" | (string & {})>;
  /** The capabilities of the image. A node can use `metadata` only if its image has `cloud-init`. */
  declare readonly capabilities: pulumi.Output<string[]>;
  /** The user who created the image. */
  declare readonly createdBy: pulumi.Output<string>;
  /** Whether the image is deprecated. */
  declare readonly deprecated: pulumi.Output<boolean>;
  /** The planned end of life of the image: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly eol: pulumi.Output<string | undefined>;
  /** When the image expires: `YYYY-MM-DDThh:mm:ss`. Only `automatic` images expire. */
  declare readonly expiry: pulumi.Output<string | undefined>;
  /** Whether the image is public. */
  declare readonly isPublic: pulumi.Output<boolean>;
  /** The smallest size of a disk to deploy the image to, in MB. */
  declare readonly size: pulumi.Output<number>;
  /** The vendor of the distribution. */
  declare readonly vendor: pulumi.Output<string | undefined>;
  /** When the image was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  /** When the image was last updated: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly updated: pulumi.Output<string>;

  /**
   * Declares an image.
   * @param name The name of the resource in the program.
   * @param args The inputs of the image.
   * @param opts The options of the resource.
   */
  constructor(name: string, args: Documented<ImageArgs>, opts?: pulumi.CustomResourceOptions) {
    super(outlines.Image, name, args, opts);
  }

  /**
   * Reads an existing image without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the image. It has the form private/123.
   * @param opts The options of the resource.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Image {
    return NodeCloudResource.existing(Image, name, id, opts);
  }
}
