// Written by `npm run generate` from src/resources.
export {
  Domain,
  type AnyDomainArgs,
  type CommonDomainArgs,
  type CopiedDomainArgs,
  type DomainArgs,
  type ImportedDomainArgs,
  type MasterDomainArgs,
  type SlaveDomainArgs,
} from "./domain";
export {
  DomainRecord,
  type AnyRecordArgs,
  type CaaRecordArgs,
  type CommonRecordArgs,
  type DomainRecordArgs,
  type DomainRecordSetRecord,
  type MxRecordArgs,
  type PlainRecordArgs,
  type RecordPlaceArgs,
  type RecordValue,
  type SrvRecordArgs,
} from "./domain-record";
export {
  DomainRecordSet,
  type CommonDomainRecordSetArgs,
  type DomainRecordSetArgs,
  type ListedDomainRecordSetArgs,
  type ZoneFileDomainRecordSetArgs,
} from "./domain-record-set";
export {
  Image,
  type AdoptedImageArgs,
  type CapturedImageArgs,
  type CommonImageArgs,
  type ImageArgs,
  type UploadedImageArgs,
} from "./image";
export { MysqlDatabase, type MysqlDatabaseArgs } from "./mysql-database";
export { MysqlDatabaseBackup, type MysqlDatabaseBackupArgs } from "./mysql-database-backup";
export { Node, type NodeArgs } from "./node";
export { NodeBackupSnapshot, type NodeBackupSnapshotArgs } from "./node-backup-snapshot";
export { PostgresqlDatabase, type PostgresqlDatabaseArgs } from "./postgresql-database";
export { PostgresqlDatabaseBackup, type PostgresqlDatabaseBackupArgs } from "./postgresql-database-backup";
export type {
  DatabaseReadyWhenArgs,
  DatabaseUpdatesArgs,
  NodeAlertsArgs,
  NodeBackupScheduleArgs,
  NodeBackupsArgs,
  NodeHttpProbeArgs,
  NodeInterfaceArgs,
  NodeMetadataArgs,
  NodeReadyWhenArgs,
  NodeRestoreArgs,
  NodeSshProbeArgs,
  NodeTcpProbeArgs,
  NodeTurnArgs,
} from "./inputs";
export type {
  DatabaseHosts,
  DatabaseReadyWhen,
  DatabaseUpdates,
  NodeAlerts,
  NodeBackupDisk,
  NodeBackupSchedule,
  NodeBackups,
  NodeHttpProbe,
  NodeInterface,
  NodeMetadata,
  NodeReadyWhen,
  NodeRestore,
  NodeSpecs,
  NodeSshProbe,
  NodeTcpProbe,
  NodeTurn,
} from "./types";
