import type * as pulumi from "@pulumi/pulumi";
import { MysqlDatabase } from "../../src";

const base = { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };
const database = new MysqlDatabase("app", {
  ...base,
  clusterSize: 3,
  replicationType: "semi_synch",
  allowList: ["192.0.2.0/24"],
  updates: { dayOfWeek: 1, frequency: "weekly" },
  credentialsResetTrigger: 1,
  patchTrigger: "2026-01",
  restoreFromBackupId: "12/34",
});
export const host: pulumi.Output<string> = database.hosts.primary;
export const standby: pulumi.Output<string | undefined> = database.hosts.apply(({ secondary }) => secondary);
export const password: pulumi.Output<string> = database.rootPassword;
export const port: pulumi.Output<number> = database.port;

// @ts-expect-error -- a database has an engine
new MysqlDatabase("app", { region: "us-east", type: "g6-standard-1" });
// @ts-expect-error -- a cluster has one node or three
new MysqlDatabase("app", { ...base, clusterSize: 2 });
// @ts-expect-error -- only PostgreSQL has it
new MysqlDatabase("app", { ...base, replicationCommitType: "local" });
// @ts-expect-error -- a trigger is a plain value
new MysqlDatabase("app", { ...base, patchTrigger: {} });
