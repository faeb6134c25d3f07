import { randomBytes } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { isNotFound } from "../api/errors";
import {
  MAX_CONCURRENT_CLONES,
  NODE_STATUSES,
  nodeClone,
  nodeCreate,
  nodes,
  nodeUpdate,
  type Node as Reply,
} from "../api/nodes";
import { defineResource, type Failure, isNew, type UpdateTask } from "../provider/define";
import { ProviderError } from "../provider/errors";
import { replace, setting, update } from "../provider/fields";
import { IMPORT_ID } from "../provider/hidden";
import { NodeCloudResource } from "../provider/resource";
import { camelPath, isObject, type Properties, valueAt } from "../provider/values";
import { shownOf } from "../provider/work";
import {
  cloneSourceIsThere,
  imageIsDeployable,
  planIsAvailable,
  regionIsUp,
  userDataIsRead,
} from "./families/account-rules";
import { restsAgain } from "./families/rest";

/** Usage levels at which the service raises an alert. Their units are not documented; a level that is not set is left as it is. */
export interface NodeAlerts {
  cpu?: pulumi.Input<number>;
  io?: pulumi.Input<number>;
  networkIn?: pulumi.Input<number>;
  networkOut?: pulumi.Input<number>;
  transferQuota?: pulumi.Input<number>;
}

/** When the backup service takes its backups. Its values are not documented: a weekday's name and a code such as `W22` were seen. */
export interface NodeBackupSchedule {
  day?: pulumi.Input<string>;
  window?: pulumi.Input<string>;
}

/** A network interface; its place in the list is its place on the node. */
export interface NodeInterface {
  /** `public` and `vlan` are known. */
  purpose: pulumi.Input<string>;
  label?: pulumi.Input<string>;
  ipamAddress?: pulumi.Input<string>;
}

/** A backup to restore to a node. */
export interface NodeRestore {
  /** A backup of any node of the region: `nodeId/backupId`, as a NodeBackupSnapshot's id is; a bare number is a backup of this node. */
  backupId: pulumi.Input<string | number>;
  /** Whether to delete all the node's disks and configuration profiles first. @default false: the backup's disks are added. */
  overwrite?: pulumi.Input<boolean>;
}

/** Inputs of a {@link Node}. */
export interface NodeArgs {
  /** Region id, such as `us-east`. A change replaces the node. */
  region: pulumi.Input<string>;
  /** Type id, such as `g6-standard-1`. A change resizes the node in place, or replaces it with `resize: "replace"`. */
  type: pulumi.Input<string>;
  /** What a change of `type` does: `in-place` resizes, `replace` makes a new node. @default "in-place" */
  resize?: pulumi.Input<"in-place" | "replace">;
  /** 3 to 64 characters. @default the resource's name and a random suffix. A change updates. */
  label?: pulumi.Input<string>;
  /** A group label. Deprecated by the API. A change updates. */
  group?: pulumi.Input<string>;
  /** Their order means nothing. Only an unrestricted user may set them. Removed: `[]`. A change updates. */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Image id to deploy from, such as `node/debian12` or `private/12`. A change replaces the node. */
  image?: pulumi.Input<string>;
  /** Root password, 7 to 128 characters, secret. @default a generated one where the node has an image. A change replaces the node. */
  rootPass?: pulumi.Input<string>;
  /** Public SSH keys for the root user. A change replaces the node. */
  authorizedKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /** Users of the account whose SSH keys the root user gets. A change replaces the node. */
  authorizedUsers?: pulumi.Input<pulumi.Input<string>[]>;
  /** Size of the swap disk in MB, where the node has an image. @default 512. A change replaces the node. */
  swapSize?: pulumi.Input<number>;
  /** Id of a StackScript to run. A change replaces the node. */
  stackscriptId?: pulumi.Input<number>;
  /** Its user-defined fields, at most 65535 characters of JSON, secret. A change replaces the node. */
  stackscriptData?: pulumi.Input<Record<string, unknown>>;
  /** Id of another node's backup to create the node from: a number, or the id of a NodeBackupSnapshot. A change replaces the node. */
  backupId?: pulumi.Input<string | number>;
  /** Id of a node to clone. Its tags come along; where it has user data, `metadata` is required. A change replaces the node. */
  cloneFrom?: pulumi.Input<string | number>;
  /** Ids of the disks to clone, only with `cloneFrom`. @default all of them. A change replaces the node. */
  disks?: pulumi.Input<pulumi.Input<number>[]>;
  /** Ids of the configuration profiles to clone, only with `cloneFrom`. @default all of them. A change replaces the node. */
  configs?: pulumi.Input<pulumi.Input<number>[]>;
  /**
   * A backup to restore to this node when the input changes, or right after the creation. To create a node from a backup, use `backupId`.
   * A change updates.
   */
  restoreFromBackup?: pulumi.Input<NodeRestore>;
  /** Whether the backup service is on. Turning it off deletes all the node's backups. A change updates. */
  backupsEnabled?: pulumi.Input<boolean>;
  /** When the backups are taken. A change updates. */
  backups?: pulumi.Input<{ schedule?: pulumi.Input<NodeBackupSchedule> }>;
  /**
   * Whether the node is to run. Not set, whether it runs is left alone after creation. Set to true, a stopped node is drift, and the
   * next `up` boots it. The API has no operation to stop a node. @default true at creation. A change updates.
   */
  booted?: pulumi.Input<boolean>;
  /**
   * Id of the configuration profile with which `booted` boots a stopped node. @default the only one, or the one that was booted last. A
   * change by itself touches nothing.
   */
  bootConfigId?: pulumi.Input<number>;
  /** Whether the node gets a private IPv4 address. A change replaces the node. */
  privateIp?: pulumi.Input<boolean>;
  /** At most 3 network interfaces. A change replaces the node. */
  interfaces?: pulumi.Input<pulumi.Input<NodeInterface>[]>;
  /** Metadata, secret: a cloud-config in base64. A change replaces the node. */
  metadata?: pulumi.Input<{ userData?: pulumi.Input<string> }>;
  /** The cloud-config as plain text, secret; in place of `metadata`. A change replaces the node. */
  userData?: pulumi.Input<string>;
  /** A change updates. */
  alerts?: pulumi.Input<NodeAlerts>;
  /** Whether the node is booted again when it powers off unexpectedly. A change updates. */
  watchdogEnabled?: pulumi.Input<boolean>;
}

const { shape } = nodeCreate;
const sources = ["image", "stackscriptId", "backupId", "cloneFrom"] as const;

/** Statuses in which a node rests. Under maintenance it is `stopped`, for as long as that takes. */
const atRest = ["running", "offline", "stopped"];

/** What the service says of whether a node runs; other statuses leave it open. */
const isRunning: Readonly<Record<string, boolean>> = {
  running: true,
  booting: true,
  rebooting: true,
  offline: false,
  stopped: false,
  shutting_down: false,
};

const toBase64 = (text: unknown) => Buffer.from(String(text)).toString("base64");
const lastNumber = (path: unknown) => Number(String(path).split("/").at(-1));

const id = z.string().regex(/^\d+$/, "must be an id, a whole number");
const backupId = z
  .string()
  .regex(/^(\d+\/)?\d+$/, "must be the id of a backup: a number, or nodeId/backupId");

const node = defineResource<Reply>({
  type: "Node",
  fields: {
    region: replace(shape.region, { required: true }),
    type: {
      ...update(shape.type, { required: true }),
      change: (inputs) => (inputs["resize"] === "replace" ? "replace" : "update"),
      why: 'and resize: "replace" asks for a new node',
    },
    resize: setting(z.enum(["in-place", "replace"])),
    label: update(shape.label),
    group: update(shape.group),
    tags: update(shape.tags, { compare: "set", default: [] }),
    image: replace(shape.image),
    rootPass: replace(shape.root_pass, { secret: true }),
    authorizedKeys: replace(shape.authorized_keys),
    authorizedUsers: replace(shape.authorized_users),
    swapSize: replace(shape.swap_size, { default: 512 }),
    stackscriptId: replace(shape.stackscript_id),
    stackscriptData: replace(shape.stackscript_data, { secret: true, opaque: true }),
    backupId: replace(backupId, { compare: "id", encode: lastNumber }),
    cloneFrom: replace(id, { compare: "id", local: true }),
    disks: replace(nodeClone.shape.disks, { compare: "set" }),
    configs: replace(nodeClone.shape.configs, { compare: "set" }),
    restoreFromBackup: {
      backupId: update(backupId, { compare: "id", action: true }),
      overwrite: update(z.boolean(), { action: true }),
    },
    backupsEnabled: update(shape.backups_enabled),
    backups: {
      schedule: {
        day: update(z.string()),
        window: update(z.string()),
      },
    },
    booted: update(shape.booted),
    bootConfigId: setting(z.int()),
    privateIp: replace(shape.private_ip),
    interfaces: replace(
      z
        .array(
          z.strictObject({
            purpose: z.string(),
            label: z.string().optional(),
            ipamAddress: z.string().optional(),
          }),
        )
        .max(3),
    ),
    metadata: {
      userData: replace(z.base64(), { secret: true, wire: "metadata.user_data" }),
    },
    userData: replace(z.string(), { secret: true, wire: "metadata.user_data", encode: toBase64 }),
    alerts: {
      cpu: update(z.int()),
      io: update(z.int()),
      networkIn: update(z.int()),
      networkOut: update(z.int()),
      transferQuota: update(z.int()),
    },
    watchdogEnabled: update(nodeUpdate.shape.watchdog_enabled),
  },
  outputs: ["status", "hypervisor", "created", "updated", "hostUuid", "hasUserData", "ipv4", "ipv6", "specs"],
  secretOutputs: ["rootPass"],
  id: { form: "123", pattern: /^(?<id>\d+)$/ },
  autoname: { path: "label", max: 64 },
  identity: ["label"],
  atOnce: { path: "cloneFrom", most: MAX_CONCURRENT_CLONES },
  lossOfData: "the node's disks, backups and addresses are lost",
  statuses: {
    ready: (inputs) => {
      if (inputs["booted"] === false) return ["offline"];
      if (inputs["image"] !== undefined || inputs["stackscriptId"] !== undefined) return ["running"];
      return sources.some((source) => inputs[source] !== undefined) ? ["running", "offline"] : ["offline"];
    },
    busy: NODE_STATUSES.filter((status) => !atRest.includes(status)),
  },
  timeouts: { create: 20, update: 20, delete: 20 },
  requires: { delete: nodes.delete },
  absent: {
    shutdown: "is not there: the API shows no operation to stop a node",
    reboot: "is not there: the API shows no operation to reboot a node",
    rebuild: "is not there: the API shows no operation to deploy a node anew; a change of image replaces it",
    nodeId:
      "is not there: a clone onto a node would be one node in two resources. cloneFrom makes a new node, and restoreFromBackup puts another node's disks onto this one",
  },

  idOf: (reply) => String(reply.id),
  toOutputs: (reply) => {
    const running = isRunning[reply.status];
    return {
      ...shownOf(reply),
      ...(running === undefined ? {} : { booted: running }),
      ...(reply.backups == null ? {} : { backupsEnabled: reply.backups.enabled }),
    };
  },
  accountRules: [regionIsUp, planIsAvailable, imageIsDeployable, userDataIsRead, cloneSourceIsThere],
  rules: (inputs, olds) => [...sourceRules(inputs), ...restoreRules(inputs), ...bootRules(inputs, olds)],
  warnings: (changed, inputs) => [
    ...(changed("backupsEnabled") && inputs["backupsEnabled"] === false
      ? ["turning the backup service off deletes all the node's backups, for good"]
      : []),
    ...(isRestored(changed) && valueAt(inputs, "restoreFromBackup.overwrite") === true
      ? ["restoring a backup with overwrite deletes all the node's disks and configuration profiles first"]
      : []),
  ],

  create: async ({ client, inputs, body, idAt, unshown }) => {
    if (inputs["cloneFrom"] !== undefined) {
      return client.nodes.clone({ nodeId: idAt("cloneFrom") }, body(nodes.clone));
    }
    const wanted = body(nodes.create);
    if (wanted.image === undefined || wanted.root_pass !== undefined) return client.nodes.create(wanted);
    const password = randomBytes(24).toString("base64url");
    unshown["rootPass"] = password;
    return client.nodes.create({ ...wanted, root_pass: password });
  },
  read: (client, { id: nodeId }) => client.nodes.get({ nodeId }),
  list: (client) => client.nodes.list.all(),
  update: async (task) => {
    const { client, ref, inputs, live, changed, done, until, write } = task;
    const nodeId = ref.id;
    if (changed("type")) {
      const before = live.status;
      const type = String(inputs["type"]);
      await client.nodes.resize({ nodeId }, { type });
      await until(`${before} as ${type}`, (reply) => reply.type === type && reply.status === before);
      done("type");
    }
    // Before the backup service is turned off, which deletes what may be restored here.
    if (changed("restoreFromBackup")) await restore(task);
    if (changed("backupsEnabled")) {
      const toggle =
        inputs["backupsEnabled"] === true ? client.nodeBackups.enable : client.nodeBackups.cancel;
      await toggle({ nodeId });
      done("backupsEnabled");
    }
    await write(nodes.update, (body) => client.nodes.update({ nodeId }, body));
    if (changed("booted") && inputs["booted"] === true) {
      const { bootConfigId } = inputs;
      await client.nodes.boot(
        { nodeId },
        typeof bootConfigId === "number" ? { config_id: bootConfigId } : {},
      );
      await until("running", (reply) => reply.status === "running");
      done("booted");
    }
  },
  delete: (client, { id: nodeId }) => client.nodes.delete({ nodeId }),
});

const isRestored = (changed: (path: string) => boolean): boolean =>
  changed("restoreFromBackup.backupId") || changed("restoreFromBackup.overwrite");

/** Restores the backup as soon as it can be, and waits until the node is again as it was. */
async function restore(task: UpdateTask<Reply>): Promise<void> {
  const { client, ref, inputs, done, until } = task;
  const { backupId, overwrite } = inputs["restoreFromBackup"] as { backupId: string; overwrite?: boolean };
  const [id = "", source = ref.id] = backupId.split("/").reverse();
  const path = { nodeId: source, backupId: id };
  const attempt = `restore backup ${source}/${id} to node ${ref.id}`;
  await until("at rest and not being backed up, with a backup that can be restored", async ({ status }) => {
    const [{ snapshot }, backup] = await Promise.all([
      client.nodeBackups.list({ nodeId: ref.id }),
      client.nodeBackups.get(path).catch((error: unknown) => {
        throw isNotFound(error) ? new ProviderError(`${attempt}: there is no such backup`) : error;
      }),
    ]);
    if (["failed", "userAborted"].includes(backup.status)) {
      throw new ProviderError(
        `${attempt}: the backup is ${backup.status}, and only a successful one can be restored`,
      );
    }
    const restorable = backup.status === "successful" && backup.available !== false;
    return restorable && snapshot.in_progress == null && atRest.includes(status);
  });
  const before = task.live.status;
  await client.nodeBackups.restore(path, {
    node_id: Number(ref.id),
    ...(overwrite === undefined ? {} : { overwrite }),
  });
  done("restoreFromBackup");
  await until(`${before} after the restore`, restsAgain({ before, atRest }));
}

/** Inputs that only a deployment from an image or backup takes; a clone has its source's. */
const notForClones = Object.keys(nodeCreate.shape)
  .filter((name) => !(name in nodeClone.shape))
  .map(camelPath)
  .filter((name) => !["tags", "booted"].includes(name));

function restoreRules(inputs: Properties): Failure[] {
  const { restoreFromBackup } = inputs;
  return isObject(restoreFromBackup) && restoreFromBackup["backupId"] == null
    ? [{ property: "restoreFromBackup.backupId", reason: "is required" }]
    : [];
}

function sourceRules(inputs: Properties): Failure[] {
  const isSet = (name: string) => inputs[name] !== undefined;
  const failures = isSet("cloneFrom")
    ? notForClones.filter(isSet).map((property) => ({
        property,
        reason: "cannot be set together with cloneFrom: a clone has its source's",
      }))
    : [];
  for (const property of ["disks", "configs"].filter((name) => isSet(name) && !isSet("cloneFrom"))) {
    failures.push({ property, reason: "is only for clones: it says what of the node in cloneFrom to take" });
  }
  if (isSet("userData") && isSet("metadata")) {
    failures.push({
      property: "userData",
      reason: "is another spelling of metadata.userData: set one of them",
    });
  }
  return failures;
}

function bootRules(inputs: Properties, olds: Properties): Failure[] {
  const { booted } = inputs;
  if (booted === false && !isNew(olds) && olds["booted"] !== false) {
    return [
      {
        property: "booted",
        reason:
          "cannot go to false: the API has no operation to stop a node. Leave it out to let the node be stopped by other means",
      },
    ];
  }
  const bootable = inputs[IMPORT_ID] !== undefined || sources.some((source) => inputs[source] !== undefined);
  return booted === true && isNew(olds) && !bootable
    ? [
        {
          property: "booted",
          reason: `needs a node with something to boot: set one of ${sources.join(", ")}`,
        },
      ]
    : [];
}

/**
 * A node: a virtual machine.
 *
 * ```ts
 * const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
 * export const address = web.ipv4.apply((addresses) => addresses[0]);
 * ```
 */
export class Node extends NodeCloudResource {
  /** @internal */
  static readonly description = node;

  declare readonly region: pulumi.Output<string>;
  declare readonly type: pulumi.Output<string>;
  declare readonly label: pulumi.Output<string>;
  declare readonly group: pulumi.Output<string | undefined>;
  declare readonly tags: pulumi.Output<string[]>;
  declare readonly image: pulumi.Output<string | undefined>;
  /** The root password, secret: the one that was set, or the one that was generated. Not known of an adopted node. */
  declare readonly rootPass: pulumi.Output<string | undefined>;
  /** `running`, `offline`, `booting`, … The service may add others. */
  declare readonly status: pulumi.Output<string>;
  /** Whether the node runs. */
  declare readonly booted: pulumi.Output<boolean>;
  declare readonly backupsEnabled: pulumi.Output<boolean>;
  declare readonly backups: pulumi.Output<{
    available?: boolean;
    enabled: boolean;
    lastSuccessful?: string;
    schedule?: { day?: string; window?: string };
  }>;
  declare readonly alerts: pulumi.Output<{
    cpu?: number;
    io?: number;
    networkIn?: number;
    networkOut?: number;
    transferQuota?: number;
  }>;
  declare readonly watchdogEnabled: pulumi.Output<boolean>;
  declare readonly hypervisor: pulumi.Output<string>;
  declare readonly hostUuid: pulumi.Output<string | undefined>;
  /** Whether the node was created with metadata user data. */
  declare readonly hasUserData: pulumi.Output<boolean>;
  /** The public address, and the private one where there is one. */
  declare readonly ipv4: pulumi.Output<string[]>;
  declare readonly ipv6: pulumi.Output<string | undefined>;
  /** The sizes of the node's type; their units are not documented. */
  declare readonly specs: pulumi.Output<{
    disk: number;
    gpus: number;
    memory: number;
    transfer: number;
    vcpus: number;
  }>;
  /** `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  declare readonly updated: pulumi.Output<string>;

  constructor(name: string, args: NodeArgs, opts?: pulumi.CustomResourceOptions) {
    super(node, name, args, opts);
  }

  /** Reads a node that another program or person manages. Its id is a number. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Node {
    return NodeCloudResource.existing(Node, name, id, opts);
  }
}
