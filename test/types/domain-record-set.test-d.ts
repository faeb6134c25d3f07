import * as pulumi from "@pulumi/pulumi";
import {
  type CommonDomainRecordSetArgs,
  type Domain,
  DomainRecordSet,
  type DomainRecordSetArgs,
  type DomainRecordSetRecord,
  type Node,
} from "../../src";
import * as plugin from "../../src/plugin";

declare const zone: Domain;
declare const web: Node;

const www: DomainRecordSetRecord = { type: "A", name: "www", target: "192.0.2.1" };
const set = new DomainRecordSet("zone", { domainId: zone.id, records: [www, { type: "TXT", target: "x" }] });
new DomainRecordSet("keyed", {
  domainId: 12,
  records: { www, mail: { type: "MX", target: "mx.example.org", priority: 10 } },
});
new DomainRecordSet("file", { domainId: "12", zoneFile: "www A 192.0.2.1\n", exclusive: true });
new DomainRecordSet("part", {
  domainId: zone.id,
  subdomain: "dev",
  records: [{ type: "A", name: "dev", target: web.ipv4.apply((addresses) => addresses[0] ?? "") }],
});
new DomainRecordSet("output", { domainId: zone.id, records: pulumi.output([www]) });
new DomainRecordSet("outputs", {
  domainId: zone.id,
  records: [
    pulumi.output(www),
    web.ipv4.apply(([address = ""]) => ({ type: "A", target: address })),
    { ...www },
  ],
});
new DomainRecordSet("later", {
  domainId: zone.id,
  records: web.ipv4.apply((addresses) => addresses.map((address) => ({ type: "A", target: address }))),
});

/** Records can be computed from data. Their type must be a literal: in the list itself, with `as const`, or with `satisfies`. */
const names = ["one", "two"];
const written = { domainId: 12, records: names.map((name) => ({ type: "A", name, target: "192.0.2.1" })) };
new DomainRecordSet("in place", {
  domainId: 12,
  records: names.map((name) => ({ type: "A", name, target: "192.0.2.1" })),
});
const constants = names.map((name) => ({ type: "A" as const, name, target: "192.0.2.1" }));
new DomainRecordSet("constants", { domainId: 12, records: constants });
const checked = names.map((name) => ({ type: "MX", name, target: "mx" }) satisfies DomainRecordSetRecord);
new DomainRecordSet("checked", { domainId: 12, records: checked });
const declared: DomainRecordSetRecord[] = names.map((name) => ({ type: "TXT", name, target: "x" }));
new DomainRecordSet("declared", { domainId: 12, records: [...declared, ...constants] });
const frozen = [{ type: "A", name: "www", target: "192.0.2.1" }] as const;
new DomainRecordSet("frozen", { domainId: 12, records: frozen });
new DomainRecordSet("frozen by key", { domainId: 12, records: { www: frozen[0] } as const });
/** A program can assert that an external table contains records. The preview checks it. */
declare const table: { name: string; type: string; target: string; priority?: number }[];
new DomainRecordSet("table", { domainId: 12, records: table as DomainRecordSetRecord[] });

// @ts-expect-error -- a string may not be a record type
new DomainRecordSet("written", written);
// @ts-expect-error -- the same applies to a table
new DomainRecordSet("table", { domainId: 12, records: table });
// @ts-expect-error -- an address has no priority
new DomainRecordSet("zone", { domainId: 12, records: [{ type: "A", target: "192.0.2.1", priority: 10 }] });
// @ts-expect-error -- SRV requires more inputs
new DomainRecordSet("zone", { domainId: 12, records: { sip: { type: "SRV", target: "sip.example.org" } } });
// @ts-expect-error -- a record has a target
new DomainRecordSet("zone", { domainId: 12, records: [{ type: "MX", priority: 10 }] });
export const lines: pulumi.Output<string> = set.records;
DomainRecordSet.get("other", "12/dev");

// @ts-expect-error -- the set belongs to a domain
new DomainRecordSet("zone", { records: [www] });
// @ts-expect-error -- a record has a type
new DomainRecordSet("zone", { domainId: 12, records: [{ name: "www" }] });
// @ts-expect-error -- the domain is that of the set
new DomainRecordSet("zone", { domainId: 12, records: [{ type: "A", target: "192.0.2.1", domainId: 12 }] });
// @ts-expect-error -- SOA is not a type of records
new DomainRecordSet("zone", { domainId: 12, records: { top: { type: "SOA", target: "x" } } });
// @ts-expect-error -- a zone file is text
new DomainRecordSet("zone", { domainId: 12, zoneFile: [www] });

/** A set has one form of records, which the program may choose. */
declare const text: string | undefined;
new DomainRecordSet("one", { domainId: 12, records: [www], zoneFile: undefined });
new DomainRecordSet("other", {
  domainId: 12,
  records: undefined,
  zoneFile: pulumi.output("@ A 192.0.2.1\n"),
});
new DomainRecordSet("promised", { domainId: 12, zoneFile: Promise.resolve("@ A 192.0.2.1\n") });
new DomainRecordSet(
  "either",
  text === undefined ? { domainId: 12, records: [www] } : { domainId: 12, zoneFile: text },
);
const whole = { exclusive: true };
const setOf = (more: Partial<CommonDomainRecordSetArgs> = {}): DomainRecordSetArgs => ({
  ...whole,
  domainId: zone.id,
  records: [www],
  ...more,
});
new DomainRecordSet("helped", setOf({ subdomain: "dev" }));
new DomainRecordSet("helped", { ...setOf(), exclusive: false });
interface SiteArgs extends CommonDomainRecordSetArgs {
  readonly site: string;
}
export const siteOf = ({ site, ...args }: SiteArgs): DomainRecordSet =>
  new DomainRecordSet(site, { ...args, zoneFile: `${site} A 192.0.2.1\n` });

// @ts-expect-error -- a set has records
new DomainRecordSet("none", { domainId: 12 });
// @ts-expect-error -- a set has records or a zone file
new DomainRecordSet("both", { domainId: 12, records: [www], zoneFile: "www A 192.0.2.1\n" });
// @ts-expect-error -- the same applies to outputs
new DomainRecordSet("both", { domainId: 12, records: pulumi.output([www]), zoneFile: pulumi.output("") });
// @ts-expect-error -- records that a condition may leave out
new DomainRecordSet("maybe", { domainId: 12, zoneFile: text });
// @ts-expect-error -- the same applies to a value
export const both: DomainRecordSetArgs = { domainId: 12, records: [www], zoneFile: "www A 192.0.2.1\n" };
// @ts-expect-error -- the set of the full plugin has records
new plugin.DomainRecordSet("none", { domainId: 12 });
// @ts-expect-error -- a set of the full plugin has records or a zone file
new plugin.DomainRecordSet("both", { domainId: 12, records: [www], zoneFile: "www A 192.0.2.1\n" });

declare const missing: pulumi.Output<string | undefined>;
/** An error in one record of a list is reported at that record, and not at others. */
new DomainRecordSet("at its line", {
  domainId: 12,
  records: [
    { type: "CNAME", name: "www", target: "example.org" },
    // @ts-expect-error -- the target may be missing
    { type: "A", target: missing, ttlSec: 300 },
    { type: "A", name: "db", target: "192.0.2.1", ttlSec: 300 },
  ],
});
