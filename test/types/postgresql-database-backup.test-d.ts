import type * as pulumi from "@pulumi/pulumi";
import { type PostgresqlDatabase, PostgresqlDatabaseBackup } from "../../src";

declare const database: PostgresqlDatabase;

const backup = new PostgresqlDatabaseBackup("before", {
  databaseId: database.id,
  target: "secondary",
  triggers: { release: 7, of: ["any", { kind: 1 }] },
});
new PostgresqlDatabaseBackup("named", { databaseId: 12, label: "before" });
export const created: pulumi.Output<string> = backup.created;
export const type: pulumi.Output<string> = PostgresqlDatabaseBackup.get("theirs", "12/345").type;

// @ts-expect-error -- a backup belongs to a database
new PostgresqlDatabaseBackup("before", { label: "before" });
// @ts-expect-error -- there are two targets
new PostgresqlDatabaseBackup("before", { databaseId: 12, target: "tertiary" });
// @ts-expect-error -- arguments are required
new PostgresqlDatabaseBackup("before");
