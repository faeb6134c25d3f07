import type * as pulumi from "@pulumi/pulumi";
import { type MysqlDatabase, MysqlDatabaseBackup } from "../../src";

declare const database: MysqlDatabase;

const backup = new MysqlDatabaseBackup("before", {
  databaseId: database.id,
  target: "secondary",
  triggers: { release: 7, of: ["any", { kind: 1 }] },
});
new MysqlDatabaseBackup("named", { databaseId: 12, label: "before" });
export const created: pulumi.Output<string> = backup.created;
export const type: pulumi.Output<string> = MysqlDatabaseBackup.get("theirs", "12/345").type;

// @ts-expect-error -- a backup belongs to a database
new MysqlDatabaseBackup("before", { label: "before" });
// @ts-expect-error -- there are two targets
new MysqlDatabaseBackup("before", { databaseId: 12, target: "tertiary" });
// @ts-expect-error -- arguments are required
new MysqlDatabaseBackup("before");
