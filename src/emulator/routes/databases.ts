import { type z } from "zod";
import { databases, mysql, type mysqlDatabaseCreate, postgresql } from "../../api/databases";
import { engines } from "../../api/engines";
import { CA_CERTIFICATE, ENGINES } from "../operations/catalogue";
import { randomText } from "../store/chance";
import { addressFaults, regionFaults } from "../operations/checks";
import { loopbackAddress } from "../operations/loopback";
import {
  type EndpointCall,
  type Handlers,
  type SoundCall,
  byId,
  byName,
  endpoints,
} from "../operations/endpoint";
import { type Store } from "../kind/kind";
import { type DatabaseEngine, type DatabaseEntity, type DatabaseFields, database } from "../kinds/database";
import { databaseBackup, listedBackups, takeSnapshot } from "../kinds/database-backup";
import { type Reason, among } from "../base/refusal";
import { withoutUndefined } from "../operations/values";

/** The body of a creation, for both engines. */
type Create = Omit<z.output<typeof mysqlDatabaseCreate>, "replication_type"> & {
  replication_type?: string | undefined;
  replication_commit_type?: string | undefined;
};

const PORTS: Readonly<Record<DatabaseEngine, number>> = { mysql: 3306, postgresql: 5432 };

const UPDATE_DEFAULTS = { allow_list: [] };

/** An item of the list over all engines. It has fewer fields, and the path of the whole database. */
function acrossEngines({
  ssl_connection: _ssl,
  port: _port,
  replication_type: _type,
  replication_commit_type: _commit,
  ...shared
}: DatabaseFields) {
  return { ...shared, instance_uri: `/v4/databases/${shared.engine}/instances/${shared.id}` };
}

/** The reasons to refuse bodies that both engines take. */
function sharedChecks(store: Store, kind: DatabaseEngine) {
  const table = store.table(database);

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

function engineFaults(id: string | undefined, kind: DatabaseEngine): Reason[] {
  const isKnown = id === undefined || ENGINES.some((engine) => engine.id === id && engine.engine === kind);
  return isKnown ? [] : [{ field: "engine", reason: `is not a known version of ${kind}` }];
}

/** Requests say `asynch`; answers show `async`. */
const shownReplication = (type: string): string => (type === "asynch" ? "async" : type);

function newFields(id: number, kind: DatabaseEngine, created: string, body: Create): DatabaseFields {
  const [, version = ""] = body.engine.split("/");
  return {
    id,
    label: body.label,
    engine: kind,
    version,
    region: body.region,
    type: body.type,
    status: "provisioning",
    cluster_size: body.cluster_size ?? 1,
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
}

function create(store: Store, kind: DatabaseEngine, body: Create): DatabaseFields {
  const table = store.table(database);
  const id = store.nextId();
  const fields = newFields(id, kind, store.clock.date(), body);
  const entity = table.insert(id, fields, {
    root_password: randomText(store.randomBytes),
    credentials_were_reset: false,
    auto_backups_until: 0,
  });
  const host = (role: string, which: 0 | 1) =>
    loopbackAddress(store, id, which) ?? `db-${kind}-${id}-${role}.databases.nodecloud.example`;
  const provisioned = table.begin(entity, database.transitions.provision, () => ({
    hosts: {
      primary: host("primary", 0),
      secondary: fields.cluster_size === 3 ? host("secondary", 1) : null,
    },
  }));
  table.change(entity, {}, { auto_backups_until: provisioned });
  return fields;
}

/** The operations that both engines have. */
function sharedHandlers(store: Store, kind: DatabaseEngine) {
  const { clock } = store;
  const table = store.table(database);
  const { transitions } = database;

  return {
    list: () => table.all().flatMap(({ fields }) => (fields.engine === kind ? fields : [])),
    create: ({ body }: { body: Create }) => create(store, kind, body),
    get: ({ subject }: { subject: DatabaseEntity }) => subject.fields,
    update({ subject, body: { updates, ...rest } }: EndpointCall<(typeof mysql)["update"], DatabaseEntity>) {
      table.change(subject, withoutUndefined(rest));
      table.merge(subject, { updated: clock.date(), updates: withoutUndefined(updates ?? {}) });
      table.begin(subject, transitions.update);
      return subject.fields;
    },
    delete({ subject }: { subject: DatabaseEntity }) {
      table.begin(subject, transitions.delete);
      return {};
    },
    listBackups: ({ subject }: { subject: DatabaseEntity }) =>
      listedBackups(store, subject).map(({ fields }) => fields),
    createBackup({ subject, body }: EndpointCall<(typeof mysql)["createBackup"], DatabaseEntity>) {
      takeSnapshot(store, subject, body.label);
      return {};
    },
  };
}

function ofEngine(store: Store, kind: DatabaseEngine) {
  return byId(store.table(database), ({ engine }) => engine === kind);
}

function postgresqlEndpoints(store: Store) {
  return endpoints(
    postgresql,
    ofEngine(store, "postgresql"),
    sharedHandlers(store, "postgresql"),
    sharedChecks(store, "postgresql"),
    UPDATE_DEFAULTS,
  );
}

const findBackup = (store: Store, entity: DatabaseEntity, backupId: number) =>
  among(listedBackups(store, entity), backupId);

function mysqlEndpoints(store: Store) {
  const table = store.table(database);
  const { transitions } = database;
  const handlers: Handlers<typeof mysql, DatabaseEntity> = {
    ...sharedHandlers(store, "mysql"),
    getBackup: ({ subject, params }) => findBackup(store, subject, params.backupId).fields,
    deleteBackup({ subject, params }) {
      store.table(databaseBackup).remove(findBackup(store, subject, params.backupId).id);
      return {};
    },
    restoreBackup({ subject, params }) {
      findBackup(store, subject, params.backupId);
      const { restore, restoreAfterReset } = transitions;
      table.begin(subject, subject.hidden.credentials_were_reset ? restoreAfterReset : restore);
      return {};
    },
    getCredentials: ({ subject }) => ({ username: "root", password: subject.hidden.root_password }),
    resetCredentials({ subject }) {
      const root_password = randomText(store.randomBytes);
      table.change(subject, {}, { credentials_were_reset: true });
      // The reference requires no status here. A change under way continues, and the new password is valid at once.
      if (subject.moves.length > 0) table.change(subject, {}, { root_password });
      else table.begin(subject, transitions.resetCredentials, () => ({ root_password }));
      return {};
    },
    patch({ subject }) {
      table.begin(subject, transitions.patch);
      return {};
    },
    getSslCertificate: () => ({ ca_certificate: Buffer.from(CA_CERTIFICATE).toString("base64") }),
  };
  return endpoints(mysql, ofEngine(store, "mysql"), handlers, sharedChecks(store, "mysql"), UPDATE_DEFAULTS);
}

export const routes = {
  engines: () => endpoints(engines, byName(ENGINES), { list: () => ENGINES, get: ({ subject }) => subject }),
  databases: (store: Store) => {
    const table = store.table(database);
    const list = () => table.all().map(({ fields }) => acrossEngines(fields));
    return endpoints(databases, byId(table), { list });
  },
  mysql: mysqlEndpoints,
  postgresql: postgresqlEndpoints,
};
