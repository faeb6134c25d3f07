import type * as pulumi from "@pulumi/pulumi";
import { PostgresqlDatabase } from "../../src";

const base = { region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6" };
const database = new PostgresqlDatabase("app", {
  ...base,
  replicationType: "asynch",
  replicationCommitType: "remote_apply",
});
export const commit: pulumi.Output<string> = database.replicationCommitType;

// @ts-expect-error -- only MySQL has it
new PostgresqlDatabase("app", { ...base, replicationType: "semi_synch" });
// @ts-expect-error -- there are five kinds of commits
new PostgresqlDatabase("app", { ...base, replicationCommitType: "remote" });
// @ts-expect-error -- the API shows no operation for the credentials
new PostgresqlDatabase("app", { ...base, credentialsResetTrigger: 1 });
// @ts-expect-error -- and so no password
export const password = database.rootPassword;
