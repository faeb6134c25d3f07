import { randomBytes } from "node:crypto";
import { isNotFound } from "../api/errors";
import {
  MAX_CONCURRENT_CLONES,
  NODE_STATUSES,
  nodeClone,
  nodeCreate,
  nodes,
  type Node as Reply,
} from "../api/nodes";
import {
  type CheckedInputs,
  defineResource,
  type Failure,
  type InputsOf,
  isNew,
  type PathOf,
  type Ref,
  refused,
  type UpdateTask,
} from "../provider/describe/define-resource";
import { inputAt } from "../provider/describe/fields";
import { ProviderError } from "../provider/base/errors";
import { camelPath, hasUnknown, UNKNOWN } from "../provider/base/values";
import { shownOf } from "../provider/state/answers";
import {
  backupIsThere,
  cloneSourceIsThere,
  imageIsDeployable,
  isBackupMissing,
  planIsAvailable,
  regionIsUp,
  TO_LIST_BACKUPS,
  userDataIsRead,
} from "./families/validations";
import { nodeFields, nodeOutputs } from "./families/node-properties";
import { deploymentIsUsed, readyAddressExists, userDataHasAnImage } from "./families/node-rules";
import { nodeProbes } from "./families/ready-when";
import { restsAgain } from "./families/rests-again";

const sources = ["image", "stackscriptId", "backupId", "cloneFrom"] as const;

/** Statuses in which a node rests. During maintenance it is `stopped`. */
const atRest = ["running", "offline", "stopped"];

/** Whether a node runs, by its status. Other statuses do not show it. */
const isRunning: Readonly<Record<string, boolean>> = {
  running: true,
  booting: true,
  rebooting: true,
  offline: false,
  stopped: false,
  shutting_down: false,
};

/** The warnings of changes that lose data. */
const LOST = {
  backups: {
    about: ["backupsEnabled"],
    line: "turning the backup service off deletes all backups of the node for good",
    loses: true,
  },
  disks: {
    about: ["restoreFromBackup.backupId", "restoreFromBackup.overwrite"],
    line: "restoring a backup with overwrite deletes all the node's disks and configuration profiles first",
    loses: true,
  },
} as const;

type Fields = typeof nodeFields;
type Inputs = InputsOf<Fields>;
type CheckedNode = CheckedInputs<Fields>;
type Failures = Failure<PathOf<Fields>>[];

/** The backup to restore, and the body of the request. */
function restoreOf(ref: Ref, { restoreFromBackup }: Inputs) {
  const { backupId = "", overwrite } = restoreFromBackup ?? {};
  const [id = "", source = ref.id] = backupId.split("/").reverse();
  const body = { node_id: Number(ref.id), ...(overwrite === undefined ? {} : { overwrite }) };
  return { path: { nodeId: source, backupId: id }, body };
}

function restoring(ref: Ref, inputs: Inputs): string {
  const { path } = restoreOf(ref, inputs);
  return `restore backup ${path.nodeId}/${path.backupId} to node ${ref.id}`;
}

export const node = defineResource({
  type: "Node",
  noun: "node",
  doc: "A node: a virtual machine.",
  example: `
const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
export const address = web.ipv4.apply((addresses) => addresses[0]);`,
  lookup: {
    by: ["label"],
    list: {
      example: `const { nodes } = await nodecloud.getNodes({ filter: { region: "us-east" }, sortBy: "label" });`,
    },
    item: {
      example: `
const web = await nodecloud.getNode({ label: "web" });
const newest = await nodecloud.getNode({ filter: { label: { matches: "^web-" } }, mostRecent: true });`,
    },
  },
  fields: nodeFields,
  notTogether: ["userData", "metadata"],
  outputs: nodeOutputs,
  // The reference does not show what a resize or a restore does to them.
  steady: {
    outputs: ["hypervisor", "created", "hostUuid", "hasUserData", "ipv4", "ipv6", "specs"],
    unless: ["type", "restoreFromBackup"],
  },
  changedBy: { backups: ["backupsEnabled"] },
  secretOutputs: ["rootPass"],
  id: { form: "123", pattern: /^(?<id>[1-9]\d*)$/ },
  autoname: { path: "label" },
  identity: ["label"],
  atOnce: { path: "cloneFrom", max: MAX_CONCURRENT_CLONES },
  lossOfData: "the node's disks, backups and addresses are lost",
  statuses: {
    ready: (inputs) => {
      if (inputs.booted === false) return ["offline"];
      if (inputs.image !== undefined || inputs.stackscriptId !== undefined) return ["running"];
      return sources.some((source) => inputs[source] !== undefined) ? ["running", "offline"] : ["offline"];
    },
    busy: NODE_STATUSES.filter((status) => !atRest.includes(status)),
  },
  timeouts: { create: 20, update: 20, delete: 20 },
  waitsForStatusOf: { delete: nodes.delete },
  unsupported: {
    shutdown: "is not supported: the API has no operation to stop a node",
    reboot: "is not supported: the API has no operation to reboot a node",
    rebuild:
      "is not supported: the API has no operation to deploy a node again. A change of image replaces it",
    nodeId:
      "is not supported: after a clone onto an existing node, two resources would manage that node. cloneFrom creates a new node, and restoreFromBackup adds another node's disks to this one",
  },

  readiness: {
    path: "readyWhen",
    turn: "turn",
    drain: "drainSec",
    after: ["type", "restoreFromBackup", "booted"],
    probes: nodeProbes,
  },

  readOperation: nodes.get,
  idOf: (reply) => String(reply.id),
  toOutputs: (reply) => {
    const running = isRunning[reply.status];
    return {
      ...shownOf(reply),
      ...(running === undefined ? {} : { booted: running }),
      ...(reply.backups == null ? {} : { backupsEnabled: reply.backups.enabled }),
    };
  },
  validations: [
    regionIsUp,
    planIsAvailable,
    imageIsDeployable,
    userDataIsRead,
    cloneSourceIsThere,
    backupIsThere("backupId"),
    backupIsThere("restoreFromBackup.backupId"),
  ],
  changeRules: [userDataHasAnImage, deploymentIsUsed, readyAddressExists],
  rules: (inputs, olds, isAdopted) => [
    ...sourceRules(inputs, olds, isAdopted),
    ...bootRules(inputs, olds, isAdopted),
  ],
  warnings: (changed, inputs) => [
    ...(changed("backupsEnabled") && isOrMayBe(inputs, "backupsEnabled", false) ? [LOST.backups] : []),
    ...(isRestored(changed) && isOrMayBe(inputs, "restoreFromBackup.overwrite", true) ? [LOST.disks] : []),
  ],

  actions: [
    {
      path: "restoreFromBackup",
      what: restoring,
      send: (client, ref, inputs) => {
        const { path, body } = restoreOf(ref, inputs);
        return client.nodeBackups.restore(path, body);
      },
      // The check has looked for the backup of a new value, and not for that of one which a failed run has left.
      problem: async (ref, inputs, account) => {
        const asked = inputs.restoreFromBackup?.backupId;
        if (account === undefined || asked === undefined || hasUnknown(asked)) return undefined;
        const { nodeId, backupId } = restoreOf(ref, inputs).path;
        return (await isBackupMissing(account, nodeId, backupId))
          ? `names the backup ${nodeId}/${backupId}, which does not exist; ${TO_LIST_BACKUPS}`
          : undefined;
      },
      statuses: ["restoring"],
      hasOwnStatus: true,
      ifRepeated: "adds the disks once more, or with overwrite deletes what was written since",
      userShouldCheck: "Check the disks and configuration profiles of the node",
    },
  ],

  create: async ({ client, inputs, body, idAt, unshown }) => {
    if (inputs.cloneFrom !== undefined) {
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
      const type = String(inputs.type);
      await client.nodes.resize({ nodeId }, { type });
      done("type");
      await until(`${before} as ${type}`, (reply) => reply.type === type && reply.status === before);
    }
    // The restore comes first: turning the backup service off deletes the backups.
    if (changed("restoreFromBackup")) await restore(task);
    if (changed("backupsEnabled")) {
      const toggle = inputs.backupsEnabled === true ? client.nodeBackups.enable : client.nodeBackups.cancel;
      await toggle({ nodeId });
      done("backupsEnabled");
    }
    await write(nodes.update, (body) => client.nodes.update({ nodeId }, body));
    if (changed("booted") && inputs.booted === true) {
      const { bootConfigId } = inputs;
      await client.nodes.boot({ nodeId }, bootConfigId === undefined ? {} : { config_id: bootConfigId });
      await until("running", (reply) => reply.status === "running");
      done("booted");
    }
  },
  delete: (client, { id: nodeId }) => client.nodes.delete({ nodeId }),
});

const isRestored = (changed: (path: PathOf<Fields>) => boolean): boolean =>
  changed("restoreFromBackup.backupId") || changed("restoreFromBackup.overwrite");

const isOrMayBe = (inputs: CheckedNode, path: PathOf<Fields>, wanted: boolean): boolean => {
  const value = inputAt(inputs, { path });
  return value === wanted || value === UNKNOWN;
};

/** Restores the backup as soon as possible, and waits until the node has its earlier status again. */
async function restore(task: UpdateTask<Reply, Fields>): Promise<void> {
  const { client, ref, inputs, act, until } = task;
  const { path } = restoreOf(ref, inputs);
  const attempt = restoring(ref, inputs);
  await until("ready for the restore", async ({ status }) => {
    const [{ snapshot }, backup] = await Promise.all([
      client.nodeBackups.list({ nodeId: ref.id }),
      client.nodeBackups.get(path).catch((error: unknown) => {
        throw isNotFound(error)
          ? new ProviderError(`${attempt}: the backup does not exist; ${TO_LIST_BACKUPS}`, {
              code: "NOT_IN_ACCOUNT",
            })
          : error;
      }),
    ]);
    if (["failed", "userAborted"].includes(backup.status)) {
      throw new ProviderError(
        `${attempt}: the backup is ${backup.status}, and only a successful one can be restored`,
        { code: "NOT_IN_ACCOUNT" },
      );
    }
    const restorable = backup.status === "successful" && backup.available !== false;
    return restorable && snapshot.in_progress == null && atRest.includes(status);
  });
  const before = task.live.status;
  await act("restoreFromBackup");
  await until(`${before} after the restore`, restsAgain({ before, atRest }));
}

/** Inputs that only a deployment from an image or backup takes. A clone has those of its source. */
const notForClones = Object.keys(nodeCreate.shape)
  .filter((name) => !(name in nodeClone.shape))
  .map(camelPath)
  .filter((name): name is keyof Fields => name in nodeFields && !["tags", "booted"].includes(name));

function sourceRules(inputs: CheckedNode, olds: CheckedNode, isAdopted: boolean): Failures {
  const isSet = (name: keyof Fields) => inputs[name] !== undefined;
  const copied = "cannot be set together with cloneFrom: a clone copies its source; set one of them";
  const failures: Failures = isSet("cloneFrom")
    ? notForClones.filter(isSet).flatMap((name) => refused(name, copied))
    : [];
  for (const name of ["disks", "configs"] as const) {
    if (isSet(name) && !isSet("cloneFrom"))
      failures.push(...refused(name, "selects what cloneFrom clones; set cloneFrom, or remove it"));
  }
  const restored = inputAt(inputs, { path: "restoreFromBackup.backupId" });
  if (isNew(olds) && !isAdopted && typeof restored === "string" && /^\d+$/.test(restored))
    failures.push(
      ...refused(
        "restoreFromBackup.backupId",
        `"${restored}" is a backup of this node, and a new node has none; write nodeId/backupId for a backup of another node, or remove restoreFromBackup`,
      ),
    );
  const isTwice = isSet("userData") && isSet("metadata");
  const both = "cannot be set together with metadata: both are the user data; set one of them";
  return isTwice ? [...failures, ...refused("userData", both)] : failures;
}

function bootRules(inputs: CheckedNode, olds: CheckedNode, isAdopted: boolean): Failures {
  const { booted } = inputs;
  if (booted === false && !isNew(olds) && olds.booted !== false)
    return refused(
      "booted",
      "cannot change to false: the API has no operation to stop a node. Omit it, and stop the node outside Pulumi",
    );
  const bootable = isAdopted || sources.some((source) => inputs[source] !== undefined);
  return booted === true && isNew(olds) && !bootable
    ? refused("booted", `needs a node with something to boot: set one of ${sources.join(", ")}`)
    : [];
}
