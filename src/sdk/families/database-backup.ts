import type * as pulumi from "@pulumi/pulumi";
import { NodeCloudResource } from "../../provider/program/resource";

/** Inputs that the backups of databases of all engines have, beside the database. */
export interface DatabaseBackupArgs {
  /**
   * 1 to 30 ASCII letters and numbers. @default the resource's name, as far as it is made of these, and a derived suffix. A change takes
   * a new backup.
   */
  label?: pulumi.Input<string>;
  /**
   * Which of the database's nodes to take the backup of. No answer shows it, and what `secondary` does is not documented.
   * @default "primary". A change takes a new backup.
   */
  target?: pulumi.Input<"primary" | "secondary">;
  /** Any values: when one of them changes, a new backup takes the place of this one. A change takes a new backup. */
  triggers?: pulumi.Input<Record<string, unknown>>;
}

/** The outputs that the backups of databases of all engines have. */
export abstract class DatabaseBackupResource extends NodeCloudResource {
  declare readonly databaseId: pulumi.Output<string>;
  declare readonly label: pulumi.Output<string>;
  declare readonly target: pulumi.Output<string | undefined>;
  declare readonly triggers: pulumi.Output<Record<string, unknown> | undefined>;
  /** `snapshot`, or `auto` for one of the daily backups that was read or adopted. */
  declare readonly type: pulumi.Output<string>;
  /** `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
}
