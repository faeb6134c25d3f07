import type * as pulumi from "@pulumi/pulumi";
import { descriptions } from "../resources";
import { type DatabaseArgs, DatabaseResource } from "./families/database";
import { typeOf } from "../provider/program/registration";
import { isOfType } from "../provider/program/resource";
import { outlines } from "./outlines";

/** Inputs of a {@link PostgresqlDatabase}. */
export interface PostgresqlDatabaseArgs extends DatabaseArgs {
  /** A change replaces the database. */
  replicationType?: pulumi.Input<"none" | "asynch">;
  /** @default "local". A change replaces the database. */
  replicationCommitType?: pulumi.Input<"on" | "local" | "remote_write" | "remote_apply" | "off">;
}

/**
 * A managed PostgreSQL database. Its provisioning takes 15 to 30 minutes. The service backs it up daily and keeps these backups for 7 days. A
 * database of one node has downtime while it is maintained. The API shows no operations for its credentials, certificate, patches and restores.
 *
 * ```ts
 * new nodecloud.PostgresqlDatabase("app", {
 *   region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6", allowList: ["192.0.2.0/24"],
 * });
 * ```
 */
export class PostgresqlDatabase extends DatabaseResource {
  /** @internal */
  static readonly __pulumiType: string = typeOf(outlines.PostgresqlDatabase);

  /** @internal */
  static get description() {
    return descriptions.PostgresqlDatabase;
  }

  /** Whether an object is one, also of another copy of the package or as a policy is shown it. */
  static override isInstance(object: unknown): object is PostgresqlDatabase {
    return isOfType(outlines.PostgresqlDatabase, object);
  }

  declare readonly replicationCommitType: pulumi.Output<string>;

  constructor(name: string, args: PostgresqlDatabaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(outlines.PostgresqlDatabase, name, args, opts);
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
