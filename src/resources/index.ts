// Written by `npm run generate` from the files beside it.
/* eslint-disable @typescript-eslint/no-require-imports -- each is loaded on first use, with the schemas that it needs */
import type * as domain from "./domain";
import type * as domainRecord from "./domain-record";
import type * as domainRecordSet from "./domain-record-set";
import type * as image from "./image";
import type * as mysqlDatabase from "./mysql-database";
import type * as mysqlDatabaseBackup from "./mysql-database-backup";
import type * as node from "./node";
import type * as nodeBackupSnapshot from "./node-backup-snapshot";
import type * as postgresqlDatabase from "./postgresql-database";
import type * as postgresqlDatabaseBackup from "./postgresql-database-backup";

/** The description of each resource, by the name of its class. */
export const descriptions = {
  get Domain() {
    return (require("./domain") as typeof domain).domain;
  },
  get DomainRecord() {
    return (require("./domain-record") as typeof domainRecord).domainRecord;
  },
  get DomainRecordSet() {
    return (require("./domain-record-set") as typeof domainRecordSet).domainRecordSet;
  },
  get Image() {
    return (require("./image") as typeof image).image;
  },
  get MysqlDatabase() {
    return (require("./mysql-database") as typeof mysqlDatabase).mysqlDatabase;
  },
  get MysqlDatabaseBackup() {
    return (require("./mysql-database-backup") as typeof mysqlDatabaseBackup).mysqlDatabaseBackup;
  },
  get Node() {
    return (require("./node") as typeof node).node;
  },
  get NodeBackupSnapshot() {
    return (require("./node-backup-snapshot") as typeof nodeBackupSnapshot).nodeBackupSnapshot;
  },
  get PostgresqlDatabase() {
    return (require("./postgresql-database") as typeof postgresqlDatabase).postgresqlDatabase;
  },
  get PostgresqlDatabaseBackup() {
    return (require("./postgresql-database-backup") as typeof postgresqlDatabaseBackup)
      .postgresqlDatabaseBackup;
  },
};
