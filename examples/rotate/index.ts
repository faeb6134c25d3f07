import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

const shop = new nodecloud.MysqlDatabase("shop", {
  region: "us-east",
  type: "g6-nanode-1",
  engine: "mysql/8.0.30",
  // Any other text makes a new password.
  credentialsResetTrigger: new pulumi.Config().require("passwordOf"),
});

export const host = shop.hosts.primary;
export const username = shop.rootUsername;
export const password = shop.rootPassword;
