// Written by `npm run generate` from src/resources/image.ts.
import type * as pulumi from "@pulumi/pulumi";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { descriptions } from "../resources";
import { outlines } from "./outlines";

/** Inputs of an {@link Image}. An image is captured from a disk with `diskId`, or uploaded with `source` and `region`. */
export interface ImageArgs {
  /** The id of the node's disk to capture. A change replaces the image. Removing it leaves the value as it is. */
  diskId?: pulumi.Input<number>;
  /**
   * A raw disk image to upload: a path or a `pulumi.asset.FileAsset`. It may be compressed with gzip; otherwise it is
   * compressed during the upload. At most 5 GB compressed. Another content replaces the image. Another path with the same
   * content does nothing. Removing it leaves the value as it is.
   */
  source?: pulumi.Input<string | pulumi.asset.FileAsset>;
  /**
   * The id of the region to upload to. Once uploaded, the image can be used in any region. A change replaces the image.
   * Removing it leaves the value as it is.
   */
  region?: pulumi.Input<string>;
  /**
   * The name of the image. A change updates it in place. Removing it restores the automatic name.
   * @default the resource's name and a derived suffix
   */
  label?: pulumi.Input<string>;
  /** A description. 1 to 65000 characters. A change updates it in place. Removing it clears it. */
  description?: pulumi.Input<string>;
}

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

  /** Whether an object is an image of this class. It knows those of other copies of the package, and what policies are shown. */
  static override isInstance(object: unknown): object is Image {
    return isOfType(outlines.Image, object);
  }

  /** The id of the node's disk to capture. */
  declare readonly diskId: pulumi.Output<number | undefined>;
  /** The path of the uploaded file. */
  declare readonly source: pulumi.Output<string | undefined>;
  /** The SHA-256 of the uploaded file, in hexadecimal. */
  declare readonly sourceHash: pulumi.Output<string | undefined>;
  /** The id of the region to upload to. Once uploaded, the image can be used in any region. */
  declare readonly region: pulumi.Output<string | undefined>;
  /** The name of the image. */
  declare readonly label: pulumi.Output<string>;
  /** The description. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The status of the image. The service may add others. */
  declare readonly status: pulumi.Output<"creating" | "pending_upload" | "available" | (string & {})>;
  /** How the image was created. The service may add others. */
  declare readonly type: pulumi.Output<"manual" | "automatic" | (string & {})>;
  /** The capabilities of the image. With `cloud-init` among them, its nodes can be given metadata. */
  declare readonly capabilities: pulumi.Output<string[]>;
  /** The user who created the image. */
  declare readonly createdBy: pulumi.Output<string>;
  /** Whether the image is deprecated. */
  declare readonly deprecated: pulumi.Output<boolean>;
  /** The planned end of life of the image: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly eol: pulumi.Output<string | undefined>;
  /** When the image expires: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly expiry: pulumi.Output<string | undefined>;
  /** Whether the image is public. */
  declare readonly isPublic: pulumi.Output<boolean>;
  /** The smallest disk that the image can be deployed to, in MB. */
  declare readonly size: pulumi.Output<number>;
  /** The vendor of the image. */
  declare readonly vendor: pulumi.Output<string | undefined>;
  /** When the image was created: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  /** When the image was last updated: `YYYY-MM-DDThh:mm:ss`. */
  declare readonly updated: pulumi.Output<string>;

  constructor(name: string, args: ImageArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.Image, name, args, opts);
  }

  /** Reads an existing image without managing it. The form of its id is private/123. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Image {
    return NodeCloudResource.existing(Image, name, id, opts);
  }
}
