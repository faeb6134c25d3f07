import type * as pulumi from "@pulumi/pulumi";
import { type Database as Reply, postgresql, postgresqlCreate } from "../api/databases";
import { defineResource } from "../provider/define";
import { replace } from "../provider/fields";
import { type DatabaseArgs, databaseFamily, DatabaseResource } from "./families/database";

/** Inputs of a {@link PostgresqlDatabase}. */
export interface PostgresqlDatabaseArgs extends DatabaseArgs {
  /** A change replaces the database. */
  replicationType?: pulumi.Input<"none" | "asynch">;
  /** @default "local". A change replaces the database. */
  replicationCommitType?: pulumi.Input<"on" | "local" | "remote_write" | "remote_apply" | "off">;
}

const family = databaseFamily({
  type: "PostgresqlDatabase",
  kind: "postgresql",
  operations: postgresql,
  family: (client) => client.postgresql,
  body: postgresqlCreate,
  create: ({ client, body }) => client.postgresql.create(body(postgresql.create)),
  fields: {
    replicationCommitType: replace(postgresqlCreate.shape.replication_commit_type, { default: "local" }),
  },
});

/** Operations that the API shows for MySQL only. */
const onlyMysql = (operation: string) =>
  `is only for MySQL: the API shows no operation to ${operation} a PostgreSQL database`;

const postgresqlDatabase = defineResource<Reply>({
  ...family,
  absent: {
    ...family.absent,
    credentialsResetTrigger: onlyMysql("reset the credentials of"),
    rootPassword: onlyMysql("view or set the credentials of"),
    caCertificate: onlyMysql("view the certificate of"),
    patchTrigger: onlyMysql("patch"),
    restoreFromBackupId: onlyMysql("restore a backup of"),
  },
});

/**
 * A managed PostgreSQL database. Its provisioning takes 15 to 30 minutes. The API shows no operations for its credentials, certificate, patches and restores.
 *
 * ```ts
 * new nodecloud.PostgresqlDatabase("app", {
 *   region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6", allowList: ["192.0.2.0/24"],
 * });
 * ```
 */
export class PostgresqlDatabase extends DatabaseResource {
  /** @internal */
  static readonly description = postgresqlDatabase;

  declare readonly replicationCommitType: pulumi.Output<string>;

  constructor(name: string, args: PostgresqlDatabaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(postgresqlDatabase, name, args, opts);
  }

  /** Reads a database that another program or person manages. Its id is a number. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): PostgresqlDatabase {
    return DatabaseResource.existing(PostgresqlDatabase, name, id, opts);
  }
}
