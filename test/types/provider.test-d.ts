import * as pulumi from "@pulumi/pulumi";
import { Domain, Provider } from "../../src";

const provider = new Provider("staging", {
  token: pulumi.secret("token"),
  baseUrl: "https://api.example/v4",
});
new Provider("from the configuration");
new Provider("limited", { maxConcurrency: pulumi.output(4) });
new Provider("ci", { resume: true });
const zone = { domain: "example.org", type: "master", soaEmail: "dns@example.org" } as const;
new Domain("zone", zone, { provider });

// @ts-expect-error -- this setting does not exist
new Provider("staging", { region: "us-east" });
// @ts-expect-error -- a provider is an object
new Domain("zone", zone, { provider: "staging" });
// @ts-expect-error -- a number of requests is a number
new Provider("limited", { maxConcurrency: "4" });
