import { z } from "zod";
import { LAST_MOMENT } from "./clock";
import {
  type DatabaseBackupFields,
  type DatabaseBackupHidden,
  type DatabaseFields,
  type DatabaseHidden,
  type DomainFields,
  type ImageFields,
  type ImageHidden,
  type NodeBackupFields,
  type NodeFields,
  type NodeHidden,
  type RecordFields,
} from "./objects";
import { invalid } from "./refusal";
import { type Entity, mergeInto } from "./store";
import { parseBody } from "./validation";

/** The type of each field of an object, shown or hidden: one that is missing does not compile. */
type Types<Fields extends object> = { readonly [Field in keyof Omit<Fields, "id">]-?: z.ZodType };

const text = z.string();
const flag = z.boolean();
const whole = z.int();
const moment = z.number().min(0).max(LAST_MOMENT);
const disk = z.object({ label: text, size: whole, filesystem: text });

const node = {
  ...{ label: text, group: text, region: text, type: text, image: text.nullable(), status: text },
  ...{ hypervisor: text, created: text, updated: text, host_uuid: text, has_user_data: flag },
  ...{ ipv4: z.array(text), ipv6: text.nullable(), tags: z.array(text), watchdog_enabled: flag },
  specs: z.object({ disk: whole, gpus: whole, memory: whole, transfer: whole, vcpus: whole }),
  alerts: z.object({
    ...{ cpu: whole, io: whole, network_in: whole, network_out: whole, transfer_quota: whole },
  }),
  backups: z.object({
    ...{ available: flag, enabled: flag, last_successful: text.nullable() },
    schedule: z.object({ day: text.nullable(), window: text.nullable() }),
  }),
  disks: z.array(disk.extend({ id: whole, status: text })),
  configs: z.array(z.object({ id: whole, label: text })),
  last_booted_config: whole.nullable(),
  clones_end: z.array(moment),
  vlan_attached: flag,
  auto_backups_until: moment,
  watchdog_boots: z.array(moment),
} satisfies Types<NodeFields & NodeHidden>;

const nodeBackup = {
  ...{ available: flag, configs: z.array(text), created: text, finished: text.nullable(), updated: text },
  ...{ disks: z.array(disk), label: text.nullable(), status: text, type: z.enum(["auto", "snapshot"]) },
} satisfies Types<NodeBackupFields>;

const database = {
  ...{ label: text, engine: z.enum(["mysql", "postgresql"]), version: text, region: text, type: text },
  ...{ status: text, cluster_size: whole, encrypted: flag, ssl_connection: flag, allow_list: z.array(text) },
  ...{ port: whole, created: text, updated: text, replication_type: text },
  hosts: z.object({ primary: text.nullable(), secondary: text.nullable() }),
  updates: z.object({
    ...{ day_of_week: whole, duration: whole, frequency: text, hour_of_day: whole },
    week_of_month: whole.nullable(),
  }),
  replication_commit_type: text.optional(),
  ...{ root_password: text, credentials_were_reset: flag, auto_backups_until: moment },
} satisfies Types<DatabaseFields & DatabaseHidden>;

const databaseBackup = {
  ...{ created: text, label: text, type: z.enum(["auto", "snapshot"]), listed_from: moment },
} satisfies Types<DatabaseBackupFields & DatabaseBackupHidden>;

const domain = {
  ...{ domain: text, type: z.enum(["master", "slave"]), status: text, description: text.nullable() },
  ...{ group: text.nullable(), soa_email: text.nullable(), tags: z.array(text) },
  ...{ master_ips: z.array(text), axfr_ips: z.array(text) },
  ...{ expire_sec: whole, refresh_sec: whole, retry_sec: whole, ttl_sec: whole },
} satisfies Types<DomainFields>;

const record = {
  ...{ type: text, name: text, target: text, priority: whole, weight: whole, port: whole },
  ...{ service: text.nullable(), protocol: text.nullable(), tag: text.nullable(), ttl_sec: whole },
  ...{ created: text, updated: text },
} satisfies Types<RecordFields>;

const image = {
  ...{ label: text, description: text.nullable(), capabilities: z.array(text), created: text },
  ...{ updated: text, created_by: text, deprecated: flag, eol: text.nullable(), expiry: text.nullable() },
  ...{ is_public: flag, size: whole, status: text, type: z.enum(["manual", "automatic"]) },
  vendor: text.nullable(),
  ...{ upload_key: text.nullable(), upload_bytes: whole.nullable(), upload_sha256: text.nullable() },
} satisfies Types<ImageFields & ImageHidden>;

const STORED: Readonly<Record<string, z.ZodType>> = {
  nodes: z.looseObject(node),
  nodeBackups: z.looseObject(nodeBackup),
  mysql: z.looseObject(database),
  postgresql: z.looseObject(database),
  databaseBackups: z.looseObject(databaseBackup),
  domains: z.looseObject(domain),
  records: z.looseObject(record),
  images: z.looseObject(image),
};

/**
 * Refuses a patch after which an object could not be worked with: of a wrong type, or with another id. Any value of the
 * type passes, and so do fields that the API does not have.
 */
export function requireFitting(
  kind: string,
  { fields, hidden }: Entity,
  patch: Readonly<Record<string, unknown>>,
): void {
  if ("id" in patch && !("id" in fields && fields.id === patch["id"])) {
    throw invalid("id", "cannot be changed");
  }
  const after = structuredClone({ ...fields, ...hidden });
  for (const [field, value] of Object.entries(patch)) mergeInto(after, field, value);
  const schema = STORED[kind];
  if (schema) parseBody(schema, after);
}
