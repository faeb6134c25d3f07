import * as pulumi from "@pulumi/pulumi";
import {
  type Domain,
  type DatabaseHosts,
  type DatabaseUpdates,
  type DatabaseUpdatesArgs,
  type MysqlDatabase,
  Node,
  type NodeAlerts,
  type NodeAlertsArgs,
  type NodeBackups,
  type NodeBackupsArgs,
  type NodeBackupSchedule,
  type NodeBackupScheduleArgs,
  type NodeBackupSnapshot,
  type NodeBackupDisk,
  type NodeInterface,
  type NodeInterfaceArgs,
  type NodeMetadata,
  type NodeMetadataArgs,
  type NodeRestore,
  type NodeRestoreArgs,
  type NodeSpecs,
  PostgresqlDatabase,
  type RecordValue,
} from "../../src";

declare const node: Node;
declare const snapshot: NodeBackupSnapshot;
declare const db: MysqlDatabase;
declare const domain: Domain;

/** Programs can name the type of every object in an output. */
export const alerts: pulumi.Output<NodeAlerts> = node.alerts;
export const backups: pulumi.Output<NodeBackups> = node.backups;
export const specs: pulumi.Output<NodeSpecs> = node.specs;
export const interfaces: pulumi.Output<NodeInterface[] | undefined> = node.interfaces;
export const disks: pulumi.Output<NodeBackupDisk[]> = snapshot.disks;
export const hosts: pulumi.Output<DatabaseHosts> = db.hosts;
export const updates: pulumi.Output<DatabaseUpdates> = db.updates;
export const weekly: pulumi.Output<NodeBackupSchedule | undefined> = node.backups.apply(
  ({ schedule }) => schedule,
);
export const restored: pulumi.Output<NodeRestore | undefined> = node.restoreFromBackup;
export const metadata: pulumi.Output<NodeMetadata | undefined> = node.metadata;
export const record: RecordValue = { type: "A", target: "192.0.2.1" };

/** Programs can name the types of every object in an input: with outputs, and as a plain value. */
const nic: NodeInterfaceArgs = { purpose: "vlan", label: pulumi.output("inner"), ipamAddress: "10.0.0.1/24" };
const plain: NodeInterface = { purpose: "public" };
const levels: NodeAlertsArgs = { cpu: pulumi.output(90) };
const days: NodeBackupScheduleArgs = { day: pulumi.output("Monday") };
const schedule: NodeBackupsArgs = { schedule: days };
const cloudInit: NodeMetadataArgs = { userData: pulumi.secret("aGk=") };
const restore: NodeRestoreArgs = { backupId: snapshot.id };
const base = { region: "us-east", type: "g6-nanode-1" };
new Node("nested", {
  ...base,
  interfaces: [plain, nic],
  alerts: levels,
  backups: schedule,
  restoreFromBackup: restore,
  metadata: cloudInit,
});
const window: DatabaseUpdatesArgs = { frequency: "weekly", hourOfDay: 4 };
new PostgresqlDatabase("app", { ...base, engine: "postgresql/14.6", updates: window });
// An output of one resource is an input of another.
new Node("same", { ...base, alerts: node.alerts });

/** An open list accepts any string, and suggests the documented values. */
export const other: NodeInterfaceArgs = { purpose: "bridge" };
type Listed<Text> = Text extends string ? (string extends Text ? never : Text) : never;
export const documented: Listed<NodeInterface["purpose"]> = "vlan";
// @ts-expect-error -- only documented values are suggested
export const unlisted: Listed<NodeInterface["purpose"]> = "bridge";
export const status: Listed<pulumi.Unwrap<typeof node.status>> = "running";
export const type: Listed<pulumi.Unwrap<typeof domain.type>> = "master";
domain.type.apply((known) => known === "something new");
// @ts-expect-error -- what no answer shows is what the program may set
node.resize.apply((known) => known === "something new");
export const replication: Listed<pulumi.Unwrap<typeof db.replicationType>> = "semi_synch";
// @ts-expect-error -- the other engine has other values
export const asynchronous: Listed<pulumi.Unwrap<PostgresqlDatabase["replicationType"]>> = "semi_synch";

// @ts-expect-error -- an interface has a purpose
export const without: NodeInterfaceArgs = { label: "eth0" };
// @ts-expect-error -- a closed list accepts no other string
new PostgresqlDatabase("app", { ...base, engine: "postgresql/14.6", replicationType: "semi_synch" });
