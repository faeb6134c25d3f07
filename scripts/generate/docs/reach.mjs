/**
 * The resources and inputs that use an operation of the API, where they differ from the resource of its family.
 * Data functions are not listed here, as their declarations name their operations.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const reach = {
  "nodes.update": [
    "Node.label",
    "Node.group",
    "Node.tags",
    "Node.alerts",
    "Node.backups",
    "Node.watchdogEnabled",
  ],
  "nodes.boot": ["Node.booted", "Node.bootConfigId"],
  "nodes.clone": ["Node.cloneFrom", "Node.disks", "Node.configs"],
  "nodes.resize": ["Node.type"],
  "nodeBackups.list": ["NodeBackupSnapshot", "Node.restoreFromBackup"],
  "nodeBackups.enable": ["Node.backupsEnabled"],
  "nodeBackups.cancel": ["Node.backupsEnabled"],
  "nodeBackups.get": ["NodeBackupSnapshot", "Node.restoreFromBackup"],
  "nodeBackups.restore": ["Node.restoreFromBackup"],
  "mysql.update": ["MysqlDatabase.label", "MysqlDatabase.allowList", "MysqlDatabase.updates"],
  "mysql.listBackups": ["MysqlDatabaseBackup"],
  "mysql.createBackup": ["MysqlDatabaseBackup"],
  "mysql.getBackup": ["MysqlDatabaseBackup"],
  "mysql.deleteBackup": ["MysqlDatabaseBackup"],
  "mysql.restoreBackup": ["MysqlDatabase.restoreFromBackupId"],
  "mysql.getCredentials": ["MysqlDatabase"],
  "mysql.resetCredentials": ["MysqlDatabase.credentialsResetTrigger"],
  "mysql.patch": ["MysqlDatabase.patchTrigger"],
  "mysql.getSslCertificate": ["MysqlDatabase"],
  "postgresql.update": [
    "PostgresqlDatabase.label",
    "PostgresqlDatabase.allowList",
    "PostgresqlDatabase.updates",
  ],
  "postgresql.listBackups": ["PostgresqlDatabaseBackup"],
  "postgresql.createBackup": ["PostgresqlDatabaseBackup"],
  "domains.import": ["Domain.importFrom"],
  "domains.clone": ["Domain.cloneFrom"],
  "records.create": ["DomainRecord", "DomainRecordSet"],
  "records.get": ["DomainRecord", "DomainRecordSet"],
  "records.list": ["DomainRecord", "DomainRecordSet"],
  "records.update": ["DomainRecord", "DomainRecordSet"],
  "records.delete": ["DomainRecord", "DomainRecordSet"],
  "images.create": ["Image.diskId"],
  "images.upload": ["Image.source", "Image.region"],
  "images.update": ["Image.label", "Image.description"],
};

/** The operations that a resource uses in its life. */
const OWN = ["list", "create", "get", "update", "delete"];

/**
 * The resources and inputs that use an operation, by `family.name`. The resource of a family is read by the `get` of it.
 * @param {string} name @param {import("../load.mjs").Sources} sources
 * @returns {readonly string[]}
 */
export function resourcesReaching(name, { descriptions, service }) {
  const [family = "", own = ""] = name.split(".");
  const named = reach[name];
  if (named !== undefined || !OWN.includes(own)) return named ?? [];
  const read = service[family]?.["get"];
  return Object.values(descriptions)
    .filter(({ readOperation }) => readOperation !== undefined && readOperation.path === read?.path)
    .map(({ type }) => type);
}
