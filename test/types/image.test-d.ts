import * as pulumi from "@pulumi/pulumi";
import { type CommonImageArgs, Image, type ImageArgs } from "../../src";
import * as plugin from "../../src/plugin";

const image = new Image("golden", { source: "build/disk.img.gz", region: "us-east" });
new Image("asset", { source: new pulumi.asset.FileAsset("disk.img"), region: "us-east" });
new Image("later", { source: pulumi.output("disk.img"), region: "us-east" });
new Image("captured", { diskId: 12, description: "A disk" });
export const hash: pulumi.Output<string | undefined> = image.sourceHash;
export const size: pulumi.Output<number> = image.size;
Image.get("public", "node/debian12");

// @ts-expect-error -- only files can be uploaded
new Image("text", { source: new pulumi.asset.StringAsset("content"), region: "us-east" });
// @ts-expect-error -- the id of a disk is a number
new Image("captured", { diskId: "12" });
// @ts-expect-error -- the provider computes the hash
new Image("golden", { source: "disk.img", region: "us-east", sourceHash: "ab" });

/** An image has one source, which the program may choose. */
declare const disk: number | undefined;
new Image("one", { diskId: pulumi.output(12), source: undefined });
new Image("either", disk === undefined ? { source: "disk.img", region: "us-east" } : { diskId: disk });
const common = { description: "of a helper" };
const imageOf = (more: Partial<CommonImageArgs> = {}): ImageArgs => ({
  ...common,
  source: "disk.img",
  region: pulumi.output("us-east"),
  ...more,
});
new Image("helped", imageOf({ label: "golden" }));
new Image("helped", { ...imageOf(), label: "golden" });
/** The source of an adopted image is not known. */
new Image("adopted", { label: "golden", source: undefined }, { import: "private/12" });

// @ts-expect-error -- an image has a source
new Image("none", { label: "golden" });
// @ts-expect-error -- arguments are required
new Image("none", {});
// @ts-expect-error -- an image is captured or uploaded
new Image("both", { diskId: 12, source: "disk.img", region: "us-east" });
// @ts-expect-error -- the same applies to outputs
new Image("both", { diskId: pulumi.output(12), source: pulumi.output("disk.img"), region: "us-east" });
// @ts-expect-error -- an upload has a region
new Image("nowhere", { source: "disk.img" });
// @ts-expect-error -- the same applies to assets
new Image("nowhere", { source: new pulumi.asset.FileAsset("disk.img") });
// @ts-expect-error -- a captured image is in the region of its node
new Image("elsewhere", { diskId: 12, region: "us-east" });
// @ts-expect-error -- a condition may leave out the disk
new Image("maybe", { diskId: disk });
// @ts-expect-error -- an image of the full plugin has a source
new plugin.Image("none", { label: "golden" });
// @ts-expect-error -- an image of the full plugin is captured or uploaded
new plugin.Image("both", { diskId: 12, source: "disk.img", region: "us-east" });
// @ts-expect-error -- an upload of the full plugin has a region
new plugin.Image("nowhere", { source: "disk.img" });
