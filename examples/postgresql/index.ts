import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

const clients = new pulumi.Config().requireObject<string[]>("clients");

const db = new nodecloud.PostgresqlDatabase("db", {
  region: "us-east",
  type: "g6-nanode-1",
  engine: "postgresql/14.6",
  allowList: clients,
  // The database counts as created when its port accepts a connection from here.
  readyWhen: { tcp: true },
});

export const host = db.hosts.primary;
export const port = db.port;
export const allowed = db.allowList;
