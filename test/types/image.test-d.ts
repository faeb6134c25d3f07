import * as pulumi from "@pulumi/pulumi";
import { Image } from "../../src";

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
