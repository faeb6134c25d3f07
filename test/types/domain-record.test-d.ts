import * as pulumi from "@pulumi/pulumi";
import {
  type CommonRecordArgs,
  type Domain,
  DomainRecord,
  type DomainRecordArgs,
  type DomainRecordSetRecord,
} from "../../src";

declare const zone: Domain;

const record = new DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
new DomainRecord("mail", { domainId: 12, type: "MX", target: "mx.example.org", priority: 10 });
new DomainRecord("ca", {
  domainId: "12",
  type: pulumi.output("CAA" as const),
  tag: "issue",
  target: "ca.example",
});
export const target: pulumi.Output<string | undefined> = record.target;
export const ttl: pulumi.Output<number> = record.ttlSec;
DomainRecord.get("other", pulumi.interpolate`${zone.id}/34`);

const sip = { type: "SRV", service: "_sip", protocol: "_tcp", target: "sip.example.org" } as const;
new DomainRecord("sip", { ...sip, domainId: zone.id, priority: 1, weight: 2, port: pulumi.output(5060) });
new DomainRecord("later", { domainId: 12, type: record.type, target: "x", priority: 10 });
new DomainRecord("promised", { domainId: 12, type: Promise.resolve("TXT"), target: "x" });

/** Helper functions can compose inputs, also those of one of several types. */
const addressOf = (
  family: "A" | "AAAA",
  address: pulumi.Input<string>,
  more: Partial<CommonRecordArgs> = {},
) => new DomainRecord("address", { domainId: zone.id, type: family, target: address, ...more });
addressOf("AAAA", pulumi.output("2001:db8::1"), { ttlSec: 300 });
const inZone = (name: string, args: DomainRecordSetRecord) =>
  new DomainRecord(name, { ttlSec: 300, ...args, domainId: zone.id });
inZone("mail", { type: "MX", target: "mx.example.org", priority: 10 });
const all: DomainRecordArgs[] = [{ domainId: 12, type: "CAA", target: "ca.example", tag: "iodef" }];
for (const args of all) new DomainRecord("one", args);

// @ts-expect-error -- a record has a target
new DomainRecord("www", { domainId: 12, type: "A" });
// @ts-expect-error -- an address has no priority
new DomainRecord("www", { domainId: 12, type: "A", target: "192.0.2.1", priority: 10 });
// @ts-expect-error -- a mail exchange has no port
new DomainRecord("mail", { domainId: 12, type: "MX", target: "mx.example.org", port: 25 });
// @ts-expect-error -- SRV requires a port
new DomainRecord("sip", { ...sip, domainId: 12, priority: 1, weight: 2 });
// @ts-expect-error -- CAA requires a tag
new DomainRecord("ca", { domainId: 12, type: "CAA", target: "ca.example" });
// @ts-expect-error -- a record belongs to a domain
new DomainRecord("www", { type: "A", target: "192.0.2.1" });
// @ts-expect-error -- SOA is not a type of records
new DomainRecord("www", { domainId: 12, type: "SOA", target: "x" });
// @ts-expect-error -- there are three tags
new DomainRecord("www", { domainId: 12, type: "CAA", target: "ca.example", tag: "issued" });
// @ts-expect-error -- the domain's id, not the domain
new DomainRecord("www", { domainId: zone, type: "A", target: "192.0.2.1" });
// @ts-expect-error -- the id of a record is a string
DomainRecord.get("other", 34);
