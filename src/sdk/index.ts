export {
  type AnyDomainArgs,
  type CommonDomainArgs,
  type CopiedDomainArgs,
  Domain,
  type DomainArgs,
  type ImportedDomainArgs,
  type MasterDomainArgs,
  type SlaveDomainArgs,
} from "./domain";
export { DomainRecord, type DomainRecordArgs, type RecordPlaceArgs } from "./domain-record";
export { DomainRecordSet, type DomainRecordSetArgs } from "./domain-record-set";
export { Image, type ImageArgs } from "./image";
export { MysqlDatabase, type MysqlDatabaseArgs } from "./mysql-database";
export { MysqlDatabaseBackup, type MysqlDatabaseBackupArgs } from "./mysql-database-backup";
export { Node, type NodeArgs } from "./node";
export { NodeBackupSnapshot, type NodeBackupSnapshotArgs } from "./node-backup-snapshot";
export { PostgresqlDatabase, type PostgresqlDatabaseArgs } from "./postgresql-database";
export { PostgresqlDatabaseBackup, type PostgresqlDatabaseBackupArgs } from "./postgresql-database-backup";
export type {
  AnyRecordArgs,
  CaaRecordArgs,
  CommonRecordArgs,
  DomainRecordSetRecord,
  MxRecordArgs,
  PlainRecordArgs,
  RecordValue,
  SrvRecordArgs,
} from "./families/record-args";
