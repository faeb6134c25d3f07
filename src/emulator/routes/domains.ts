import { domains } from "../../api/domains";
import { byId, endpoints } from "../endpoint";
import { type DomainEntity, type DomainFields, type Store } from "../objects";
import { addRecord, nearestTtl } from "../records";
import { type Reason, invalid, refuseFor } from "../refusal";
import { given } from "../values";
import { renderZone } from "../zone";
import { importZone } from "../zone-import";

/** The fields of a new domain, as far as they are given. */
type Sent = Pick<DomainFields, "domain" | "type"> & {
  [Field in keyof DomainFields]?: DomainFields[Field] | undefined;
};

function refuseIncomplete({ type, soa_email, master_ips }: DomainFields): void {
  const reasons: Reason[] = [];
  if (type === "master" && !soa_email) {
    reasons.push({ field: "soa_email", reason: "is required for a master domain" });
  }
  if (type === "slave" && master_ips.length === 0) {
    reasons.push({ field: "master_ips", reason: "is required for a slave domain" });
  }
  refuseFor(reasons);
}

export function domainEndpoints(store: Store) {
  const { domains: table, records } = store;

  function refuseTaken(name: string, but?: DomainEntity): void {
    const taken = table.all().some((other) => other !== but && sameName(other.fields.domain, name));
    if (taken) throw invalid("domain", "is taken: a domain exists once on the whole platform");
  }

  function create(sent: Sent): DomainEntity {
    refuseTaken(sent.domain);
    const fields: DomainFields = {
      id: 0,
      status: "active",
      description: null,
      group: null,
      soa_email: null,
      master_ips: [],
      axfr_ips: [],
      expire_sec: 0,
      refresh_sec: 0,
      retry_sec: 0,
      ttl_sec: 0,
      tags: [],
      ...given(sent),
      domain: sent.domain,
      type: sent.type,
    };
    refuseIncomplete(fields);
    fields.id = store.nextId();
    return table.insert(fields.id, fields, {});
  }

  return endpoints(domains, byId(table), {
    list: () => table.all().map(({ fields }) => fields),
    create: ({ body }) => create(body).fields,
    async import({ body: { domain: name, remote_nameserver } }) {
      refuseTaken(name);
      const zone = await importZone(name, remote_nameserver);
      const domain = create({ ...zone.fields, domain: name, type: "master" });
      for (const { type, ttl_sec = 0, ...record } of zone.records) {
        addRecord(store, domain.id, { ...given(record), type, ttl_sec: nearestTtl(ttl_sec) });
      }
      return domain.fields;
    },
    get: ({ subject }) => subject.fields,
    update({ subject, body }) {
      if (body.domain !== undefined) refuseTaken(body.domain, subject);
      const changes = given(body);
      refuseIncomplete({ ...subject.fields, ...changes });
      table.change(subject, changes);
      return subject.fields;
    },
    delete({ subject }) {
      table.remove(subject.id);
      return {};
    },
    clone({ subject, body }) {
      const clone = create({ ...structuredClone(subject.fields), domain: body.domain });
      for (const { fields } of records.of(subject.id)) addRecord(store, clone.id, fields);
      return clone.fields;
    },
    getZoneFile: ({ subject }) => ({
      zone_file: renderZone(
        subject.fields,
        records.of(subject.id).map(({ fields }) => fields),
      ),
    }),
  });
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");
  return plain(one) === plain(other);
}
