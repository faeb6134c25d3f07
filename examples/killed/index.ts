import * as nodecloud from "pulumi-nodecloud";

const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
const zone = new nodecloud.Domain("zone", {
  domain: "killed.example",
  type: "master",
  soaEmail: "dns@killed.example",
});
const target = web.ipv4.apply(([first = ""]) => first);
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target });
