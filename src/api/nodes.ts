import { z } from "zod";
import { crud } from "./crud";
import { op, typed } from "./operation";
import { dateTime, empty, lenient, openEnum } from "./schema";
import { type Empty } from "./types/common";
import {
  type Node,
  type NodeBoot,
  type NodeClone,
  type NodeCreate,
  type NodeResize,
  type NodeUpdate,
} from "./types/nodes";

export type { Node } from "./types/nodes";

/** How many clones of one node can run at a time. */
export const MAX_CONCURRENT_CLONES = 5;

/** The statuses of a node in the reference. */
export const NODE_STATUSES = [
  "running",
  "offline",
  "booting",
  "rebooting",
  "shutting_down",
  "provisioning",
  "deleting",
  "migrating",
  "rebuilding",
  "cloning",
  "restoring",
  "stopped",
] as const;

/**
 * Usage levels at which the service raises an alert. Their units are not documented.
 * @internal
 */
export const nodeAlertLevels = z.object({
  /** The alert level of the CPU. */
  cpu: z.int().optional(),
  /** The alert level of I/O. */
  io: z.int().optional(),
  /** The alert level of incoming traffic. */
  network_in: z.int().optional(),
  /** The alert level of outgoing traffic. */
  network_out: z.int().optional(),
  /** The alert level of the transfer quota. */
  transfer_quota: z.int().optional(),
});

/**
 * When the backup service takes backups. Its values are not documented.
 * @internal
 */
export const nodeBackupTimes = z.object({
  /** Day of the backups, such as `Saturday`. */
  day: z.string().nullable().optional(),
  /** Window in which the backups are taken, such as `W22`. */
  window: z.string().nullable().optional(),
});

const label = z.string().min(3).max(64);
const tags = z.array(z.string());
/**
 * Metadata of a new node.
 * @internal
 */
export const nodeMetadata = z.object({
  /** A cloud-config, encoded as base64. */
  user_data: z.base64(),
});

/**
 * A node instance: a virtual machine.
 * @internal
 */
export const node = z.looseObject({
  id: z.int(),
  /** Name in the account. */
  label: z.string(),
  /** A group label. @deprecated The API has deprecated it. */
  group: lenient(z.string()),
  /** Region id, such as `us-east`. */
  region: z.string(),
  /** Type id, such as `g6-standard-1`. */
  type: z.string(),
  /** Id of the image from which the node was deployed. */
  image: z.string().nullish(),
  /** Status of the node. */
  status: openEnum(NODE_STATUSES),
  /** Hypervisor that the node runs on. */
  hypervisor: lenient(z.string()),
  /** Time of creation, `YYYY-MM-DDThh:mm:ss`. */
  created: lenient(dateTime),
  /** Time of the last change, `YYYY-MM-DDThh:mm:ss`. */
  updated: lenient(dateTime),
  /** UUID of the machine that the node runs on. */
  host_uuid: lenient(z.string()),
  /** Whether the node was created with metadata user data. */
  has_user_data: lenient(z.boolean()),
  /** The public address, and the private address if the node has one. */
  ipv4: lenient(z.array(z.string())),
  /** IPv6 address with its prefix length. */
  ipv6: lenient(z.string()),
  /** The sizes of the node's type. Their units are not documented. */
  specs: lenient(
    z.looseObject({
      /** The size of the disk. */
      disk: lenient(z.int()),
      /** Number of GPUs. */
      gpus: lenient(z.int()),
      /** Size of the memory. */
      memory: lenient(z.int()),
      /** The transfer. */
      transfer: lenient(z.int()),
      /** Number of virtual CPUs. */
      vcpus: lenient(z.int()),
    }),
  ),
  /** The alert levels of the node. The API reference shows neither their meaning nor their units. */
  alerts: z.looseObject(nodeAlertLevels.shape).nullish(),
  /** The backup service of the node. */
  backups: z
    .looseObject({
      /** Whether a backup can be restored. */
      available: lenient(z.boolean()),
      /** Whether the backup service is on. */
      enabled: z.boolean(),
      /** Time of the last backup that succeeded, `YYYY-MM-DDThh:mm:ss`. */
      last_successful: lenient(dateTime),
      /** When the backups are taken. */
      schedule: z.looseObject(nodeBackupTimes.shape).nullish(),
    })
    .nullish(),
  /** Tags of the node. */
  tags: z.array(z.string()).nullish(),
  /** Whether the service reboots the node after an unexpected power-off. */
  watchdog_enabled: z.boolean().nullish(),
});

/**
 * Body of the creation of a node.
 * @internal
 */
export const nodeCreate = z.object({
  /** Region id, such as `us-east`. */
  region: z.string(),
  /** Type id, such as `g6-standard-1`. */
  type: z.string(),
  label: label.optional(),
  /** A group label. @deprecated The API has deprecated it. */
  group: z.string().optional(),
  tags: tags.optional(),
  /** Image id to deploy from, such as `node/debian12` or `private/12`. */
  image: z.string().optional(),
  /** Root password. */
  root_pass: z.string().min(7).max(128).optional(),
  /** Public SSH keys for the root user. */
  authorized_keys: z.array(z.string()).optional(),
  /** Users of the account whose SSH keys are added to the root user. */
  authorized_users: z.array(z.string()).optional(),
  /** Size of the swap disk in MB. Only for a node with an image. */
  swap_size: z.int().optional(),
  /** Id of a StackScript to run. */
  stackscript_id: z.int().optional(),
  /** User-defined fields of the StackScript, at most 65535 characters of JSON. */
  stackscript_data: z
    .record(z.string(), z.json())
    .refine((data) => JSON.stringify(data).length <= 65_535, "must have at most 65535 characters as JSON")
    .optional(),
  /** Id of another node's backup to create the node from. */
  backup_id: z.int().optional(),
  backups_enabled: z.boolean().optional(),
  booted: z.boolean().optional(),
  /** Whether the node gets a private IPv4 address. */
  private_ip: z.boolean().optional(),
  /** The order of the list is the order on the node. */
  interfaces: z
    .array(
      z.object({
        /** `public` and `vlan` are known. */
        purpose: z.string(),
        label: z.string().nullable().optional(),
        ipam_address: z.string().nullable().optional(),
      }),
    )
    .max(3)
    .optional(),
  metadata: nodeMetadata.optional(),
});

/**
 * Body of a node update.
 * @internal
 */
export const nodeUpdate = z.object({
  alerts: nodeAlertLevels.optional(),
  backups: z.object({ schedule: nodeBackupTimes.optional() }).optional(),
  /** A group label. @deprecated The API has deprecated it. */
  group: z.string().nullable().optional(),
  label: label.optional(),
  /** Only an unrestricted user can set tags. */
  tags: tags.optional(),
  /** Whether the service reboots the node after an unexpected power-off. */
  watchdog_enabled: z.boolean().optional(),
});

/**
 * Body of node cloning. With `node_id` it clones onto an existing node, otherwise it creates a node.
 * @internal
 */
export const nodeClone = z.object({
  node_id: z.int().optional(),
  /** Region id, for a new node. */
  region: z.string().optional(),
  /** Type id, for a new node. */
  type: z.string().optional(),
  label: label.optional(),
  /** A group label. @deprecated The API has deprecated it. */
  group: z.string().optional(),
  backups_enabled: z.boolean().optional(),
  /** Whether the new node gets a private IPv4 address. */
  private_ip: z.boolean().optional(),
  /** Ids of the disks to clone. @default all of them */
  disks: z.array(z.int()).optional(),
  /** Ids of the configuration profiles to clone. @default all of them */
  configs: z.array(z.int()).optional(),
  metadata: nodeMetadata.optional(),
});

/**
 * Body of a boot.
 * @internal
 */
export const nodeBoot = z.object({
  /** Id of the configuration profile. @default the only profile, or the last booted one */
  config_id: z.int().optional(),
});

/**
 * Body of a resize. Its shape is assumed.
 * @internal
 */
export const nodeResize = z.object({
  /** Type id, such as `g6-standard-1`. */
  type: z.string(),
});

const plain = crud({
  path: "/node/instances",
  id: "nodeId",
  nouns: ["a node", "the account's nodes"],
  scopes: "nodes",
  reply: typed<Node>(node),
  create: typed<NodeCreate>(nodeCreate),
  update: typed<NodeUpdate>(nodeUpdate),
});

/** Operations on node instances. */
export const nodes = {
  /** Lists the account's nodes, page by page. */
  list: plain.list,
  /** Creates a node. Once provisioned, it is `running` if it has an image or StackScript, otherwise `offline`. Incurs a charge. */
  create: op({ ...plain.create, grant: "add_nodes" }),
  /** Views one node. */
  get: plain.get,
  /** Changes a node's label, group, tags, alerts, backup schedule or watchdog. Only unrestricted users can change tags. */
  update: plain.update,
  /** Permanently deletes a node with its disks, backups and addresses. Refused while the node is cloning or restoring. */
  delete: op({
    ...plain.delete,
    summary: "Deletes a node, its disks, configs and backups.",
    status: { not: ["cloning", "restoring"] },
  }),
  /** Boots a node. Without `config_id` it uses the only config, or the last booted one. */
  boot: op({
    method: "POST",
    path: "/node/instances/{nodeId}/boot",
    summary: "Boots a node.",
    body: typed<NodeBoot>(nodeBoot),
    bodyOptional: true,
    reply: typed<Empty>(empty),
    scopes: ["nodes:read_write"],
  }),
  /** Clones a node to a new or an existing node. At most 5 clones of one node can run at a time. */
  clone: op({
    method: "POST",
    path: "/node/instances/{nodeId}/clone",
    summary: "Clones a node.",
    body: typed<NodeClone>(nodeClone),
    reply: typed<Node>(node),
    scopes: ["nodes:read_write"],
    grant: "add_nodes",
  }),
  /** Changes a node's type. The reference names this operation but not its shape: `{type}` is assumed. */
  resize: op({
    method: "POST",
    path: "/node/instances/{nodeId}/resize",
    summary: "Resizes a node to another type.",
    body: typed<NodeResize>(nodeResize),
    reply: typed<Empty>(empty),
    scopes: ["nodes:read_write"],
    assumed: true,
  }),
};
