import { z } from "zod";
import { openEnum } from "../../src/api/schema";

/** Minimal descriptions with everything that generation reads. */

const field =
  (change: unknown) =>
  (schema: unknown, options: Record<string, unknown> = {}) => ({ schema, change, ...options });
const [replace, update, setting] = [field("replace"), field("update"), field("none")];
const output = (schema: unknown, doc: string) => ({ schema, doc });

const facts = new WeakMap<object, object>();
const group = <Tree extends object>(own: object, tree: Tree): Tree => {
  facts.set(tree, own);
  return tree;
};
export const groupFacts = (tree: object): object | undefined => facts.get(tree);

const id = z.string().regex(/^\d+$/);

const machine = {
  type: "Machine",
  noun: "machine",
  doc: "A machine.",
  example: `const web = new nodecloud.Machine("web", { region: "us-east" });`,
  id: { form: "123" },
  autoname: { path: "label", max: 64 },
  notTogether: ["label", "group"],
  unique: "label",
  lossOfData: "the disks are lost",
  warnings: (changed: (path: string) => boolean, { isKept }: { readonly isKept?: unknown }) => [
    ...(changed("isKept") && isKept !== true ? [{ line: "the backups are deleted", loses: true }] : []),
    ...(changed("restore.backupId") ? [{ line: "the restore erases the disks", loses: true }] : []),
    ...(changed("note") ? [{ line: "the note is public" }] : []),
  ],
  fields: {
    region: replace(z.string(), { doc: "Id of the region, such as `us-east`.", required: true }),
    label: update(z.string().min(3).max(64), { doc: "Name in the account.", example: "web" }),
    copies: replace(
      z.union([z.literal(1).meta({ title: "OneCopy" }), z.literal(2).meta({ title: "TwoCopies" })]),
      { doc: "Number of copies.", default: 1 },
    ),
    size: update(z.string(), {
      doc: "Id of its type.",
      required: true,
      changeDoc: "resizes the machine",
      interrupts: { line: "the machine stops for the resize" },
    }),
    resize: setting(z.enum(["in-place", "replace"]), {
      doc: "What a change of `size` does.",
      removed: "nothing",
      notSent: true,
      omittedDoc: '`"in-place"`',
    }),
    password: replace(z.string().min(7).max(128), {
      doc: "Password of the root user.",
      secret: true,
      removed: "stays",
      omittedDoc: "a generated one",
    }),
    swap: replace(z.int(), { doc: "Size of the swap disk in MB.", default: 512 }),
    tags: update(z.array(z.string()), {
      doc: "Tags. Order is ignored.",
      default: [],
      interrupts: { line: "nothing finds the machine", to: [] },
    }),
    isKept: update(z.boolean(), { doc: "Whether its backups are kept.", removed: "stays" }),
    note: update(z.string().max(100).nullable(), { doc: "A note.", default: null }),
    group: update(z.string(), { doc: "A group.", deprecated: "Use tags.", removed: "stays" }),
    tier: replace(z.enum(["small", "large"]), { doc: "Its tier.", required: true }),
    data: replace(z.record(z.string(), z.unknown()), { doc: "Any fields.", removed: "stays" }),
    backupId: replace(id, { doc: "Id of a backup.", compare: "id", removed: "stays" }),
    interfaces: replace(
      z
        .array(
          z
            .strictObject({
              purpose: openEnum(["public", "vlan"]).meta({
                description: "What it is for.",
              }) as unknown as z.ZodType,
              label: z
                .string()
                .max(10)
                .optional()
                .meta({ description: "Name of the VLAN.", examples: ["lan"] }),
            })
            .meta({ title: "MachineInterface", description: "A network interface." }),
        )
        .max(3),
      { doc: "Network interfaces.", removed: "stays" },
    ),
    alerts: group(
      { type: "MachineAlerts", doc: "Levels that raise an alert." },
      {
        cpu: update(z.int().min(0).max(255), { doc: "Level of the CPU.", removed: "stays" }),
        io: update(z.int(), { doc: "Level of the disks.", removed: "stays" }),
      },
    ),
    backups: group(
      { type: "MachineBackups", doc: "The backup service." },
      { day: update(z.string(), { doc: "Day of the backups.", removed: "stays" }) },
    ),
    restore: group(
      { type: "MachineRestore", doc: "A backup to restore.", requires: ["backupId"] },
      { backupId: update(id, { doc: "Id of the backup.", compare: "id", removed: "forgotten" }) },
    ),
  },
  outputs: {
    status: output(openEnum(["running", "offline"]), "Status of the machine."),
    password: output(z.string().optional(), "The password, given or generated."),
    backups: output(
      z
        .looseObject({
          enabled: z.boolean().describe("Whether the service is on."),
          last_successful: z.string().nullish().describe("Time of the last backup."),
        })
        .meta({ title: "MachineBackups", description: "The backup service." }),
      "The backup service.",
    ),
    token: output(z.string(), "Token of the console."),
    disks: output(
      z.array(
        z
          .object({ size: z.int().describe("Size of the disk.") })
          .meta({ title: "MachineDisk", description: "A disk." }),
      ),
      "The disks.",
    ),
  },
  secretOutputs: ["token"],
};

const zone = {
  type: "Zone",
  noun: "zone",
  doc: "A zone.",
  example: "",
  argsDoc: "What its type needs is required.",
  id: { form: "123" },
  variants: {
    by: "type",
    common: { name: "CommonZoneArgs", doc: "The inputs of all zones." },
    cases: [
      { name: "ClonedZoneArgs", doc: "A clone.", requires: ["cloneFrom"] },
      { name: "AnyZoneArgs", doc: "A zone whose type is an output.", isOutput: true },
      { name: "MainZoneArgs", doc: "A zone of its own.", is: ["main"], requires: ["email"] },
      { name: "CopyZoneArgs", doc: "A copy.", is: ["copy"], requires: ["servers"] },
    ],
  },
  fields: {
    zone: update(z.string(), { doc: "Its name.", required: true }),
    type: update(z.enum(["main", "copy"]), { doc: "Type of the zone.", required: true }),
    email: update(z.string(), { doc: "Address of the administrator.", removed: "stays" }),
    servers: update(z.array(z.string()), { doc: "Servers to copy.", default: [] }),
    cloneFrom: replace(id, { doc: "Zone to clone.", compare: "id", removed: "stays" }),
  },
  outputs: {},
  readOperation: { reply: z.looseObject({ servers: z.array(z.string()) }) },
};

const record = {
  type: "ZoneRecord",
  noun: "record",
  doc: "A record.",
  example: "",
  id: { form: "zoneId/recordId" },
  variants: {
    by: "type",
    common: { name: "CommonRecordArgs", doc: "The inputs of all records." },
    apart: { name: "RecordPlaceArgs", doc: "The zone of a record.", paths: ["zoneId"] },
    union: { name: "ZoneRecordSetRecord", doc: "One record of a set." },
    value: { name: "RecordValue", doc: "A record within an output." },
    cases: [
      { name: "PlainRecordArgs", doc: "A plain record.", is: ["A", "TXT"] },
      { name: "MxRecordArgs", doc: "A mail exchange.", is: ["MX"], takes: ["priority"] },
      { name: "SrvRecordArgs", doc: "A server.", is: ["SRV"], requires: ["priority", "port"] },
      {
        name: "AnyRecordArgs",
        doc: "A record whose type is an output.",
        isOutput: true,
        takes: ["priority", "port"],
      },
    ],
  },
  fields: {
    zoneId: replace(id, { doc: "Id of the zone.", required: true, compare: "id" }),
    type: replace(z.enum(["A", "TXT", "MX", "SRV"]), { doc: "Type of the record.", required: true }),
    target: update(z.string(), { doc: "Its data.", required: "atCreation" }),
    priority: update(z.int().min(0).max(255), { doc: "Lower is preferred.", removed: "replace" }),
    port: update(z.int().min(0).max(65535), { doc: "Port of the service.", removed: "replace" }),
    ttlSec: update(z.int(), {
      doc: "Time to live in seconds.",
      removed: "replace",
      omittedDoc: "the service's own",
    }),
  },
  outputs: { created: output(z.string(), "Time of its creation.") },
};

const given = "pulumi.Input<ZoneRecordSetRecord> | pulumi.Output<RecordValue>";
const records = {
  type: "ZoneRecordSet",
  noun: "record set",
  doc: "Many records.",
  example: "",
  id: { form: "zoneId" },
  property: "records",
  forms: ["records", "zoneFile"],
  variants: {
    common: { name: "CommonRecordSetArgs", doc: "The inputs of all sets." },
    cases: [
      { name: "EmptyRecordSetArgs", doc: "No records.", unset: ["records"] },
      { name: "FileRecordSetArgs", doc: "A zone file.", requires: ["zoneFile"] },
      { name: "ListRecordSetArgs", doc: "A list.", requires: ["records"] },
    ],
  },
  fields: {
    zoneId: replace(id, { doc: "Id of the zone.", required: true, compare: "id" }),
    records: update(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]), {
      doc: "The records.",
      removed: "refused",
      accepts: `pulumi.Output<RecordValue[]> | pulumi.Input<readonly (${given})[] | Record<string, ${given}>>`,
    }),
    zoneFile: update(z.string(), { doc: "The records as text.", removed: "refused" }),
  },
  outputs: { records: output(z.string(), "The records as text, a line for each.") },
};

const picture = {
  type: "Picture",
  doc: "A picture.",
  noun: "picture",
  example: "",
  id: { form: "123" },
  derived: { sourceHash: {} },
  fields: {
    source: setting(z.string().min(1), {
      doc: "A file to upload.",
      removed: "stays",
      accepts: "string | pulumi.asset.FileAsset",
    }),
    sourceHash: replace(z.string(), { doc: "SHA-256 of the file.", removed: "nothing" }),
  },
  outputs: { sourceHash: output(z.string().optional(), "SHA-256 of the file, in hexadecimal.") },
};

export const descriptions = {
  Machine: machine,
  Picture: picture,
  Zone: zone,
  ZoneRecord: record,
  ZoneRecordSet: records,
};
