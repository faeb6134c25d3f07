// Written by `npm run generate` from src/resources.
export * from "./index";
export { NodePool } from "./components/plugin";
export { PluginProvider as Provider } from "./provider/program/provider";
export {
  Domain,
  DomainRecord,
  DomainRecordSet,
  Image,
  MysqlDatabase,
  MysqlDatabaseBackup,
  Node,
  NodeBackupSnapshot,
  PostgresqlDatabase,
  PostgresqlDatabaseBackup,
} from "./sdk/plugin";
