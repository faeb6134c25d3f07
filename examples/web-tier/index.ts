import * as pulumi from "@pulumi/pulumi";
import { WebTier } from "./webTier";

const config = new pulumi.Config();

const tier = new WebTier(
  "web",
  {
    domain: config.require("domain"),
    soaEmail: config.require("soaEmail"),
    region: config.require("region"),
    nodeType: config.require("nodeType"),
    nodeCount: config.getNumber("nodeCount"),
    databaseType: config.require("databaseType"),
    databaseStandby: config.getBoolean("databaseStandby"),
    backups: config.getBoolean("backups"),
    tags: [pulumi.getProject(), pulumi.getStack()],
  },
  // The component's children inherit `protect`.
  { protect: config.getBoolean("protect") },
);

export const url = tier.url;
export const nodeAddresses = tier.addresses;
export const databaseName = tier.databaseName;
export const databaseUser = tier.database.rootUsername;
export const databasePassword = tier.database.rootPassword;
