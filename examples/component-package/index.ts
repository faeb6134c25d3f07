import * as pulumi from "@pulumi/pulumi";
import { Site } from "@example/site";

const config = new pulumi.Config();

const shop = new Site("shop", { domain: "component-package.example", image: config.require("image") });

export const url = shop.url;
