import { z } from "zod";
import { NODE_STATUSES, nodeClone, nodeCreate, nodeUpdate } from "../../api/nodes";
import { openEnum } from "../../api/schema";
import { output } from "../../provider/describe/define-resource";
import { group, replace, setting, update, updateOrReplace } from "../../provider/describe/fields";
import { idOf } from "./ids";
import { base64Text, publicKey, size, tag, userName } from "./input-problems";
import { nodeReady, nodeTurn, UNSENT } from "./ready-when";
import { valuesOf } from "./values-of";

const { shape } = nodeCreate;

const toBase64 = (text: unknown) => Buffer.from(String(text)).toString("base64");
const lastNumber = (path: unknown) => Number(String(path).split("/").at(-1));

const backupId = z
  .string()
  .regex(/^([1-9]\d*\/)?[1-9]\d*$/, "must be the id of a backup (a whole number, or nodeId/backupId)");

const networkInterface = z
  .strictObject({
    purpose: openEnum(["public", "vlan"]).meta({
      description: "The purpose of the interface.",
      examples: ["vlan"],
    }),
    label: z
      .string()
      .optional()
      .meta({ description: "The label of the interface.", examples: ["backend"] }),
    ipamAddress: z
      .string()
      .optional()
      .meta({ description: "The IPAM address of the interface.", examples: ["10.0.0.1/24"] }),
  })
  .meta({
    title: "NodeInterface",
    description: "A network interface. Its position in the list selects the interface on the node.",
  });

/** The alert levels of a node, as inputs. */
const alerts = {
  cpu: update(z.int(), { doc: "The alert level of the CPU.", example: 90, removed: "stays" }),
  io: update(z.int(), { doc: "The alert level of I/O.", example: 10_000, removed: "stays" }),
  networkIn: update(z.int(), { doc: "The alert level of incoming traffic.", example: 10, removed: "stays" }),
  networkOut: update(z.int(), { doc: "The alert level of outgoing traffic.", example: 10, removed: "stays" }),
  transferQuota: update(z.int(), {
    doc: "The alert level of the transfer quota.",
    example: 80,
    removed: "stays",
  }),
};

/** The inputs of a node. */
export const nodeFields = {
  region: replace(shape.region, {
    doc: "The id of the region, such as `us-east`.",
    example: "us-east",
    required: true,
  }),
  type: updateOrReplace(
    shape.type,
    { path: "resize", value: "replace" },
    {
      doc: "The id of the node's type (its plan), such as `g6-standard-1`.",
      example: "g6-standard-1",
      required: true,
      changeDoc: 'resizes the node in place, or replaces it with `resize: "replace"`',
      replaceReason: 'and resize: "replace" asks for a new node',
      interrupts: { line: "the node is not available during the resize" },
    },
  ),
  resize: setting(z.enum(["in-place", "replace"]), {
    doc: "What a change of `type` does: `in-place` resizes the node, `replace` creates a new one.",
    example: "replace",
    omittedDoc: '`"in-place"`',
  }),
  label: update(shape.label, { doc: "The label of the node, for display only.", example: "web" }),
  group: update(shape.group, {
    doc: "A group label.",
    example: "shop",
    deprecated: "The API has deprecated it.",
    removed: "stays",
  }),
  tags: update(shape.tags, {
    doc: "Tags for organization. Order is ignored. Only an unrestricted user may set them.",
    example: ["production"],
    compare: "set",
    default: [],
    problem: tag,
  }),
  image: replace(shape.image, {
    doc: "The id of the image to deploy from, such as `node/debian12` or `private/12`.",
    example: "node/debian12",
    removed: "stays",
  }),
  rootPass: replace(shape.root_pass, {
    doc: "The root password of a node that is deployed from an image or a StackScript.",
    example: "replace this password",
    omittedDoc: "a generated password if the node has an image",
    secret: true,
    removed: "stays",
  }),
  authorizedKeys: replace(shape.authorized_keys, {
    doc: "Public SSH keys for the root user of a node that is deployed from an image or a StackScript.",
    example: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5Jr3K5mqoFQg8d8JvLqPBoKc7rSJkkhBvEzGBTYv0D"],
    problem: publicKey,
    removed: "stays",
  }),
  authorizedUsers: replace(shape.authorized_users, {
    doc: "Names of users whose SSH keys the root user gets. Each user must have an SSH key in the profile.",
    example: ["ops"],
    problem: userName,
    removed: "stays",
  }),
  swapSize: replace(shape.swap_size, {
    doc: "The size of the swap disk. The API reference does not show its unit. The service uses it only for a deployment from an image.",
    example: 1024,
    default: 512,
    problem: size,
  }),
  stackscriptId: replace(shape.stackscript_id, {
    doc: "The id of a StackScript to run during deployment. It requires a compatible image.",
    example: 123,
    removed: "stays",
  }),
  stackscriptData: replace(shape.stackscript_data, {
    doc: "The user-defined fields of the StackScript, at most 65535 characters as JSON. Required if the StackScript needs them.",
    example: { hostname: "www.example.org" },
    secret: true,
    opaque: true,
    removed: "stays",
  }),
  backupId: replace(backupId, {
    doc: "The id of a backup of another node to create this node from: a number, or the id of a NodeBackupSnapshot. The type must be large enough for the backup.",
    example: "123/456",
    compare: "id",
    encode: lastNumber,
    removed: "stays",
  }),
  cloneFrom: replace(idOf("a node"), {
    doc: "The id of a node to clone. The service copies its tags. If that node has user data, `metadata` or `userData` is required.",
    compare: "id",
    copies: true,
    notSent: true,
    removed: "stays",
  }),
  disks: replace(nodeClone.shape.disks, {
    doc: "The ids of the disks to clone. Only with `cloneFrom`.",
    example: [123],
    omittedDoc: "all disks",
    compare: "set",
    removed: "stays",
  }),
  configs: replace(nodeClone.shape.configs, {
    doc: "The ids of the configuration profiles to clone. Only with `cloneFrom`.",
    example: [123],
    omittedDoc: "all configuration profiles",
    compare: "set",
    removed: "stays",
  }),
  restoreFromBackup: group(
    {
      type: "NodeRestore",
      requires: ["backupId"],
      doc: "A backup to restore to this node, also right after its creation. To create a node from a backup, use `backupId`.",
    },
    {
      backupId: update(backupId, {
        doc: "The id of a backup of any node in the region: `nodeId/backupId`, which is the id of a NodeBackupSnapshot. A number alone is a backup of this node.",
        example: "123/456",
        changeDoc: "restores the backup",
        compare: "id",
        action: true,
        removed: "forgotten",
      }),
      overwrite: update(z.boolean(), {
        doc: "Whether to delete all disks and configuration profiles of the node first. Otherwise the restore adds the disks of the backup.",
        omittedDoc: "`false`",
        omitted: false,
        changeDoc: "restores the backup",
        action: true,
        removed: "forgotten",
      }),
    },
  ),
  backupsEnabled: update(shape.backups_enabled, {
    doc: "Whether the backup service is on. Turning it off deletes all backups of the node for good.",
    removed: "stays",
  }),
  backups: group(
    { type: "NodeBackups", doc: "The settings of the backup service." },
    {
      schedule: group(
        {
          type: "NodeBackupSchedule",
          doc: "The schedule of the backups. The API reference does not list its values.",
        },
        {
          day: update(z.string(), {
            doc: "The day of the backups, such as `Saturday`.",
            example: "Saturday",
            removed: "stays",
          }),
          window: update(z.string(), {
            doc: "The time window of the backups, as a code such as `W22`.",
            example: "W22",
            removed: "stays",
          }),
        },
      ),
    },
  ),
  booted: update(shape.booted, {
    doc: "Whether the node should run. With `true`, a stopped node is drift, and the next `up` boots it. The API has no operation to stop a node.",
    omittedDoc: "`true` at creation; afterwards the power state is unmanaged",
    changeDoc: "to `true` boots the node; a change to `false` is refused",
    removed: "stays",
  }),
  bootConfigId: setting(z.int(), {
    doc: "The id of the configuration profile to use when `booted` boots a stopped node.",
    example: 123,
    omittedDoc: "the only profile, or the last booted one",
  }),
  readyWhen: nodeReady,
  turn: nodeTurn,
  drainSec: update(z.int().min(0).max(604_800), {
    doc: "How long `pulumi up` keeps the node before it deletes it, in seconds: the old node of a replacement, or one that was removed from the program. In this time clients forget its address, so it is at least the TTL of the records that led to it. `pulumi destroy` does not wait.",
    ...UNSENT,
    example: 600,
    default: 0,
  }),
  privateIp: replace(shape.private_ip, {
    doc: "Whether the node gets a private IPv4 address and private networking.",
    removed: "stays",
  }),
  interfaces: replace(z.array(networkInterface).max(3), {
    doc: "The network interfaces. An empty list gives the node only a public interface. Without an interface with the purpose `public`, the node still gets public addresses, but you must configure them on the node before you can use them.",
    removed: "stays",
  }),
  metadata: group(
    { type: "NodeMetadata", doc: "The metadata of the node." },
    {
      userData: replace(z.base64(), {
        doc: "A cloud-config in base64. It requires an image with the capability `cloud-init` and a region with the capability `Metadata`.",
        example: "I2Nsb3VkLWNvbmZpZwpwYWNrYWdlczogW25naW54XQo=",
        secret: true,
        wire: "metadata.user_data",
        problem: base64Text,
        removed: "stays",
      }),
    },
  ),
  userData: replace(z.string(), {
    doc: "The cloud-config as plain text, in place of `metadata.userData`. The provider encodes it in base64.",
    example: "#cloud-config\npackages: [nginx]\n",
    secret: true,
    wire: "metadata.user_data",
    encode: toBase64,
    removed: "stays",
  }),
  alerts: group(
    {
      type: "NodeAlerts",
      doc: "The alert levels of the node. The API reference shows neither their meaning nor their units.",
    },
    alerts,
  ),
  watchdogEnabled: update(nodeUpdate.shape.watchdog_enabled, {
    doc: "Whether a watchdog boots the node again after an unexpected power-off. It stops after more than 5 boots within 15 minutes.",
    removed: "stays",
  }),
};

/** The outputs of a node that differ from its inputs. */
export const nodeOutputs = {
  label: output(z.string(), "The label of the node."),
  tags: output(z.array(z.string()), "The tags of the node."),
  rootPass: output(
    z.string().optional(),
    "The root password, set or generated. Undefined for an imported node.",
  ),
  status: output(openEnum(NODE_STATUSES), "The status of the node. The service may add other values."),
  booted: output(z.boolean(), "Whether the node runs."),
  backupsEnabled: output(z.boolean(), "Whether the backup service is on."),
  backups: output(
    z
      .object({
        available: z.boolean().optional().describe("Whether a backup is available."),
        enabled: z.boolean().describe("Whether the backup service is on."),
        lastSuccessful: z
          .string()
          .optional()
          .describe("When the last successful backup was taken: `YYYY-MM-DDThh:mm:ss`."),
        schedule: z
          .object({
            day: z.string().optional().describe("The day of the backups."),
            window: z.string().optional().describe("The time window of the backups."),
          })
          .optional()
          .meta({ title: "NodeBackupSchedule", description: "The schedule of the backups." }),
      })
      .meta({ title: "NodeBackups", description: "The backup service of a node." }),
    "The backup service of the node.",
  ),
  alerts: output(
    valuesOf(alerts).meta({ title: "NodeAlerts", description: "The alert levels of the node." }),
    "The alert levels of the node.",
  ),
  watchdogEnabled: output(
    z.boolean(),
    "Whether a watchdog boots the node again after an unexpected power-off.",
  ),
  hypervisor: output(z.string(), "The hypervisor that runs the node."),
  hostUuid: output(z.string().optional(), "The UUID of the host that runs the node."),
  hasUserData: output(z.boolean(), "Whether the node was created with metadata user data."),
  ipv4: output(
    z.array(z.string()),
    "The IPv4 addresses: the public one, and the private one if the node has it.",
  ),
  ipv6: output(z.string().optional(), "The IPv6 (SLAAC) address."),
  specs: output(
    z
      .object({
        disk: z.int().describe("The size of the disk."),
        gpus: z.int().describe("The number of GPUs."),
        memory: z.int().describe("The size of the memory."),
        transfer: z.int().describe("The transfer of the type. The API reference does not show its meaning."),
        vcpus: z.int().describe("The number of virtual CPUs."),
      })
      .meta({
        title: "NodeSpecs",
        description: "The sizes of a node's type. The API reference does not show their units.",
      }),
    "The sizes of the node's type. The API reference does not show their units.",
  ),
  created: output(z.string(), "When the node was created: `YYYY-MM-DDThh:mm:ss`."),
  updated: output(z.string(), "When the node was last updated: `YYYY-MM-DDThh:mm:ss`."),
};
