import { z } from "zod";
import {
  type Database,
  DATABASE_STATUSES,
  mysql,
  type mysqlDatabaseCreate,
  postgresql,
  type postgresqlDatabaseCreate,
} from "../../api/databases";
import { openEnum } from "../../api/schema";
import { type Description, output, type UpdateTask } from "../../provider/describe/define-resource";
import { group, replace, update } from "../../provider/describe/fields";
import { shownOf } from "../../provider/state/answers";
import { engineIsOffered, regionIsUp } from "./validations";
import { addressOrRange } from "./input-problems";
import { databaseProbes, databaseReady } from "./ready-when";
import { valuesOf } from "./values-of";

/** The operations on the databases of each engine. Both engines have those that the families use. */
export const OPERATIONS: Readonly<Record<"mysql" | "postgresql", typeof mysql | typeof postgresql>> = {
  mysql,
  postgresql,
};

/** Statuses in which the service works on a database. They end by themselves. */
export const BUSY = [
  "provisioning",
  "suspending",
  "resuming",
  "restoring",
  "updating",
  "backing_up",
] as const;

/** Properties that no database has, each with the reason. */
export const ABSENT = {
  version:
    "is part of engine: the API has no operation to upgrade in place, and a change of engine replaces the database",
  suspended: "is not supported: the API has no operation to suspend or resume a database",
};

/** Requests write `asynch`, and answers `async`. */
const asRequested = (replication: unknown) => (replication === "async" ? "asynch" : replication);

/** The inputs of the maintenance window. */
const maintenance = {
  dayOfWeek: update(z.int(), { doc: "The day of the week.", example: 6, removed: "stays" }),
  duration: update(z.int(), {
    doc: "The length of the window. The API reference does not show its unit.",
    example: 3,
    removed: "stays",
  }),
  frequency: update(openEnum(["weekly", "monthly"]), {
    doc: "How often maintenance takes place.",
    removed: "stays",
  }),
  hourOfDay: update(z.int(), { doc: "The hour of the day.", example: 2, removed: "stays" }),
  weekOfMonth: update(z.int(), { doc: "The week of the month.", example: 1, default: null }),
};

/** The inputs of databases of both engines. */
export function databaseFields<Body extends typeof mysqlDatabaseCreate | typeof postgresqlDatabaseCreate>(
  { shape }: Body,
  engine: string,
) {
  return {
    label: update(shape.label, {
      doc: "The name of the database, unique in the account.",
      example: "shop",
    }),
    region: replace(shape.region, {
      doc: "The id of the region, such as `us-east`.",
      example: "us-east",
      required: true,
    }),
    type: replace(shape.type, {
      doc: "The id of the type of the database's nodes, such as `g6-standard-1`.",
      example: "g6-standard-1",
      required: true,
    }),
    // The service may change the version by patching. That must not replace the database.
    engine: replace(
      z.string().regex(/^[^/]+\/[^/]+$/, "must have the form <engine>/<version> (such as mysql/8.0.30)"),
      {
        doc: "The engine and its version as `<engine>/<version>`, such as `mysql/8.0.30`. If the service patches the version, this is not drift.",
        example: engine,
        required: true,
        followsService: true,
      },
    ),
    clusterSize: replace(shape.cluster_size, {
      doc: "The number of nodes: 1, or 3 for high availability.",
      default: 1,
    }),
    encrypted: replace(shape.encrypted, { doc: "Whether the database is encrypted.", default: false }),
    sslConnection: replace(shape.ssl_connection, {
      doc: "Whether clients must connect with SSL.",
      default: true,
    }),
    replicationType: replace(shape.replication_type as Body["shape"]["replication_type"], {
      doc: "The type of the replication between the nodes. The API reference does not show its default.",
      removed: "stays",
    }),
    allowList: update(shape.allow_list, {
      doc: "The IP addresses and CIDR ranges that may connect. An empty list blocks all connections, and `0.0.0.0/0` allows every address. Order is ignored.",
      example: ["192.0.2.0/24"],
      compare: "addresses",
      default: [],
      problem: addressOrRange,
      interrupts: { line: "no address may connect any more", to: [] },
    }),
    readyWhen: databaseReady,
    updates: group(
      {
        type: "DatabaseUpdates",
        doc: "The maintenance window, in which the service patches the operating system. A database with `clusterSize: 1` has downtime then. The API reference does not show the limits of its values.",
      },
      maintenance,
    ),
  };
}

type Fields = ReturnType<typeof databaseFields>;

/** The part of its task that the common update needs, for databases of both engines. */
type Writing = Pick<UpdateTask<Database>, "client" | "ref" | "write">;

const hosts = z
  .object({
    primary: z.string().describe("The primary host name."),
    secondary: z.string().optional().describe("The secondary host name."),
  })
  .meta({
    title: "DatabaseHosts",
    description:
      "The host names of a database. A creation waits for the primary host name. During provisioning, the database has none.",
  });

const updates = valuesOf(maintenance).meta({
  title: "DatabaseUpdates",
  description: "The maintenance window of a database.",
});

/** The outputs of databases of both engines. */
export const databaseOutputs = ({ shape }: typeof mysqlDatabaseCreate | typeof postgresqlDatabaseCreate) => ({
  label: output(z.string(), "The name of the database."),
  clusterSize: output(z.int(), "The number of nodes."),
  replicationType: output(
    openEnum(shape.replication_type.unwrap().options),
    "The type of the replication between the nodes. The service may add other values.",
  ),
  updates: output(updates, "The maintenance window."),
  status: output(
    openEnum(DATABASE_STATUSES),
    "The status of the database. The service may add other values.",
  ),
  version: output(z.string(), "The version of the engine."),
  hosts: output(hosts, "The host names of the database."),
  port: output(z.int(), "The port of the database."),
  created: output(z.string(), "When the database was created: `YYYY-MM-DDThh:mm:ss`."),
  updated: output(z.string(), "When the database was last updated: `YYYY-MM-DDThh:mm:ss`."),
});

/** The common part of the databases of both engines, without inputs and outputs. */
export function databaseFamily(engine: keyof typeof OPERATIONS) {
  const operations = OPERATIONS[engine];
  return {
    noun: "database",
    steady: { outputs: ["hosts", "port", "created"] },
    id: { form: "123", pattern: /^(?<id>[1-9]\d*)$/ },
    autoname: { path: "label" },
    unique: "label",
    uniqueAmong: {
      noun: "databases of both engines",
      list: (client, options) => client.databases.list.all(options),
      typeOf: ({ engine }) => (engine === "mysql" ? "MysqlDatabase" : "PostgresqlDatabase"),
    },
    identity: ["label"],
    lossOfData: "the database's data and backups are lost",
    statuses: {
      ready: ["active"],
      assigned: ["hosts.primary"],
      busy: BUSY,
      failed: ["failed"],
      usually: "15-30 min",
    },
    readiness: { path: "readyWhen", after: [], probes: databaseProbes },
    timeouts: { create: 60, update: 60, delete: 60 },
    waitsForStatusOf: { update: operations.update, delete: operations.delete },

    validations: [regionIsUp, engineIsOffered(engine)],
    readOperation: operations.get,
    idOf: (reply) => String(reply.id),
    toOutputs: (reply) => {
      const shown = shownOf(reply);
      return {
        ...shown,
        engine: `${reply.engine}/${reply.version}`,
        ...("replicationType" in shown ? { replicationType: asRequested(shown["replicationType"]) } : {}),
      };
    },
    read: (client, { id: instanceId }) => client[engine].get({ instanceId }),
    list: (client, _, options) => client[engine].list.all(options),
    update: ({ client, ref, write }: Writing) =>
      write(operations.update, (body) => client[engine].update({ instanceId: ref.id }, body)),
    delete: (client, { id: instanceId }) => client[engine].delete({ instanceId }),
  } satisfies Partial<Description<Database, Fields, ReturnType<typeof databaseOutputs>>>;
}
