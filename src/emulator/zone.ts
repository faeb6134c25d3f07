import { type DomainFields, type RecordFields } from "./objects";

/** What the service would serve where a time is left at 0; the reference does not show it. */
const DEFAULTS = { refresh_sec: 14_400, retry_sec: 14_400, expire_sec: 1_209_600, ttl_sec: 86_400 };

const NAMESERVERS = ["ns1.nodecloud.example.", "ns2.nodecloud.example."];

/** A name with its closing dot. */
function absolute(name: string): string {
  return name.endsWith(".") ? name : `${name}.`;
}

function quoted(text: string): string {
  const parts = text.match(/[\s\S]{1,255}/g) ?? [""];
  return parts.map((part) => `"${part.replace(/[\\"]/g, "\\$&")}"`).join(" ");
}

function dataOf(record: RecordFields): string {
  switch (record.type) {
    case "MX":
      return `${record.priority} ${absolute(record.target)}`;
    case "SRV":
      return `${record.priority} ${record.weight} ${record.port} ${absolute(record.target)}`;
    case "CAA":
      return `0 ${record.tag ?? ""} ${quoted(record.target)}`;
    case "TXT":
      return quoted(record.target);
    case "NS":
    case "CNAME":
    case "PTR":
      return absolute(record.target);
    default:
      return record.target;
  }
}

function ownerOf({ name, service, protocol, type }: RecordFields): string {
  const underscored = (label: string) => (label.startsWith("_") ? label : `_${label}`);
  const labels = type === "SRV" && service && protocol ? [service, protocol].map(underscored) : [];
  return [...labels, ...(name === "" ? [] : [name])].join(".") || "@";
}

/** The lines of the zone file; none for a domain that is disabled or kept elsewhere. */
export function renderZone(domain: DomainFields, records: readonly RecordFields[]): string[] {
  if (domain.status === "disabled" || domain.type === "slave") return [];
  const ttl = domain.ttl_sec || DEFAULTS.ttl_sec;
  const times = [
    domain.refresh_sec || DEFAULTS.refresh_sec,
    domain.retry_sec || DEFAULTS.retry_sec,
    domain.expire_sec || DEFAULTS.expire_sec,
    ttl,
  ];
  const contact = absolute((domain.soa_email ?? "").replace("@", "."));
  return [
    `; ${domain.domain} [${domain.id}]`,
    `$ORIGIN ${absolute(domain.domain)}`,
    `$TTL ${ttl}`,
    `@ IN SOA ${NAMESERVERS[0]} ${contact} ${domain.id} ${times.join(" ")}`,
    ...NAMESERVERS.map((server) => `@ IN NS ${server}`),
    ...records.map((record) =>
      [ownerOf(record), ...(record.ttl_sec ? [record.ttl_sec] : []), "IN", record.type, dataOf(record)].join(
        " ",
      ),
    ),
  ];
}
