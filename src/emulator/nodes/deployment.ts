import { type z } from "zod";
import { type nodeCreate } from "../../api/nodes";
import { randomUuid } from "../store/chance";
import { specsOf } from "../operations/catalogue";
import { loopbackAddress } from "../operations/loopback";
import { type Store } from "../kind/kind";
import { type NodeFields } from "../kinds/node";

/** An address in the documentation ranges (RFC 5737), or after these in the benchmark range (RFC 2544). */
function publicAddress(serial: number): string {
  const ranges = ["192.0.2", "198.51.100", "203.0.113"];
  const perRange = 254;
  const range = ranges[Math.floor(serial / perRange)];
  if (range !== undefined) return `${range}.${(serial % perRange) + 1}`;
  const rest = (serial - ranges.length * perRange) % 2 ** 17;
  return `198.${18 + (rest >> 16)}.${(rest >> 8) & 255}.${rest & 255}`;
}

const privateAddress = (serial: number): string => `192.168.${128 + ((serial >> 8) & 127)}.${serial & 255}`;

/** An address in the form of SLAAC, in the documentation prefix (RFC 3849). */
function slaacAddress(serial: number): string {
  const [high, low] = [serial >>> 16, serial & 0xffff].map((part) => part.toString(16));
  return `2001:db8::f03c:91ff:${high}:${low}/128`;
}

/** The fields of a creation or of a clone that a new node shows. */
type Given = "region" | "type" | "label" | "group" | "tags" | "metadata" | "backups_enabled" | "private_ip";
type Body = Pick<z.output<typeof nodeCreate>, Given> & { readonly image: string | null };

/** A weekday and a window as in the samples of the reference. The reference does not list the values. */
const SCHEDULE = { day: "Saturday", window: "W22" };

/** The backup service of a node before the first backup. */
export const backupService = {
  on: () => ({ available: false, enabled: true, last_successful: null, schedule: { ...SCHEDULE } }),
  off: () => ({
    available: false,
    enabled: false,
    last_successful: null,
    schedule: { day: null, window: null },
  }),
};

/** The fields of a new node. */
export function newNode(store: Store, body: Body): NodeFields {
  const id = store.nextId();
  const created = store.clock.date();
  return {
    id,
    label: body.label ?? `node${id}`,
    group: body.group ?? "",
    region: body.region,
    type: body.type,
    image: body.image,
    status: "offline",
    hypervisor: "kvm",
    created,
    updated: created,
    host_uuid: randomUuid(store.randomBytes),
    has_user_data: body.metadata !== undefined,
    ipv4: [
      loopbackAddress(store, id) ?? publicAddress(id),
      ...(body.private_ip ? [loopbackAddress(store, id, 1) ?? privateAddress(id)] : []),
    ],
    ipv6: slaacAddress(id),
    specs: specsOf(body.type),
    alerts: { cpu: 90, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: body.backups_enabled ? backupService.on() : backupService.off(),
    tags: [...(body.tags ?? [])],
    watchdog_enabled: true,
  };
}
