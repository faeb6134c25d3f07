import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type Client } from "../../api/client";
import { type DatabaseBackup, databaseBackupCreate, type mysql, type postgresql } from "../../api/databases";
import { type Description } from "../../provider/define";
import { replace } from "../../provider/fields";
import { NodeCloudResource } from "../../provider/resource";
import { BUSY } from "./database";

/** Inputs that the backups of databases of all engines have, beside the database. */
export interface DatabaseBackupArgs {
  /**
   * 1 to 30 ASCII letters and numbers. @default the resource's name, as far as it is made of these, and a random suffix. A change takes
   * a new backup.
   */
  label?: pulumi.Input<string>;
  /**
   * Which of the database's nodes to take the backup of. No answer shows it, and what `secondary` does is not documented.
   * @default "primary". A change takes a new backup.
   */
  target?: pulumi.Input<"primary" | "secondary">;
  /** Any values: when one of them changes, a new backup takes the place of this one. A change takes a new backup. */
  triggers?: pulumi.Input<Record<string, unknown>>;
}

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
    list: async function* (client, instanceId) {
      for await (const backup of family(client).listBackups.all({ instanceId })) {
        // The daily ones are the service's own.
        if (backup.type === "snapshot") yield backup;
      }
    },
  } satisfies Omit<Description<DatabaseBackup>, "read">;
}

/** The outputs that the backups of databases of all engines have. */
export abstract class DatabaseBackupResource extends NodeCloudResource {
  declare readonly databaseId: pulumi.Output<string>;
  declare readonly label: pulumi.Output<string>;
  declare readonly target: pulumi.Output<string | undefined>;
  declare readonly triggers: pulumi.Output<Record<string, unknown> | undefined>;
  /** `snapshot`, or `auto` for one of the daily backups that was read or adopted. */
  declare readonly type: pulumi.Output<string>;
  /** `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
}
