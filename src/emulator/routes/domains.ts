import { domains } from "../../api/domains";
import { addressFaults } from "../checks";
import { byId, endpoints } from "../endpoint";
import { type DomainEntity, type DomainFields, type Store } from "../objects";
import { addRecord, nearestTtl } from "../records";
import { type Reason, refuseFor } from "../refusal";
import { shownAs } from "../store";
import { given } from "../values";
import { renderZone } from "../zone";
import { importZone } from "../zone-import";

/** The fields of a domain, as far as they are given. */
type Sent = { [Field in keyof DomainFields]?: DomainFields[Field] | undefined };

function missingFaults({ type, soa_email, master_ips }: Sent): Reason[] {
  if (type === "master" && !soa_email) {
    return [{ field: "soa_email", reason: "is required for a master domain" }];
  }
  if (type === "slave" && !master_ips?.length) {
    return [{ field: "master_ips", reason: "is required for a slave domain" }];
  }
  return [];
}

/** Whether a body says anything of the fields that one type of domain requires. */
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

export function domainEndpoints(store: Store) {
  const { domains: table, records } = store;

  function nameFaults(name: string | undefined, but?: DomainEntity): Reason[] {
    if (name === undefined) return [];
    if (!isDomainName(name)) return [{ field: "domain", reason: "is not a domain name as of RFC 1035" }];
    const isTaken = table.all().some((other) => other !== but && sameName(other.fields.domain, name));
    return isTaken
      ? [{ field: "domain", reason: "is taken: a domain exists once on the whole platform" }]
      : [];
  }

  function faults(sent: Sent, subject?: DomainEntity): Reason[] {
    return [
      ...nameFaults(sent.domain, subject),
      ...(asksForRequired(sent) ? missingFaults({ ...subject?.fields, ...given(sent) }) : []),
      ...addressFaults("master_ips", sent.master_ips),
      ...addressFaults("axfr_ips", sent.axfr_ips),
    ];
  }

  function create(sent: Sent & Pick<DomainFields, "domain" | "type">): DomainEntity {
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
    fields.id = store.nextId();
    return table.insert(fields.id, fields, {});
  }

  return endpoints(
    domains,
    byId(table),
    {
      list: () => shownAs(table.all(), ({ fields }) => fields),
      create: ({ body }) => create(body).fields,
      async import({ body: { domain: name, remote_nameserver } }) {
        const zone = await importZone(name, remote_nameserver);
        // The name may have been taken during the transfer.
        refuseFor(nameFaults(name));
        const domain = create({ ...zone.fields, domain: name, type: "master" });
        for (const { type, ttl_sec = 0, ...record } of zone.records) {
          addRecord(store, domain.id, { ...given(record), type, ttl_sec: nearestTtl(ttl_sec) });
        }
        return domain.fields;
      },
      get: ({ subject }) => subject.fields,
      update({ subject, body }) {
        table.change(subject, given(body));
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
    },
    {
      create: ({ body }) => faults(body),
      import: ({ body }) => nameFaults(body.domain),
      update: ({ subject, body }) => faults(body, subject),
      clone: ({ body }) => nameFaults(body.domain),
    },
    { status: "active", master_ips: [], axfr_ips: [], tags: [] },
  );
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");
  return plain(one) === plain(other);
}
