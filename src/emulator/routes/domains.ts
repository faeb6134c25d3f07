import { domains } from "../../api/domains";
import { addressFaults } from "../operations/checks";
import { roundedTtl } from "../../api/records";
import { addRecord } from "../zones/records";
import { zonesOf } from "../zones/rendered";
import { renderZone } from "../zones/zone";
import { importZone } from "../zones/zone-import";
import { defaultHandlers } from "../operations/default-handlers";
import { type Checks, type Handlers, byId, endpoints } from "../operations/endpoint";
import { type Store } from "../kind/kind";
import { type DomainEntity, type DomainFields, domain } from "../kinds/domain";
import { record } from "../kinds/record";
import { type Reason, reasonsIf, refuseFor } from "../base/refusal";
import { withoutUndefined } from "../operations/values";

/** The fields of a domain that a request has. */
type Sent = { [Field in keyof DomainFields]?: DomainFields[Field] | undefined };

function missingFaults({ type, soa_email, master_ips }: Sent): Reason[] {
  return reasonsIf(
    [type === "master" && !soa_email, "soa_email", "is required for a master domain"],
    [type === "slave" && !master_ips?.length, "master_ips", "is required for a slave domain"],
  );
}

/** Whether a body has one of the fields that only one type of domain requires. */
const asksForRequired = ({ type, soa_email, master_ips }: Sent) =>
  type !== undefined || soa_email !== undefined || master_ips !== undefined;

/** Letters, digits and hyphens (RFC 1035, 2.3.1), and the underscores that zones of services begin with. */
const LABEL = /^(?!-)[a-z0-9_-]+(?<!-)$/i;

function isDomainName(name: string): boolean {
  return name
    .replace(/\.$/, "")
    .split(".")
    .every((label) => LABEL.test(label));
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");
  return plain(one) === plain(other);
}

function nameFaults(store: Store, name: string | undefined, but?: DomainEntity): Reason[] {
  if (name === undefined) return [];
  if (!isDomainName(name)) return [{ field: "domain", reason: "is not a domain name as of RFC 1035" }];
  const all = store.table(domain).all();
  const isTaken = all.some((other) => other !== but && sameName(other.fields.domain, name));
  return reasonsIf([isTaken, "domain", "is taken: a domain exists once on the whole platform"]);
}

function faults(store: Store, sent: Sent, subject?: DomainEntity): Reason[] {
  return [
    ...nameFaults(store, sent.domain, subject),
    ...(asksForRequired(sent) ? missingFaults({ ...subject?.fields, ...withoutUndefined(sent) }) : []),
    ...addressFaults("master_ips", sent.master_ips),
    ...addressFaults("axfr_ips", sent.axfr_ips),
  ];
}

function checksOf(store: Store): Checks<typeof domains, DomainEntity> {
  return {
    create: ({ body }) => faults(store, body),
    import: ({ body }) => nameFaults(store, body.domain),
    update: ({ subject, body }) => faults(store, body, subject),
    clone: ({ body }) => nameFaults(store, body.domain),
  };
}

function handlersOf(store: Store): Handlers<typeof domains, DomainEntity> {
  const records = store.table(record);
  const defaults = defaultHandlers(store, domain);
  const create = ({ status = "active", ...sent }: Sent & Pick<DomainFields, "domain" | "type">) =>
    defaults.create({ body: { status, ...sent } });
  return {
    ...defaults,
    create: ({ body }) => create(body),
    async import({ body: { domain: name, remote_nameserver } }) {
      const zone = await importZone(name, remote_nameserver);
      // The name may have been taken during the transfer.
      refuseFor(nameFaults(store, name));
      const imported = create({ ...zone.fields, domain: name, type: "master" });
      for (const { type, ttl_sec = 0, ...rest } of zone.records) {
        addRecord(store, imported.id, { ...withoutUndefined(rest), type, ttl_sec: roundedTtl(ttl_sec) });
      }
      return imported;
    },
    clone({ subject, body }) {
      const clone = create({ ...structuredClone(subject.fields), domain: body.domain });
      for (const { fields } of records.of(subject.id)) addRecord(store, clone.id, fields);
      return clone;
    },
    getZoneFile({ subject }) {
      const rendered = zonesOf(store).of(subject.id);
      return { zone_file: rendered ? renderZone(rendered) : [] };
    },
  };
}

const UPDATE_DEFAULTS = { status: "active", master_ips: [], axfr_ips: [], tags: [] };

export const routes = {
  domains: (store: Store) =>
    endpoints(domains, byId(store.table(domain)), handlersOf(store), checksOf(store), UPDATE_DEFAULTS),
};
