/** A small site with a node, two databases, DNS records and an image. */
import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

const region = "us-east";
const siteName = "quickstart.example";
const ttlSec = new pulumi.Config().requireNumber("ttl");

// A virtual machine. Its label is "web" and a suffix derived from the stack. Its root password is generated.
const web = new nodecloud.Node("web", {
  region,
  type: "g6-nanode-1",
  image: "node/debian12",
  tags: ["quickstart"],
  backupsEnabled: true,
});
const address = web.ipv4.apply((addresses) => addresses[0] ?? "");
const addressV6 = web.ipv6.apply((range = "") => range.replace(/\/\d+$/, ""));

// A snapshot of its disks. A new value of a trigger takes a new snapshot.
new nodecloud.NodeBackupSnapshot("first-day", { nodeId: web.id, triggers: { release: "1" } });

// Two databases that accept connections only from the node.
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

// The site's domain and its records.
const zone = new nodecloud.Domain("zone", { domain: siteName, type: "master", soaEmail: `dns@${siteName}` });
new nodecloud.DomainRecord("www", {
  domainId: zone.id,
  type: "A",
  name: "www",
  target: address,
  ttlSec,
});
new nodecloud.DomainRecord("www-v6", { domainId: zone.id, type: "AAAA", name: "www", target: addressV6 });
new nodecloud.DomainRecord("mail", {
  domainId: zone.id,
  type: "MX",
  target: `www.${siteName}`,
  priority: 10,
});
new nodecloud.DomainRecord("spf", { domainId: zone.id, type: "TXT", target: "v=spf1 mx -all" });

// A private image for further nodes. The path is relative to this folder.
const golden = new nodecloud.Image("golden", {
  source: "disk.img",
  region,
  description: "A stand-in for a disk image",
});

export const site = pulumi.interpolate`http://www.${zone.domain}/`;
export const nodeAddress = address;
export const mysqlHost = shop.hosts.primary;
export const mysqlPassword = shop.rootPassword; // a secret: displayed as [secret], encrypted in the state
export const postgresqlHost = reports.hosts.primary;
export const imageId = golden.id;
