import * as pulumi from "@pulumi/pulumi";
import { type Domain, DomainRecordSet, type DomainRecordSetRecord, type Node } from "../../src";

declare const zone: Domain;
declare const web: Node;

const www: DomainRecordSetRecord = { type: "A", name: "www", target: "192.0.2.1" };
const set = new DomainRecordSet("zone", { domainId: zone.id, records: [www, { type: "TXT", target: "x" }] });
new DomainRecordSet("keyed", { domainId: 12, records: { www, mail: { type: "MX", priority: 10 } } });
new DomainRecordSet("file", { domainId: "12", zoneFile: "www A 192.0.2.1\n", exclusive: true });
new DomainRecordSet("part", {
  domainId: zone.id,
  subdomain: "dev",
  records: [{ type: "A", name: "dev", target: web.ipv4.apply((addresses) => addresses[0] ?? "") }],
});
new DomainRecordSet("output", { domainId: zone.id, records: pulumi.output([www]) });
export const text: pulumi.Output<string> = set.records;
DomainRecordSet.get("other", "12/dev");

// @ts-expect-error -- the set belongs to a domain
new DomainRecordSet("zone", { records: [www] });
// @ts-expect-error -- a record has a type
new DomainRecordSet("zone", { domainId: 12, records: [{ name: "www" }] });
// @ts-expect-error -- the domain is that of the set
new DomainRecordSet("zone", { domainId: 12, records: [{ type: "A", domainId: 12 }] });
// @ts-expect-error -- SOA is not a type of records
new DomainRecordSet("zone", { domainId: 12, records: { top: { type: "SOA" } } });
// @ts-expect-error -- a zone file is text
new DomainRecordSet("zone", { domainId: 12, zoneFile: [www] });
