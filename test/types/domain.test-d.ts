import * as pulumi from "@pulumi/pulumi";
import { Domain } from "../../src";

const domain = new Domain("zone", {
  domain: pulumi.output("example.org"),
  type: "master",
  soaEmail: "dns@example.org",
  masterIps: [pulumi.output("192.0.2.1")],
  ttlSec: 300,
  cloneFrom: 12,
});
export const name: pulumi.Output<string> = domain.domain;
export const note: pulumi.Output<string | undefined> = domain.description;
export const tags: pulumi.Output<string[]> = domain.tags;
new Domain("copy", { domain: "copy.example", type: "slave", cloneFrom: domain.id }, { protect: true });
Domain.get("other", "12");
Domain.get("another", domain.id, { parent: domain });

// @ts-expect-error -- a domain has a type
new Domain("zone", { domain: "example.org" });
// @ts-expect-error -- there are two types of domains
new Domain("zone", { domain: "example.org", type: "primary" });
// @ts-expect-error -- seconds are a number
new Domain("zone", { domain: "example.org", type: "master", ttlSec: "300" });
// @ts-expect-error -- names are in camel case
new Domain("zone", { domain: "example.org", type: "master", soa_email: "dns@example.org" });
// @ts-expect-error -- outputs are not to be assigned
domain.domain = pulumi.output("example.net");
