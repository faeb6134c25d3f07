import * as pulumi from "@pulumi/pulumi";
import { Domain, type DomainArgs, type MasterDomainArgs } from "../../src";

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

new Domain("imported", { domain: "example.net", type: "master", importFrom: "ns1.example.net" });
new Domain("mirror", { domain: "example.net", type: "slave", masterIps: ["192.0.2.1"] });

/** Programs and helper functions can compose inputs, and the domain's type can be known only at runtime. */
const common = { ttlSec: 300, tags: ["a"] };
const zoneOf = (name: string, more: Partial<MasterDomainArgs> = {}): DomainArgs => ({
  ...common,
  domain: name,
  type: "master",
  soaEmail: `dns@${name}`,
  ...more,
});
new Domain("helped", { ...zoneOf("example.net"), description: "of a helper" });
declare const kind: "master" | "slave";
new Domain("either", { domain: "example.net", type: pulumi.output(kind), soaEmail: "dns@example.net" });
new Domain("later", { ...common, domain: "example.net", type: domain.type });
new Domain("promised", { ...common, domain: "example.net", type: Promise.resolve("slave") });

// @ts-expect-error -- a master has an address in its SOA record
new Domain("zone", { domain: "example.org", type: "master" });
// @ts-expect-error -- a slave has servers to copy
new Domain("zone", { domain: "example.org", type: "slave" });
// @ts-expect-error -- a domain has a type
new Domain("zone", { domain: "example.org" });
// @ts-expect-error -- there are two types of domains
new Domain("zone", { domain: "example.org", type: "primary" });
// @ts-expect-error -- seconds are a number
new Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org", ttlSec: "300" });
// @ts-expect-error -- names are in camel case
new Domain("zone", { domain: "example.org", type: "master", soa_email: "dns@example.org" });
// @ts-expect-error -- outputs are read-only
domain.domain = pulumi.output("example.net");
