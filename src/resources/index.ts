export { Domain, type DomainArgs } from "./domain";
export { DomainRecord, type DomainRecordArgs } from "./domain-record";
export { Image, type ImageArgs } from "./image";
export { MysqlDatabase, type MysqlDatabaseArgs } from "./mysql-database";
export { Node, type NodeArgs } from "./node";
export { NodeBackupSnapshot, type NodeBackupSnapshotArgs } from "./node-backup-snapshot";
export { PostgresqlDatabase, type PostgresqlDatabaseArgs } from "./postgresql-database";
