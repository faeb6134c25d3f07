import { z } from "zod";
import { type Client } from "../../api/client";
import {
  type Database,
  type mysql,
  type mysqlCreate,
  type postgresql,
  type postgresqlCreate,
} from "../../api/databases";
import { type Description } from "../../provider/describe/define-resource";
import { type FieldTree, replace, update } from "../../provider/describe/fields";
import { type Properties } from "../../provider/state/values";
import { shownOf } from "../../provider/state/answers";
import { engineIsOffered, regionIsUp } from "./account-rules";
import { addressOrRange } from "./problems";

/** What the API offers for the databases of either engine. */
interface Engine {
  readonly type: string;
  /** What the ids of its engines begin with. */
  readonly kind: string;
  readonly operations: typeof mysql | typeof postgresql;
  readonly family: (client: Client) => Client["mysql"] | Client["postgresql"];
  readonly body: typeof mysqlCreate | typeof postgresqlCreate;
  readonly create: Description<Database>["create"];
  /** Inputs that only this engine has. */
  readonly fields: FieldTree;
}

/** Statuses in which a database is at work, which ends by itself. */
export const BUSY = [
  "provisioning",
  "suspending",
  "resuming",
  "restoring",
  "updating",
  "backing_up",
] as const;

/** What databases of either engine have not, and why. */
const ABSENT = {
  version:
    "is part of engine: the API shows no operation to upgrade in place, and a change of engine replaces",
  suspended: "is not there: the API shows no operation to suspend or resume a database",
};

/** The requests have `asynch` where the answers have `async`. */
const asRequested = (replication: unknown) => (replication === "async" ? "asynch" : replication);

/** What the databases of all engines have in common. */
export function databaseFamily({ type, kind, operations, family, body: { shape }, create, fields }: Engine) {
  return {
    type,
    fields: {
      label: update(shape.label),
      region: replace(shape.region, { required: true }),
      type: replace(shape.type, { required: true }),
      // The version may move when the service patches it: that is no reason to make a new database.
      engine: replace(
        z.string().regex(/^[^/]+\/[^/]+$/, "must have the form <engine>/<version>, such as mysql/8.0.30"),
        {
          required: true,
          followsService: true,
        },
      ),
      clusterSize: replace(shape.cluster_size, { default: 1 }),
      encrypted: replace(shape.encrypted, { default: false }),
      sslConnection: replace(shape.ssl_connection, { default: true }),
      replicationType: replace(shape.replication_type, { removed: "stays" }),
      allowList: update(shape.allow_list, { compare: "addresses", default: [], problem: addressOrRange }),
      updates: {
        dayOfWeek: update(z.int(), { removed: "stays" }),
        duration: update(z.int(), { removed: "stays" }),
        frequency: update(z.string(), { removed: "stays" }),
        hourOfDay: update(z.int(), { removed: "stays" }),
        weekOfMonth: update(z.int(), { default: null }),
      },
      ...fields,
    },
    outputs: ["status", "version", "hosts", "port", "created", "updated"],
    steady: { outputs: ["hosts", "port", "created"] },
    id: { form: "123", pattern: /^(?<id>\d+)$/ },
    autoname: { path: "label", max: 32 },
    unique: "label",
    identity: ["label"],
    lossOfData: "the database's data and backups are lost",
    statuses: {
      ready: ["active"],
      assigned: ["hosts.primary"],
      busy: BUSY,
      failed: ["failed"],
      usually: "15-30 min",
    },
    timeouts: { create: 60, update: 60, delete: 60 },
    requires: { update: operations.update, delete: operations.delete },
    absent: ABSENT,

    accountRules: [regionIsUp, engineIsOffered(kind)],
    idOf: (reply) => String(reply.id),
    toOutputs: (reply) => {
      const shown = shownOf(reply);
      return {
        ...shown,
        engine: `${reply.engine}/${reply.version}`,
        ...("replicationType" in shown ? { replicationType: asRequested(shown["replicationType"]) } : {}),
      };
    },
    create,
    read: (client, { id: instanceId }) => family(client).get({ instanceId }),
    list: (client, _, options) => family(client).list.all(options),
    update: ({ client, ref, write }) =>
      write(operations.update, (body) => family(client).update({ instanceId: ref.id }, body)),
    delete: (client, { id: instanceId }) => family(client).delete({ instanceId }),
  } satisfies Description<Database & Properties>;
}
