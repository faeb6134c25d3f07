import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

const image = new pulumi.Config().require("image");
const port = 8080;

const web = new nodecloud.Node("web", {
  region: "us-east",
  type: "g6-nanode-1",
  image,
  // cloud-init runs this at the first boot. The emulator runs nothing: its nodes answer on port 8080 in any case.
  userData: `#cloud-config\nruncmd:\n  - systemd-run python3 -m http.server ${port}\n`,
  // What depends on the node waits until its server answers. So does the deletion of the node that it replaces.
  readyWhen: { http: { port } },
});
const address = web.ipv4.apply(([first = ""]) => first);

const zone = new nodecloud.Domain("zone", {
  domain: "web-server.example",
  type: "master",
  soaEmail: "dns@web-server.example",
});
const www = new nodecloud.DomainRecord("www", {
  domainId: zone.id,
  type: "A",
  name: "www",
  target: address,
  ttlSec: 300,
});

export const name = pulumi.interpolate`${www.name}.${zone.domain}`;
export const url = pulumi.interpolate`http://${address}:${port}/`;
