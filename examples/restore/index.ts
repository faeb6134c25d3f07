import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

// After a loss, set these to the backups to restore. A restore runs when its setting changes.
const config = new pulumi.Config();
const snapshot = config.get("restoreWeb");
const backup = config.get("restoreShop");

const web = new nodecloud.Node("web", {
  region: "us-east",
  type: "g6-nanode-1",
  image: "node/debian12",
  backupsEnabled: true,
  // Without overwrite, the disks of the backup would be added to those of the node.
  ...(snapshot === undefined ? {} : { restoreFromBackup: { backupId: snapshot, overwrite: true } }),
});
const shop = new nodecloud.MysqlDatabase("shop", {
  region: "us-east",
  type: "g6-nanode-1",
  engine: "mysql/8.0.30",
  ...(backup === undefined ? {} : { restoreFromBackupId: backup }),
});

export const snapshotOfWeb = new nodecloud.NodeBackupSnapshot("release-1", { nodeId: web.id }).id;
export const backupOfShop = new nodecloud.MysqlDatabaseBackup("release-1", { databaseId: shop.id }).id;
