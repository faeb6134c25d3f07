// Written by `npm run generate` from src/resources.
import type * as pulumi from "@pulumi/pulumi";
import { pluginRegistrar } from "../provider/program/plugin-registrar";
import { isOfType, NodeCloudResource } from "../provider/program/resource";
import { Domain as DynamicDomain } from "./domain";
import { DomainRecord as DynamicDomainRecord } from "./domain-record";
import { DomainRecordSet as DynamicDomainRecordSet } from "./domain-record-set";
import { Image as DynamicImage } from "./image";
import { MysqlDatabase as DynamicMysqlDatabase } from "./mysql-database";
import { MysqlDatabaseBackup as DynamicMysqlDatabaseBackup } from "./mysql-database-backup";
import { Node as DynamicNode } from "./node";
import { NodeBackupSnapshot as DynamicNodeBackupSnapshot } from "./node-backup-snapshot";
import { PostgresqlDatabase as DynamicPostgresqlDatabase } from "./postgresql-database";
import { PostgresqlDatabaseBackup as DynamicPostgresqlDatabaseBackup } from "./postgresql-database-backup";
import { outlines } from "./outlines";

/**
 * A DNS domain. The service is not a registrar: you must own the domain, and delegate it to the service's nameservers at
 * your registrar. A replacement first deletes the old domain with all its records, because the name is unique.
 *
 * ```ts
 * const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
 * new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });
 * ```
 */
export class Domain extends DynamicDomain {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.Domain);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a domain of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is Domain {
    return isOfType(outlines.Domain, object, pluginRegistrar.typeOf(outlines.Domain));
  }

  /**
   * Reads an existing domain without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the domain. It has the form 123.
   * @param opts The options of the resource.
   */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): Domain {
    return NodeCloudResource.existing(Domain, name, id, opts);
  }
}

/**
 * A record of a DNS domain.
 *
 * ```ts
 * new nodecloud.DomainRecord("mail", { domainId: zone.id, type: "MX", target: "mx.example.net", priority: 10 });
 * ```
 */
export class DomainRecord extends DynamicDomainRecord {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.DomainRecord);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a record of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is DomainRecord {
    return isOfType(outlines.DomainRecord, object, pluginRegistrar.typeOf(outlines.DomainRecord));
  }

  /**
   * Reads an existing record without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the record. It has the form domainId/recordId, such as 12/345.
   * @param opts The options of the resource.
   */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DomainRecord {
    return NodeCloudResource.existing(DomainRecord, name, id, opts);
  }
}

/**
 * Many records of a domain as one resource. The engine takes one step for all of them. The id is the id of the domain, or
 * `domainId/subdomain` if the set has a subdomain.
 *
 * ```ts
 * new nodecloud.DomainRecordSet("zone", {
 *   domainId: zone.id,
 *   records: [
 *     { type: "A", target: "192.0.2.10" },
 *     { type: "CNAME", name: "www", target: "example.org" },
 *     { type: "MX", target: "mx.example.net", priority: 10 },
 *   ],
 * });
 * ```
 */
export class DomainRecordSet extends DynamicDomainRecordSet {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.DomainRecordSet);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a set of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is DomainRecordSet {
    return isOfType(outlines.DomainRecordSet, object, pluginRegistrar.typeOf(outlines.DomainRecordSet));
  }

  /**
   * Reads an existing set without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the set. It has the form 123 or 123/subdomain.
   * @param opts The options of the resource.
   */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DomainRecordSet {
    return NodeCloudResource.existing(DomainRecordSet, name, id, opts);
  }
}

/**
 * A private image to deploy nodes from. It is captured from a disk or uploaded from a file.
 *
 * ```ts
 * const golden = new nodecloud.Image("golden", { source: "build/disk.img.gz", region: "us-east" });
 * new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: golden.id });
 * ```
 */
export class Image extends DynamicImage {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.Image);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is an image of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is Image {
    return isOfType(outlines.Image, object, pluginRegistrar.typeOf(outlines.Image));
  }

  /**
   * Reads an existing image without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the image. It has the form private/123.
   * @param opts The options of the resource.
   */
  static override get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Image {
    return NodeCloudResource.existing(Image, name, id, opts);
  }
}

/**
 * A managed MySQL database. Provisioning takes about 15 to 30 minutes. The service backs the database up daily and keeps
 * these backups for 7 days. A database with one node has downtime during maintenance.
 *
 * ```ts
 * const db = new nodecloud.MysqlDatabase("app", {
 *   region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", allowList: ["192.0.2.0/24"],
 * });
 * export const password = db.rootPassword;
 * ```
 */
export class MysqlDatabase extends DynamicMysqlDatabase {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.MysqlDatabase);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a database of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is MysqlDatabase {
    return isOfType(outlines.MysqlDatabase, object, pluginRegistrar.typeOf(outlines.MysqlDatabase));
  }

  /**
   * Reads an existing database without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the database. It has the form 123.
   * @param opts The options of the resource.
   */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): MysqlDatabase {
    return NodeCloudResource.existing(MysqlDatabase, name, id, opts);
  }
}

/**
 * A backup of a MySQL database. The provider takes it when it creates the resource, which takes several minutes. A
 * database keeps at most 3 of these backups. To restore a backup, set `restoreFromBackupId` of the MysqlDatabase to its
 * id.
 *
 * ```ts
 * new nodecloud.MysqlDatabaseBackup("before-upgrade", { databaseId: db.id, triggers: { release: "v2" } });
 * ```
 */
export class MysqlDatabaseBackup extends DynamicMysqlDatabaseBackup {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.MysqlDatabaseBackup);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a backup of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is MysqlDatabaseBackup {
    return isOfType(
      outlines.MysqlDatabaseBackup,
      object,
      pluginRegistrar.typeOf(outlines.MysqlDatabaseBackup),
    );
  }

  /**
   * Reads an existing backup without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the backup. It has the form databaseId/backupId, such as 12/345.
   * @param opts The options of the resource.
   */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): MysqlDatabaseBackup {
    return NodeCloudResource.existing(MysqlDatabaseBackup, name, id, opts);
  }
}

/**
 * A node: a virtual machine.
 *
 * ```ts
 * const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
 * export const address = web.ipv4.apply((addresses) => addresses[0]);
 * ```
 */
export class Node extends DynamicNode {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.Node);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a node of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is Node {
    return isOfType(outlines.Node, object, pluginRegistrar.typeOf(outlines.Node));
  }

  /**
   * Reads an existing node without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the node. It has the form 123.
   * @param opts The options of the resource.
   */
  static override get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Node {
    return NodeCloudResource.existing(Node, name, id, opts);
  }
}

/**
 * A snapshot of a node. The provider takes it when it creates the resource. A node keeps one snapshot, and a new one
 * overwrites it: declare at most one NodeBackupSnapshot per node. The API has no operation to delete a snapshot: if you
 * remove the resource, the snapshot stays on the node.
 *
 * ```ts
 * new nodecloud.NodeBackupSnapshot("before-upgrade", { nodeId: web.id, triggers: { release: "v2" } });
 * ```
 */
export class NodeBackupSnapshot extends DynamicNodeBackupSnapshot {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.NodeBackupSnapshot);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a snapshot of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is NodeBackupSnapshot {
    return isOfType(outlines.NodeBackupSnapshot, object, pluginRegistrar.typeOf(outlines.NodeBackupSnapshot));
  }

  /**
   * Reads an existing snapshot without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the snapshot. It has the form nodeId/backupId, such as 12/345.
   * @param opts The options of the resource.
   */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): NodeBackupSnapshot {
    return NodeCloudResource.existing(NodeBackupSnapshot, name, id, opts);
  }
}

/**
 * A managed PostgreSQL database. Provisioning takes about 15 to 30 minutes. The service backs the database up daily and
 * keeps these backups for 7 days. A database with one node has downtime during maintenance. The API has no operations for
 * its credentials, certificate, patches and restores.
 *
 * ```ts
 * new nodecloud.PostgresqlDatabase("app", {
 *   region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6", allowList: ["192.0.2.0/24"],
 * });
 * ```
 */
export class PostgresqlDatabase extends DynamicPostgresqlDatabase {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.PostgresqlDatabase);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a database of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is PostgresqlDatabase {
    return isOfType(outlines.PostgresqlDatabase, object, pluginRegistrar.typeOf(outlines.PostgresqlDatabase));
  }

  /**
   * Reads an existing database without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the database. It has the form 123.
   * @param opts The options of the resource.
   */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): PostgresqlDatabase {
    return NodeCloudResource.existing(PostgresqlDatabase, name, id, opts);
  }
}

/**
 * A backup of a PostgreSQL database. The provider takes it when it creates the resource, which takes several minutes. A
 * database keeps at most 3 of these backups. The API has no operation to delete or restore one: if you remove the
 * resource, the backup stays in the account.
 *
 * ```ts
 * new nodecloud.PostgresqlDatabaseBackup("before-upgrade", { databaseId: db.id, triggers: { release: "v2" } });
 * ```
 */
export class PostgresqlDatabaseBackup extends DynamicPostgresqlDatabaseBackup {
  /** @internal */
  static override readonly __pulumiType: string = pluginRegistrar.typeOf(outlines.PostgresqlDatabaseBackup);

  /** @internal */
  static readonly registrar = pluginRegistrar;

  /** Whether an object is a backup of this class, of another copy of the package, or in the form in which policies get it. */
  static override isInstance(object: unknown): object is PostgresqlDatabaseBackup {
    return isOfType(
      outlines.PostgresqlDatabaseBackup,
      object,
      pluginRegistrar.typeOf(outlines.PostgresqlDatabaseBackup),
    );
  }

  /**
   * Reads an existing backup without managing it.
   * @param name The name of the resource in the program.
   * @param id The id of the backup. It has the form databaseId/backupId, such as 12/345.
   * @param opts The options of the resource.
   */
  static override get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): PostgresqlDatabaseBackup {
    return NodeCloudResource.existing(PostgresqlDatabaseBackup, name, id, opts);
  }
}
