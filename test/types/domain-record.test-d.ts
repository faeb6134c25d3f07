import * as pulumi from "@pulumi/pulumi";
import { type Domain, DomainRecord } from "../../src";

declare const zone: Domain;

const record = new DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
new DomainRecord("mail", { domainId: 12, type: "MX", target: "mx.example.org", priority: 10 });
new DomainRecord("ca", { domainId: "12", type: pulumi.output("CAA" as const), tag: "issue" });
export const target: pulumi.Output<string | undefined> = record.target;
export const ttl: pulumi.Output<number> = record.ttlSec;
DomainRecord.get("other", pulumi.interpolate`${zone.id}/34`);

// @ts-expect-error -- a record belongs to a domain
new DomainRecord("www", { type: "A", target: "192.0.2.1" });
// @ts-expect-error -- SOA is not a type of records
new DomainRecord("www", { domainId: 12, type: "SOA" });
// @ts-expect-error -- there are three tags
new DomainRecord("www", { domainId: 12, type: "CAA", tag: "issued" });
// @ts-expect-error -- the domain's id, not the domain
new DomainRecord("www", { domainId: zone, type: "A" });
// @ts-expect-error -- the id of a record is a text
DomainRecord.get("other", 34);
