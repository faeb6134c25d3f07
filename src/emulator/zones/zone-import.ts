import { type z } from "zod";
import { MAX_RECORDS, domainRecordCreate } from "../../api/records";
import { transferZone } from "./axfr";
import { type Authority, type Data } from "./dns-messages";
import { type Name, formatName, nameKey, parseName, withinZone } from "./dns-names";
import { type DomainFields } from "../kinds/domain";
import { invalid } from "../base/refusal";
import { readBody } from "../operations/validation";
import { NAMESERVERS } from "./zone";

type Create = z.output<typeof domainRecordCreate>;

const SERVICE_NAMESERVERS = new Set(NAMESERVERS.map((name) => nameKey(parseName(name) ?? [])));

/** The mail address in an SOA. The first label of the name is the part before the at sign (RFC 1035, 8). */
const emailOf = ([local, ...host]: Name): string | undefined =>
  local && host.length > 0 ? `${local.toString()}@${formatName(host)}` : undefined;

function fieldsFrom(soa: Authority, ttl: number, zone: Name): Partial<DomainFields> {
  return {
    soa_email: emailOf(soa.contact) ?? `hostmaster@${formatName(zone)}`,
    refresh_sec: soa.refresh,
    retry_sec: soa.retry,
    expire_sec: soa.expire,
    ttl_sec: ttl,
  };
}

/** The name of a record below the zone. `_sip._tcp.pbx` is split into service, protocol and name. */
function placeOf(own: Name, type: string) {
  const [service, protocol] = own.map(
    (label) => /^_[^_]/.test(label.toString()) && label.toString().slice(1),
  );
  const isService = type === "SRV" && Boolean(service && protocol);
  const rest = isService ? own.slice(2) : own;
  return {
    ...(rest.length > 0 && { name: formatName(rest) }),
    ...(isService && { service, protocol }),
  };
}

/** A record as the body of a creation. Refuses a record that the service cannot store unchanged. */
function recordFrom(owner: Name, zone: Name, ttl: number, { target, ...data }: Data): Create {
  const own = withinZone(owner, zone);
  if (!own) throw invalid("remote_nameserver", `sent a record of another zone: ${formatName(owner)}`);
  const record = {
    ...data,
    ...placeOf(own, data.type),
    target: typeof target === "string" ? target : formatName(target),
    ttl_sec: ttl,
  };
  const { sound, reasons } = readBody(domainRecordCreate, record);
  if (reasons.length === 0) return sound as Create;
  const why = reasons.map(({ field, reason }) => `${field}: ${reason}`).join("; ");
  throw invalid(
    "remote_nameserver",
    `has a record that the service cannot store: ${data.type} ${formatName(owner)}, ${why}`,
  );
}

/** Whether a record names one of the service's nameservers. The zone file contains them in any case. */
function isOfService(own: Name | undefined, { type, target }: Data): boolean {
  const isApex = own?.length === 0;
  return isApex && type === "NS" && typeof target !== "string" && SERVICE_NAMESERVERS.has(nameKey(target));
}

/** Fetches a whole zone from its nameserver: the fields of the domain, and its records. Throws a refusal. */
export async function importZone(domain: string, nameserver: string) {
  const zone = parseName(domain);
  if (!zone) throw invalid("domain", "is not a domain name");
  const records: Create[] = [];
  let fields: Partial<DomainFields> = {};
  for await (const { owner, ttl, data } of transferZone(zone, nameserver)) {
    if (data?.type === "SOA") fields = fieldsFrom(data, ttl, zone);
    else if (data && !isOfService(withinZone(owner, zone), data)) {
      records.push(recordFrom(owner, zone, ttl, data));
      if (records.length > MAX_RECORDS) {
        throw invalid("remote_nameserver", `has more than the ${MAX_RECORDS} records that a domain can have`);
      }
    }
  }
  return { fields, records };
}
