import { z } from "zod";
import { type Client } from "../../api/client";
import { type DatabaseBackup, databaseBackupCreate, type mysql, type postgresql } from "../../api/databases";
import { type Description } from "../../provider/describe/define-resource";
import { replace } from "../../provider/describe/fields";
import { BUSY } from "./database";

/** What the API offers for the backups of either engine's databases. */
interface Engine {
  readonly type: string;
  readonly operations: typeof mysql | typeof postgresql;
  readonly family: (client: Client) => Client["mysql"] | Client["postgresql"];
  /** How to make room for another backup. */
  readonly advice: string;
}

const { shape } = databaseBackupCreate;

/** What the backups of databases of all engines have in common. */
export function databaseBackupFamily({ type, operations, family, advice }: Engine) {
  return {
    type,
    fields: {
      databaseId: replace(z.string().regex(/^\d+$/, "must be a database's id, a whole number"), {
        required: true,
        compare: "id",
        local: true,
      }),
      label: replace(shape.label),
      target: replace(shape.target, { default: "primary" }),
      triggers: replace(z.record(z.string(), z.unknown()), {
        local: true,
        removed: "nothing",
        why: "which asks for a new backup",
      }),
    },
    outputs: ["type", "created"],
    id: {
      form: "databaseId/backupId, such as 12/345",
      pattern: /^(?<parent>\d+)\/(?<id>\d+)$/,
      parent: "databaseId",
    },
    autoname: { path: "label", max: 30, plain: true },
    identity: ["label"],
    above: {
      read: (client, instanceId) => family(client).get({ instanceId }),
      list: (client, options) => family(client).list.all(options),
      busy: BUSY,
      failed: ["failed"],
    },
    requires: { create: operations.createBackup, read: operations.listBackups },
    atOnce: { path: "databaseId", most: 1 },
    unnamed: { usually: "several minutes", most: 3, advice },
    timeouts: { create: 60, update: 60, delete: 60 },

    idOf: (reply) => String(reply.id),
    create: async ({ client, body, idAt }) => {
      const instanceId = idAt("databaseId");
      await family(client).createBackup({ instanceId }, body(operations.createBackup));
      return undefined;
    },
    list: async function* (client, instanceId, options) {
      for await (const backup of family(client).listBackups.all({ instanceId }, options)) {
        // The daily ones are the service's own.
        if (backup.type === "snapshot") yield backup;
      }
    },
  } satisfies Omit<Description<DatabaseBackup>, "read">;
}
