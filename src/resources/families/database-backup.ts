import { z } from "zod";
import {
  databaseBackup as answer,
  type DatabaseBackup,
  databaseBackupCreate,
  MAX_SNAPSHOTS,
} from "../../api/databases";
import { type Description, output } from "../../provider/describe/define-resource";
import { replace } from "../../provider/describe/fields";
import { childId, idOf } from "./ids";
import { BUSY, OPERATIONS } from "./database";

const { shape } = databaseBackupCreate;

/** The inputs of backups of both engines' databases. */
const fields = {
  databaseId: replace(idOf("a database"), {
    doc: "The id of the database.",
    changeDoc: "takes a backup of the other database",
    required: true,
    compare: "id",
    notSent: true,
  }),
  label: replace(shape.label, {
    doc: "The label of the backup: only ASCII letters and numbers.",
    example: "beforeupgrade",
    omittedDoc: "the ASCII letters and numbers of the resource's name, and a derived suffix",
    changeDoc: "takes a new backup",
  }),
  target: replace(shape.target, {
    doc: "The node of the database to back up. The API does not return it, and the API reference does not show what `secondary` does.",
    changeDoc: "takes a new backup",
    default: "primary",
  }),
  triggers: replace(z.record(z.string(), z.unknown()), {
    doc: "Values of any type, such as the version that is deployed next.",
    example: { release: "v2" },
    changeDoc: "takes a new backup, which replaces this one",
    notSent: true,
    removed: "nothing",
    replaceReason: "which asks for a new backup",
  }),
};

const outputs = {
  target: output(
    shape.target,
    "The node of the database that was backed up. Undefined for an imported backup.",
  ),
  type: output(
    answer.shape.type,
    "The type of the backup: `snapshot`, or `auto` for a daily backup that was read or imported.",
  ),
  created: output(z.string(), "When the backup was created: `YYYY-MM-DDThh:mm:ss`."),
};

/**
 * The common part of the backups of both engines' databases.
 *
 * @param parentType the class of the databases
 * @param advice how to make room for another backup
 */
export function databaseBackupFamily(engine: keyof typeof OPERATIONS, parentType: string, advice: string) {
  const operations = OPERATIONS[engine];
  return {
    noun: "backup",
    fields,
    outputs,
    id: childId("databaseId", "backupId", parentType),
    autoname: { path: "label", plain: true },
    identity: ["label"],
    parent: {
      read: (client, instanceId) => client[engine].get({ instanceId }),
      list: (client, options) => client[engine].list.all(options),
      statuses: { busy: BUSY, failed: ["failed"] },
    },
    waitsForStatusOf: { create: operations.createBackup, read: operations.listBackups },
    atOnce: { path: "databaseId", max: 1 },
    withoutId: { usually: "several minutes", maxKept: MAX_SNAPSHOTS, advice },
    timeouts: { create: 60, update: 60, delete: 60 },

    // Its items have the fields of a single backup. PostgreSQL has no operation to view one.
    readOperation: operations.listBackups,
    idOf: (reply) => String(reply.id),
    create: async ({ client, body, idAt }) => {
      const instanceId = idAt("databaseId");
      await client[engine].createBackup({ instanceId }, body(operations.createBackup));
      return undefined;
    },
    list: async function* (client, instanceId, options) {
      for await (const backup of client[engine].listBackups.all({ instanceId }, options)) {
        // The service takes the daily ones itself.
        if (backup.type === "snapshot") yield backup;
      }
    },
  } satisfies Partial<Description<DatabaseBackup, typeof fields, typeof outputs>>;
}
