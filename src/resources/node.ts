import { randomBytes } from "node:crypto";
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
import {
  defineResource,
  type Failure,
  isNew,
  type Ref,
  type UpdateTask,
} from "../provider/describe/define-resource";
import { ProviderError } from "../provider/engine/errors";
import { inputAt, replace, setting, update } from "../provider/describe/fields";
import { IMPORT_ID } from "../provider/state/hidden";
import { camelPath, isObject, type Properties, UNKNOWN } from "../provider/state/values";
import { shownOf } from "../provider/state/answers";
import {
  cloneSourceIsThere,
  imageIsDeployable,
  planIsAvailable,
  regionIsUp,
  userDataIsRead,
} from "./families/account-rules";
import { deploymentIsUsed, userDataHasAnImage } from "./families/node-rules";
import { base64Text, publicKey, size, tag, userName } from "./families/problems";
import { restsAgain } from "./families/rest";

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

/** The backup to restore, and the body of the request. */
function restoreOf(ref: Ref, inputs: Properties) {
  const { backupId, overwrite } = inputs["restoreFromBackup"] as { backupId: string; overwrite?: boolean };
  const [id = "", source = ref.id] = backupId.split("/").reverse();
  const body = { node_id: Number(ref.id), ...(overwrite === undefined ? {} : { overwrite }) };
  return { path: { nodeId: source, backupId: id }, body };
}

function restoring(ref: Ref, inputs: Properties): string {
  const { path } = restoreOf(ref, inputs);
  return `restore backup ${path.nodeId}/${path.backupId} to node ${ref.id}`;
}

export const node = defineResource<Reply>({
  type: "Node",
  fields: {
    region: replace(shape.region, { required: true }),
    type: {
      ...update(shape.type, { required: true }),
      change: (inputs) => (["replace", UNKNOWN].includes(String(inputs["resize"])) ? "replace" : "update"),
      why: 'and resize: "replace" asks for a new node',
    },
    resize: setting(z.enum(["in-place", "replace"])),
    label: update(shape.label),
    group: update(shape.group, { removed: "stays" }),
    tags: update(shape.tags, { compare: "set", default: [], problem: tag }),
    image: replace(shape.image, { removed: "stays" }),
    rootPass: replace(shape.root_pass, { secret: true, removed: "stays" }),
    authorizedKeys: replace(shape.authorized_keys, { problem: publicKey, removed: "stays" }),
    authorizedUsers: replace(shape.authorized_users, { problem: userName, removed: "stays" }),
    swapSize: replace(shape.swap_size, { default: 512, problem: size }),
    stackscriptId: replace(shape.stackscript_id, { removed: "stays" }),
    stackscriptData: replace(shape.stackscript_data, { secret: true, opaque: true, removed: "stays" }),
    backupId: replace(backupId, { compare: "id", encode: lastNumber, removed: "stays" }),
    cloneFrom: replace(id, { compare: "id", local: true, removed: "stays" }),
    disks: replace(nodeClone.shape.disks, { compare: "set", removed: "stays" }),
    configs: replace(nodeClone.shape.configs, { compare: "set", removed: "stays" }),
    restoreFromBackup: {
      backupId: update(backupId, { compare: "id", action: true, removed: "forgotten" }),
      overwrite: update(z.boolean(), { action: true, removed: "forgotten" }),
    },
    backupsEnabled: update(shape.backups_enabled, { removed: "stays" }),
    backups: {
      schedule: {
        day: update(z.string(), { removed: "stays" }),
        window: update(z.string(), { removed: "stays" }),
      },
    },
    booted: update(shape.booted, { removed: "stays" }),
    bootConfigId: setting(z.int()),
    privateIp: replace(shape.private_ip, { removed: "stays" }),
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
      { removed: "stays" },
    ),
    metadata: {
      userData: replace(z.base64(), {
        secret: true,
        wire: "metadata.user_data",
        problem: base64Text,
        removed: "stays",
      }),
    },
    userData: replace(z.string(), {
      secret: true,
      wire: "metadata.user_data",
      encode: toBase64,
      removed: "stays",
    }),
    alerts: {
      cpu: update(z.int(), { removed: "stays" }),
      io: update(z.int(), { removed: "stays" }),
      networkIn: update(z.int(), { removed: "stays" }),
      networkOut: update(z.int(), { removed: "stays" }),
      transferQuota: update(z.int(), { removed: "stays" }),
    },
    watchdogEnabled: update(nodeUpdate.shape.watchdog_enabled, { removed: "stays" }),
  },
  outputs: ["status", "hypervisor", "created", "updated", "hostUuid", "hasUserData", "ipv4", "ipv6", "specs"],
  // What a resize or a restore does to them is not documented.
  steady: {
    outputs: ["hypervisor", "created", "hostUuid", "hasUserData", "ipv4", "ipv6", "specs"],
    unless: ["type", "restoreFromBackup"],
  },
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
  inputRules: [userDataHasAnImage, deploymentIsUsed],
  rules: (inputs, olds) => [...sourceRules(inputs), ...restoreRules(inputs), ...bootRules(inputs, olds)],
  warnings: (changed, inputs) => [
    ...(changed("backupsEnabled") && isOrMayBe(inputs, "backupsEnabled", false)
      ? [
          {
            about: ["backupsEnabled"],
            line: "turning the backup service off deletes all the node's backups, for good",
          },
        ]
      : []),
    ...(isRestored(changed) && isOrMayBe(inputs, "restoreFromBackup.overwrite", true)
      ? [
          {
            about: ["restoreFromBackup.backupId", "restoreFromBackup.overwrite"],
            line: "restoring a backup with overwrite deletes all the node's disks and configuration profiles first",
          },
        ]
      : []),
  ],

  actions: [
    {
      path: "restoreFromBackup",
      what: restoring,
      send: (client, ref, inputs) => {
        const { path, body } = restoreOf(ref, inputs);
        return client.nodeBackups.restore(path, body);
      },
      during: ["restoring"],
      isTold: true,
      harm: "adds the disks once more, or with overwrite deletes what was written since",
      check: "Look at the disks and configuration profiles of the node",
    },
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
  list: (client, _, options) => client.nodes.list.all(options),
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

const isOrMayBe = (inputs: Properties, path: string, wanted: boolean): boolean => {
  const value = inputAt(inputs, { path });
  return value === wanted || value === UNKNOWN;
};

/** Restores the backup as soon as it can be, and waits until the node is again as it was. */
async function restore(task: UpdateTask<Reply>): Promise<void> {
  const { client, ref, inputs, act, until } = task;
  const { path } = restoreOf(ref, inputs);
  const attempt = restoring(ref, inputs);
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
  await act("restoreFromBackup");
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
