import { type z } from "zod";
import { databases, engines, mysql, type mysqlCreate, postgresql } from "../../api/databases";
import { type DatabaseUpdate } from "../../api/types/databases";
import { CA_CERTIFICATE, ENGINES } from "../catalogue";
import { randomText } from "../chance";
import { addressFaults, regionFaults } from "../checks";
import { listedBackups, takeBackup } from "../database-backups";
import { type Call, type Handlers, type SoundCall, byId, byName, endpoints } from "../endpoint";
import { type DatabaseEntity, type DatabaseFields, type Store } from "../objects";
import { type Reason, notFound } from "../refusal";
import { TRANSITIONS } from "../transitions";
import { given } from "../values";

type Kind = "mysql" | "postgresql";

/** The body of a creation, whichever the engine. */
type Create = Omit<z.output<typeof mysqlCreate>, "replication_type"> & {
  replication_type?: string | undefined;
  replication_commit_type?: string | undefined;
};

const PORTS: Readonly<Record<Kind, number>> = { mysql: 3306, postgresql: 5432 };

const UPDATE_DEFAULTS = { allow_list: [] };

export function engineEndpoints() {
  return endpoints(engines, byName(ENGINES), {
    list: () => ENGINES,
    get: ({ subject }) => subject,
  });
}

export function allDatabaseEndpoints({ databases: table }: Store) {
  return endpoints(databases, byId(table), {
    list: () => table.all().map(({ fields }) => acrossEngines(fields)),
  });
}

/** An item of the list over all engines, which shows less and where to find the rest. */
function acrossEngines(fields: DatabaseFields) {
  const { id, label, engine, version, region, type, status, cluster_size, encrypted } = fields;
  const { allow_list, hosts, updates, created, updated } = fields;
  const instance_uri = `/v4/databases/${engine}/instances/${id}`;
  return {
    ...{ id, label, engine, version, region, type, status, cluster_size, encrypted },
    ...{ allow_list, hosts, updates, created, updated, instance_uri },
  };
}

/** What is wrong with the bodies that both engines take. */
function sharedChecks({ databases: table }: Store, kind: Kind) {
  function labelFaults(label: string | undefined, but?: DatabaseEntity): Reason[] {
    const isTaken = table.all().some((other) => other !== but && other.fields.label === label);
    return isTaken ? [{ field: "label", reason: "is taken by another database" }] : [];
  }

  return {
    create: ({ body }: { body: Partial<Create> }): Reason[] => [
      ...labelFaults(body.label),
      ...regionFaults(body.region),
      ...engineFaults(body.engine, kind),
      ...addressFaults("allow_list", body.allow_list),
    ],
    update: ({ subject, body }: SoundCall<(typeof mysql)["update"], DatabaseEntity>): Reason[] => [
      ...labelFaults(body.label, subject),
      ...addressFaults("allow_list", body.allow_list),
    ],
  };
}

function engineFaults(id: string | undefined, kind: Kind): Reason[] {
  const isKnown = id === undefined || ENGINES.some((engine) => engine.id === id && engine.engine === kind);
  return isKnown ? [] : [{ field: "engine", reason: `is not a known version of ${kind}` }];
}

/** What both engines do. */
function sharedHandlers(store: Store, kind: Kind) {
  const { databases: table, clock } = store;

  function create(body: Create): DatabaseFields {
    const [, version = ""] = body.engine.split("/");
    const id = store.nextId();
    const created = clock.date();
    const cluster_size = body.cluster_size ?? 1;
    const fields: DatabaseFields = {
      id,
      label: body.label,
      engine: kind,
      version,
      region: body.region,
      type: body.type,
      status: "provisioning",
      cluster_size,
      encrypted: body.encrypted ?? false,
      ssl_connection: body.ssl_connection ?? true,
      allow_list: body.allow_list ?? [],
      hosts: { primary: null, secondary: null },
      port: PORTS[kind],
      updates: { day_of_week: 1, duration: 3, frequency: "weekly", hour_of_day: 0, week_of_month: null },
      created,
      updated: created,
      replication_type: shownReplication(body.replication_type ?? "none"),
      ...(kind === "postgresql" && { replication_commit_type: body.replication_commit_type ?? "local" }),
    };
    const database = table.insert(id, fields, {
      root_password: randomText(store.randomBytes),
      credentials_were_reset: false,
      auto_backups_until: 0,
    });
    const host = (role: string) => `db-${kind}-${id}-${role}.databases.nodecloud.example`;
    table.begin(database, TRANSITIONS.database.provision, () => ({
      hosts: { primary: host("primary"), secondary: cluster_size === 3 ? host("secondary") : null },
    }));
    table.change(database, {}, { auto_backups_until: database.moves.at(-1)?.at ?? clock.now() });
    return fields;
  }

  function update(database: DatabaseEntity, body: DatabaseUpdate): DatabaseFields {
    const { updates, ...rest } = body;
    table.change(database, given(rest));
    table.merge(database, { updated: clock.date(), updates: given(updates ?? {}) });
    table.begin(database, TRANSITIONS.database.update);
    return database.fields;
  }

  return {
    list: () =>
      table
        .all()
        .map(({ fields }) => fields)
        .filter(({ engine }) => engine === kind),
    create: ({ body }: { body: Create }) => create(body),
    get: ({ subject }: { subject: DatabaseEntity }) => subject.fields,
    update: ({ subject, body }: Call<(typeof mysql)["update"], DatabaseEntity>) => update(subject, body),
    delete({ subject }: { subject: DatabaseEntity }) {
      table.begin(subject, TRANSITIONS.database.delete);
      return {};
    },
    listBackups: ({ subject }: { subject: DatabaseEntity }) =>
      listedBackups(store, subject).map(({ fields }) => fields),
    createBackup({ subject, body }: Call<(typeof mysql)["createBackup"], DatabaseEntity>) {
      takeBackup(store, subject, body.label);
      return {};
    },
  };
}

/** Requests say `asynch`; answers show `async`. */
function shownReplication(type: string): string {
  return type === "asynch" ? "async" : type;
}

function ofKind({ databases: table }: Store, kind: Kind) {
  return byId(table, ({ engine }) => engine === kind);
}

export function postgresqlEndpoints(store: Store) {
  return endpoints(
    postgresql,
    ofKind(store, "postgresql"),
    sharedHandlers(store, "postgresql"),
    sharedChecks(store, "postgresql"),
    UPDATE_DEFAULTS,
  );
}

export function mysqlEndpoints(store: Store) {
  const { databases: table, databaseBackups } = store;

  function findBackup(database: DatabaseEntity, backupId: number) {
    const backup = listedBackups(store, database).find(({ id }) => id === backupId);
    if (!backup) throw notFound();
    return backup;
  }

  const handlers: Handlers<typeof mysql, DatabaseEntity> = {
    ...sharedHandlers(store, "mysql"),
    getBackup: ({ subject, params }) => findBackup(subject, params.backupId).fields,
    deleteBackup({ subject, params }) {
      databaseBackups.remove(findBackup(subject, params.backupId).id);
      return {};
    },
    restoreBackup({ subject, params }) {
      findBackup(subject, params.backupId);
      const { restore, restoreAfterReset } = TRANSITIONS.database;
      table.begin(subject, subject.hidden.credentials_were_reset ? restoreAfterReset : restore);
      return {};
    },
    getCredentials: ({ subject }) => ({ username: "root", password: subject.hidden.root_password }),
    resetCredentials({ subject }) {
      const root_password = randomText(store.randomBytes);
      table.change(subject, {}, { credentials_were_reset: true });
      // The reference asks for no status here: one that is changing already goes on, with the new password at once.
      if (subject.moves.length > 0) table.change(subject, {}, { root_password });
      else table.begin(subject, TRANSITIONS.database.resetCredentials, () => ({ root_password }));
      return {};
    },
    patch({ subject }) {
      table.begin(subject, TRANSITIONS.database.patch);
      return {};
    },
    getSslCertificate: () => ({ ca_certificate: Buffer.from(CA_CERTIFICATE).toString("base64") }),
  };
  return endpoints(mysql, ofKind(store, "mysql"), handlers, sharedChecks(store, "mysql"), UPDATE_DEFAULTS);
}
