import { z } from "zod";
import { database as answer } from "../../api/databases";
import { type CollectionView, type ObjectKind, onlyFields, type Path, type ShapedBy } from "../kind/kind";
import { fieldsOf, flag, moment, text } from "../kind/field-types";
import { type Entity } from "../store/table";
import { AS_BEFORE, GONE, type Transition, minutes } from "../store/transitions";

const engine = z.enum(["mysql", "postgresql"]);

const fields = {
  ...fieldsOf(answer, ["primary", "secondary", "week_of_month"]),
  engine,
  /** Only PostgreSQL has it. */
  replication_commit_type: text.exactOptional(),
};

const hidden = {
  root_password: text,
  /** A restore after a reset of the credentials fails the cluster. */
  credentials_were_reset: flag,
  /** The moment up to which the daily backups have been taken. */
  auto_backups_until: moment,
};

const transitions = {
  provision: { steps: [["provisioning", minutes(25)]], end: "active" },
  update: { steps: [["updating", 60]], end: AS_BEFORE },
  patch: { steps: [["updating", minutes(5)]], end: AS_BEFORE },
  resetCredentials: { steps: [["updating", 10]], end: AS_BEFORE },
  backup: { steps: [["backing_up", minutes(5)]], end: AS_BEFORE },
  restore: { steps: [["restoring", minutes(10)]], end: "active" },
  restoreAfterReset: { steps: [["restoring", minutes(10)]], end: "failed" },
  delete: { steps: [["suspending", 30]], end: GONE },
} as const satisfies Record<string, Transition>;

export type DatabaseEngine = z.output<typeof engine>;
export type DatabaseFields = ShapedBy<typeof fields>;
export type DatabaseHidden = ShapedBy<typeof hidden>;
export type DatabaseEntity = Entity<DatabaseFields, DatabaseHidden>;

function ofEngine(
  name: DatabaseEngine,
  title: string,
  version: string,
  place: number,
): CollectionView<DatabaseFields, Path<DatabaseFields>> {
  return {
    place,
    title,
    one: `${title} database`,
    many: `${title} databases`,
    columns: ["version", "region", "type", "cluster_size", "hosts.primary", "port", "updated"],
    changedByHand: () => ({ label: "by-hand" }),
    path: `/databases/${name}/instances`,
    example: {
      body: { label: "shop", region: "us-east", type: "g6-nanode-1", engine: `${name}/${version}` },
    },
    has: (database) => database.engine === name,
  };
}

export const database: ObjectKind<DatabaseFields, DatabaseHidden, typeof transitions> = {
  ...onlyFields,
  stored: "databases",
  fields,
  hidden,
  transitions,
  statuses: { active: "good", suspended: "idle", failed: "bad", degraded: "bad" },
  secrets: ["root_password", "password"],
  name: { column: "label", of: ({ label }) => label },
  collections: {
    mysql: ofEngine("mysql", "MySQL", "8.0.30", 30),
    postgresql: ofEngine("postgresql", "PostgreSQL", "14.6", 40),
  },
};
