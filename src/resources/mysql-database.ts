import { z } from "zod";
import { type Database as Reply, mysql, mysqlDatabaseCreate } from "../api/databases";
import { isApiError } from "../api/errors";
import { type Client } from "../api/client";
import {
  type Action,
  type ChangeRule,
  defineResource,
  type InputsOf,
  output,
  type Ref,
  refused,
} from "../provider/describe/define-resource";
import { ProviderError } from "../provider/base/errors";
import { update } from "../provider/describe/fields";
import { hasUnknown, type Properties, UNKNOWN } from "../provider/base/values";
import { restsAgain } from "./families/rests-again";
import { ABSENT, databaseFamily, databaseFields, databaseOutputs } from "./families/database";

/** Their operations require an active database. A creation waits for it. */
const WHEN_ACTIVE = "`get` finds it only while the database is active.";

const trigger = z.union([z.string(), z.number(), z.boolean()]);
const fields = {
  ...databaseFields(mysqlDatabaseCreate, "mysql/8.0.30"),
  credentialsResetTrigger: update(trigger, {
    doc: "The trigger of a reset of the credentials: any value. Only an unrestricted user may reset them.",
    example: "2026-01",
    changeDoc: "resets the credentials: the service generates a new root password",
    interrupts: {
      line: "clients with the old root password can no longer connect, and a later restore makes the database fail",
    },
    notSent: true,
    action: true,
    removed: "forgotten",
  }),
  patchTrigger: update(trigger, {
    doc: "The trigger of a patch: any value.",
    example: "2026-01",
    changeDoc: "patches the operating system of the database",
    interrupts: { line: "the patch takes the database down" },
    notSent: true,
    action: true,
    removed: "forgotten",
  }),
  restoreFromBackupId: update(
    z
      .string()
      .regex(
        /^([1-9]\d*\/)?[1-9]\d*$/,
        "must be the id of a backup (a whole number, or databaseId/backupId)",
      ),
    {
      doc: "The id of a backup of this database: a number, or `databaseId/backupId`. A backup cannot be restored to a new or another database. After a reset of the credentials, a restore makes the database fail permanently.",
      changeDoc: "replaces all data with the data of the backup",
      notSent: true,
      action: true,
      compare: "id",
      removed: "forgotten",
    },
  ),
};

type Fields = typeof fields;
type Inputs = InputsOf<Fields>;

const backupIn = (inputs: Inputs) => String(inputs.restoreFromBackupId).split("/").at(-1) ?? "";
const restoring = (ref: Ref, inputs: Inputs) =>
  `restore backup ${backupIn(inputs)} to MysqlDatabase ${ref.id}`;
const passwordOf = async (client: Client, { id: instanceId }: Ref) =>
  (await client.mysql.getCredentials({ instanceId })).password;

const actions: readonly Action<Fields>[] = [
  {
    path: "restoreFromBackupId",
    what: restoring,
    send: (client, { id: instanceId }, inputs) =>
      client.mysql.restoreBackup({ instanceId, backupId: backupIn(inputs) }),
    problem: async ({ id }, inputs, account) => {
      if (hasUnknown(inputs.restoreFromBackupId)) return undefined;
      const [backupId = "", database = id] = String(inputs.restoreFromBackupId).split("/").reverse();
      if (database !== id)
        return `is a backup of the MysqlDatabase ${database}, and the service restores only a database's own backups: use the id of one of the MysqlDatabase ${id}`;
      const isMissing = await account?.isMissing(`the backup ${id}/${backupId}`, (client, options) =>
        client.mysql.getBackup({ instanceId: id, backupId }, options),
      );
      return isMissing === true
        ? `names the backup ${id}/${backupId}, which does not exist; getMysqlDatabaseBackups lists those of the database`
        : undefined;
    },
    statuses: ["restoring"],
    hasOwnStatus: true,
    ifRepeated: "erases what was written since",
    userShouldCheck: "Check the data in the database",
  },
  {
    path: "credentialsResetTrigger",
    what: ({ id }) => `reset the credentials of MysqlDatabase ${id}`,
    send: (client, { id: instanceId }) => client.mysql.resetCredentials({ instanceId }),
    statuses: [],
    lastingMark: passwordOf,
    ifRepeated: "sets another password",
    userShouldCheck: "Check whether the root password has changed",
  },
  {
    path: "patchTrigger",
    what: ({ id }) => `patch MysqlDatabase ${id}`,
    send: (client, { id: instanceId }) => client.mysql.patch({ instanceId }),
    statuses: ["updating"],
    ifRepeated: "takes the database down once more",
    userShouldCheck: "Check the version and the update time of the database",
  },
];

/** Otherwise a creation with the backup of a lost database would succeed, with an empty database. */
const newHasNoBackups: ChangeRule<"restoreFromBackupId"> = {
  about: ["restoreFromBackupId"],
  creation: true,
  check: ({ restoreFromBackupId: backup }) => {
    if (backup === undefined) return [];
    const because =
      "a new database has no backups, and the service restores only a database's own; remove restoreFromBackupId";
    if (backup !== UNKNOWN)
      return refused(
        "restoreFromBackupId",
        `cannot restore the backup ${String(backup)} to a new database: ${because}`,
      );
    const reason = `is not known yet, and \`pulumi up\` refuses every backup: ${because}`;
    return [{ property: "restoreFromBackupId", reason, warns: true }];
  },
};

const family = databaseFamily("mysql");

/** The inputs that change the credentials, or may do so. */
const CREDENTIALS = ["credentialsResetTrigger", "restoreFromBackupId"] as const;

export const mysqlDatabase = defineResource({
  ...family,
  type: "MysqlDatabase",
  doc: "A managed MySQL database. Provisioning takes about 15 to 30 minutes. The service backs the database up daily and keeps these backups for 7 days. A database with one node has downtime during maintenance.",
  example: `
const db = new nodecloud.MysqlDatabase("app", {
  region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", allowList: ["192.0.2.0/24"],
});
export const password = db.rootPassword;`,
  lookup: {
    noun: "MySQL database",
    by: ["label"],
    result: "EngineDatabase",
    list: {
      example: String.raw`const { databases } = await nodecloud.getMysqlDatabases({ filter: { version: { matches: "^8\\." } } });`,
    },
    item: { example: `const app = await nodecloud.getMysqlDatabase({ label: "app" });` },
    views: {
      Credentials: {
        reads: mysql.getCredentials,
        secrets: ["password"],
        doc: "The root user of a MySQL database, which must be `active`. The password is a separate output, which is a secret.",
        example: `const { username, password } = await nodecloud.getMysqlDatabaseCredentials({ databaseId: 12 });`,
      },
      Certificate: {
        reads: mysql.getSslCertificate,
        doc: "The CA certificate for connections to a MySQL database, encoded as base64. The database must be `active`.",
        example: `const { caCertificate } = await nodecloud.getMysqlDatabaseCertificate({ databaseId: 12 });`,
      },
    },
  },
  fields,
  outputs: {
    ...databaseOutputs(mysqlDatabaseCreate),
    rootUsername: output(z.string(), `The name of the root user. ${WHEN_ACTIVE}`),
    rootPassword: output(z.string(), `The password of the root user. ${WHEN_ACTIVE}`),
    caCertificate: output(z.string(), `The CA certificate for SSL connections, in base64. ${WHEN_ACTIVE}`),
  },
  changeRules: [newHasNoBackups],
  changedBy: { rootUsername: CREDENTIALS, rootPassword: CREDENTIALS },
  secretOutputs: ["rootPassword"],
  unsupported: {
    ...ABSENT,
    rootPassword:
      "cannot be set: the API generates it, and a new one whenever credentialsResetTrigger changes",
  },
  // A failed database accepts only a restore. After it, the database is active.
  waitsForStatusOf: {
    ...family.waitsForStatusOf,
    update: (changed) => (changed("restoreFromBackupId") ? mysql.restoreBackup : mysql.update),
  },
  actions,
  readiness: { ...family.readiness, after: ["restoreFromBackupId", "patchTrigger"] },
  warnings: (changed) =>
    changed("restoreFromBackupId")
      ? [
          {
            about: ["restoreFromBackupId"] as const,
            line: "restoring a backup erases all current data, and permanently fails the database if its credentials have been reset",
            loses: true,
          },
        ]
      : [],

  create: ({ client, body }) => client.mysql.create(body(mysql.create)),
  extraOutputs: async (client, { id: instanceId }, reply, stored) => {
    if (reply.status !== "active" || isUntouched(reply, stored)) return {};
    try {
      const [credentials, certificate] = await Promise.all([
        client.mysql.getCredentials({ instanceId }),
        client.mysql.getSslCertificate({ instanceId }),
      ]);
      return {
        rootUsername: credentials.username,
        rootPassword: credentials.password,
        caCertificate: certificate.ca_certificate,
      };
    } catch (error) {
      // The database stopped being active between the two reads: the stored values stay.
      if (isApiError(error, 400)) return {};
      throw error;
    }
  },
  update: async (task) => {
    const { ref, inputs, changed, act, until } = task;
    // The restore comes first: after a reset of the credentials, it would make the cluster fail.
    if (changed("restoreFromBackupId")) {
      await act("restoreFromBackupId");
      await until("active after the restore", restored(restoring(ref, inputs)));
    }
    if (changed("credentialsResetTrigger")) {
      const reset = await act("credentialsResetTrigger");
      await until("given a new password", async ({ status }) => status === "active" && (await reset.shows()));
    }
    if (changed("patchTrigger")) {
      await act("patchTrigger");
      await until("active after patching", restsAgain({ before: "active", atRest: ["active"] }));
    }
    await family.update(task);
  },
});

/** Whether the database is unchanged since its credentials were read: a reset changes `updated`. */
const isUntouched = ({ updated }: Reply, stored: Properties): boolean =>
  stored["status"] === "active" &&
  stored["updated"] === updated &&
  ["rootUsername", "rootPassword", "caCertificate"].every((name) => typeof stored[name] === "string");

/** Tells when a restore is over. Throws if the database has failed. */
function restored(attempt: string) {
  const isOver = restsAgain({ before: "active", atRest: ["active", "failed"] });
  return (reply: Reply) => {
    if (!isOver(reply)) return false;
    if (reply.status === "active") return true;
    throw new ProviderError(
      `${attempt}: the database is ${reply.status}, as after a reset of its credentials. ` +
        "To replace it, remove restoreFromBackupId and run `pulumi up --replace` with its URN. The new database is empty",
      { code: "FAILED_STATUS" },
    );
  };
}
