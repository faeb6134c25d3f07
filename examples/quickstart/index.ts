/** A small site, made of nodes, databases, records and images. */
import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

const region = "us-east";
const siteName = "quickstart.example";

// A virtual machine. Its label is "web" and a suffix that follows from the stack, its root password is generated.
const web = new nodecloud.Node("web", {
  region,
  type: "g6-nanode-1",
  image: "node/debian12",
  tags: ["quickstart"],
  backupsEnabled: true,
});
const address = web.ipv4.apply((addresses) => addresses[0] ?? "");
const addressV6 = web.ipv6.apply((range = "") => range.replace(/\/\d+$/, ""));

// A snapshot of its disks. Another value of a trigger takes a new one.
new nodecloud.NodeBackupSnapshot("first-day", { nodeId: web.id, triggers: { release: "1" } });

// Two databases, which only the node can connect to.
const shop = new nodecloud.MysqlDatabase("shop", {
  region,
  type: "g6-nanode-1",
  engine: "mysql/8.0.30",
  allowList: [address],
});
const reports = new nodecloud.PostgresqlDatabase("reports", {
  region,
  type: "g6-nanode-1",
  engine: "postgresql/14.6",
  allowList: [address],
});

// The site's name, and what it leads to.
const zone = new nodecloud.Domain("zone", { domain: siteName, type: "master", soaEmail: `dns@${siteName}` });
new nodecloud.DomainRecord("www", {
  domainId: zone.id,
  type: "A",
  name: "www",
  target: address,
  ttlSec: 300,
});
new nodecloud.DomainRecord("www-v6", { domainId: zone.id, type: "AAAA", name: "www", target: addressV6 });
new nodecloud.DomainRecord("mail", {
  domainId: zone.id,
  type: "MX",
  target: `www.${siteName}`,
  priority: 10,
});
new nodecloud.DomainRecord("spf", { domainId: zone.id, type: "TXT", target: "v=spf1 mx -all" });

// An image of one's own to deploy further nodes from. The path is relative to this folder.
const golden = new nodecloud.Image("golden", {
  source: "disk.img",
  region,
  description: "A stand-in for a disk image",
});

export const site = pulumi.interpolate`http://www.${zone.domain}/`;
export const nodeAddress = address;
export const mysqlHost = shop.hosts.primary;
export const mysqlPassword = shop.rootPassword; // secret: shown as [secret], and encrypted in the state
export const postgresqlHost = reports.hosts.primary;
export const imageId = golden.id;
