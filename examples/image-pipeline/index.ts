import * as nodecloud from "pulumi-nodecloud";

// Your pipeline builds this file. Other content makes another image, which replaces the one before.
const golden = new nodecloud.Image("golden", {
  source: "disk.img",
  region: "us-east",
  description: "Built by the pipeline",
});

// A node cannot change its image, so a new image replaces the node too.
const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: golden.id });

export const image = golden.id;
export const content = golden.sourceHash;
export const node = web.id;
