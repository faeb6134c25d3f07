import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

const config = new pulumi.Config();

const zone = new nodecloud.Domain("zone", {
  domain: "blue-green.example",
  type: "master",
  soaEmail: "dns@blue-green.example",
});
const web = new nodecloud.NodePool(
  "web",
  {
    size: config.requireNumber("size"),
    node: { region: "us-east", type: "g6-nanode-1", image: config.require("image") },
    readyWhen: { http: { port: 8080 } },
    records: [{ domainId: zone.id, name: "www" }],
    // Short, because client.mjs caches no address. Resolvers do: in production, leave this out. The default is the time to live of the records.
    drainSec: 2,
  },
  // Short, so that a bad image fails soon on the emulator. Real nodes need minutes: the default is 20.
  { customTimeouts: { create: "30s", update: "30s" } },
);

export const addresses = web.addresses;
