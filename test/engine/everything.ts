export const RESOURCES = 11;

/** Every optional input that can be set together, of all resources. */
export const everything = ({ label = "web-one", ttlSec = 310 } = {}) => `
const web = new nodecloud.Node("web", {
  region: "us-east", type: "g6-nanode-1", label: "${label}", group: "site", tags: ["b", "a"],
  image: "node/debian12", rootPass: "correct horse battery", authorizedKeys: ["ssh-ed25519 AAAA one"],
  authorizedUsers: [], swapSize: 256, backupsEnabled: true, backups: { schedule: { day: "Sunday", window: "W10" } },
  booted: true, bootConfigId: 1, resize: "in-place", privateIp: true, interfaces: [{ purpose: "public" }],
  alerts: { cpu: 81, io: 9000, networkIn: 11, networkOut: 12, transferQuota: 79 }, watchdogEnabled: true,
  userData: "#cloud-config\\npackages: [nginx]\\n",
}, { customTimeouts: { create: "10m" } });
new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id, label: "first", triggers: { release: "1", list: [1] } });
const updates = { dayOfWeek: 3, duration: 3, frequency: "weekly", hourOfDay: 4 };
const mysql = new nodecloud.MysqlDatabase("mysql", {
  region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", label: "shop-db", clusterSize: 3, encrypted: true,
  sslConnection: true, replicationType: "asynch", allowList: ["192.0.2.7", "2001:DB8::0:7", "10.0.0.0/8"], updates,
  credentialsResetTrigger: 1, patchTrigger: "a",
});
const postgresql = new nodecloud.PostgresqlDatabase("postgresql", {
  region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6", label: "reports-db", clusterSize: 3, encrypted: false,
  sslConnection: true, replicationType: "asynch", replicationCommitType: "remote_write", allowList: ["192.0.2.8/32"], updates,
});
const backup = { label: "before", target: "secondary", triggers: { release: "1" } };
new nodecloud.MysqlDatabaseBackup("mysql-backup", { databaseId: mysql.id, ...backup });
new nodecloud.PostgresqlDatabaseBackup("postgresql-backup", { databaseId: postgresql.id, ...backup });
const zone = new nodecloud.Domain("zone", {
  domain: "example.org", type: "master", status: "active", description: "ours", group: "site", soaEmail: "dns@example.org",
  masterIps: [], axfrIps: ["192.0.2.9", "2001:db8::9"], expireSec: 604799, refreshSec: 14401, retrySec: 3601, ttlSec: 299,
  tags: ["z", "y"],
});
new nodecloud.DomainRecord("a", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10", ttlSec: ${ttlSec} });
new nodecloud.DomainRecord("srv", {
  domainId: zone.id, type: "SRV", target: "sip.example.org", service: "sip", protocol: "tcp",
  priority: 5, weight: 6, port: 5060, ttlSec: 3600,
});
new nodecloud.DomainRecord("caa", { domainId: zone.id, type: "CAA", name: "www", target: "ca.example.net", tag: "issue" });
new nodecloud.Image("image", { source: "disk.img", region: "us-east", label: "golden", description: "a disk" });
`;
