import { z } from "zod";
import { op, typed } from "./operation";
import { dateTime, empty, info, openEnum } from "./schema";
import { type Empty } from "./types/common";
import {
  type Node,
  type NodeBoot,
  type NodeClone,
  type NodeCreate,
  type NodeResize,
  type NodeUpdate,
} from "./types/nodes";

export { type Node } from "./types/nodes";

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

/** Usage levels at which the service raises an alert. The reference does not show their units. */
const alerts = z.object({
  cpu: z.int().optional(),
  io: z.int().optional(),
  network_in: z.int().optional(),
  network_out: z.int().optional(),
  transfer_quota: z.int().optional(),
});

const backupSchedule = z.object({
  day: z.string().nullable().optional(),
  window: z.string().nullable().optional(),
});

const label = z.string().min(3).max(64);
const tags = z.array(z.string());
const metadata = z.object({ user_data: z.base64() });

/**
 * A node instance: a virtual machine.
 * @internal
 */
export const node = z.looseObject({
  id: z.int(),
  label: z.string(),
  group: info(z.string()),
  region: z.string(),
  type: z.string(),
  image: z.string().nullish(),
  status: openEnum(NODE_STATUSES),
  hypervisor: info(z.string()),
  created: info(dateTime),
  updated: info(dateTime),
  host_uuid: info(z.string()),
  has_user_data: info(z.boolean()),
  ipv4: info(z.array(z.string())),
  ipv6: info(z.string()),
  specs: info(
    z.looseObject({
      disk: info(z.int()),
      gpus: info(z.int()),
      memory: info(z.int()),
      transfer: info(z.int()),
      vcpus: info(z.int()),
    }),
  ),
  alerts: z.looseObject(alerts.shape).nullish(),
  backups: z
    .looseObject({
      available: info(z.boolean()),
      enabled: z.boolean(),
      last_successful: info(dateTime),
      schedule: z.looseObject(backupSchedule.shape).nullish(),
    })
    .nullish(),
  tags: z.array(z.string()).nullish(),
  watchdog_enabled: z.boolean().nullish(),
});

/**
 * Body of node creation.
 * @internal
 */
export const nodeCreate = z.object({
  region: z.string(),
  type: z.string(),
  label: label.optional(),
  group: z.string().optional(),
  tags: tags.optional(),
  image: z.string().optional(),
  root_pass: z.string().min(7).max(128).optional(),
  authorized_keys: z.array(z.string()).optional(),
  authorized_users: z.array(z.string()).optional(),
  swap_size: z.int().optional(),
  stackscript_id: z.int().optional(),
  stackscript_data: z
    .record(z.string(), z.json())
    .refine((data) => JSON.stringify(data).length <= 65_535, "must be at most 65535 characters of JSON")
    .optional(),
  backup_id: z.int().optional(),
  backups_enabled: z.boolean().optional(),
  booted: z.boolean().optional(),
  private_ip: z.boolean().optional(),
  interfaces: z
    .array(
      z.object({
        purpose: z.string(),
        label: z.string().nullable().optional(),
        ipam_address: z.string().nullable().optional(),
      }),
    )
    .max(3)
    .optional(),
  metadata: metadata.optional(),
});

/**
 * Body of a node update.
 * @internal
 */
export const nodeUpdate = z.object({
  alerts: alerts.optional(),
  backups: z.object({ schedule: backupSchedule.optional() }).optional(),
  group: z.string().nullable().optional(),
  label: label.optional(),
  tags: tags.optional(),
  watchdog_enabled: z.boolean().optional(),
});

/**
 * Body of node cloning. With `node_id` it clones onto an existing node, otherwise it creates a node.
 * @internal
 */
export const nodeClone = z.object({
  node_id: z.int().optional(),
  region: z.string().optional(),
  type: z.string().optional(),
  label: label.optional(),
  group: z.string().optional(),
  backups_enabled: z.boolean().optional(),
  private_ip: z.boolean().optional(),
  disks: z.array(z.int()).optional(),
  configs: z.array(z.int()).optional(),
  metadata: metadata.optional(),
});

/**
 * Body of a boot.
 * @internal
 */
export const nodeBoot = z.object({ config_id: z.int().optional() });

/**
 * Body of a resize.
 * @internal
 */
export const nodeResize = z.object({ type: z.string() });

/** Operations on node instances. */
export const nodes = {
  /** Lists the account's nodes, page by page. */
  list: op({
    method: "GET",
    path: "/node/instances",
    summary: "Lists the account's nodes.",
    paged: true,
    reply: typed<Node>(node),
    scopes: ["nodes:read_only"],
  }),
  /** Creates a node. Once provisioned, it is `running` if it has an image or StackScript, otherwise `offline`. Incurs a charge. */
  create: op({
    method: "POST",
    path: "/node/instances",
    summary: "Creates a node.",
    body: typed<NodeCreate>(nodeCreate),
    reply: typed<Node>(node),
    scopes: ["nodes:read_write"],
    grant: "add_nodes",
  }),
  /** Views one node. */
  get: op({
    method: "GET",
    path: "/node/instances/{nodeId}",
    summary: "Views a node.",
    reply: typed<Node>(node),
    scopes: ["nodes:read_only"],
  }),
  /** Changes a node's label, group, tags, alerts, backup schedule or watchdog. Only unrestricted users can change tags. */
  update: op({
    method: "PUT",
    path: "/node/instances/{nodeId}",
    summary: "Updates a node.",
    body: typed<NodeUpdate>(nodeUpdate),
    reply: typed<Node>(node),
    scopes: ["nodes:read_write"],
  }),
  /** Permanently deletes a node with its disks, backups and addresses. Refused while the node is cloning or restoring. */
  delete: op({
    method: "DELETE",
    path: "/node/instances/{nodeId}",
    summary: "Deletes a node, its disks, configs and backups.",
    reply: typed<Empty>(empty),
    scopes: ["nodes:read_write"],
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
