import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { typeOf } from "../provider/program/registration";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { outlines } from "./outlines";

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
  /** @default the resource's name and a derived suffix. A change updates. */
  label?: pulumi.Input<string>;
  /** 1 to 65000 characters. Removed: none. A change updates. */
  description?: pulumi.Input<string>;
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
  static readonly __pulumiType: string = typeOf(outlines.Image);

  /** @internal */
  static get description() {
    return descriptions.Image;
  }

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is Image {
    return isOfType(outlines.Image, object);
  }

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
    super(outlines.Image, name, args, opts);
  }

  /** Reads an image that another program or person manages: `private/123`, or a public one such as `node/debian12`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Image {
    return NodeCloudResource.existing(Image, name, id, opts);
  }
}
