import type * as pulumi from "@pulumi/pulumi";
import { NodeCloudResource } from "../../provider/program/resource";

/** Inputs that the databases of all engines have. */
export interface DatabaseArgs {
  /** 3 to 32 characters, unique in the account. @default the resource's name and a derived suffix. A change updates. */
  label?: pulumi.Input<string>;
  /** Region id, such as `us-east`. A change replaces the database. */
  region: pulumi.Input<string>;
  /** Type id of its nodes, such as `g6-standard-1`. A change replaces the database. */
  type: pulumi.Input<string>;
  /** `<engine>/<version>`, such as `mysql/8.0.30`. A change replaces the database. */
  engine: pulumi.Input<string>;
  /** 1, or 3 for high availability. @default 1. A change replaces the database. */
  clusterSize?: pulumi.Input<1 | 3>;
  /** @default false. A change replaces the database. */
  encrypted?: pulumi.Input<boolean>;
  /** Whether SSL is required to connect. @default true. A change replaces the database. */
  sslConnection?: pulumi.Input<boolean>;
  /**
   * IP addresses and CIDR ranges that may connect; their order means nothing. `[]`, the default, lets nobody in, and `0.0.0.0/0` everybody.
   * A change updates.
   */
  allowList?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The maintenance window, in which the operating system is patched. A database with `clusterSize: 1` has downtime then. Its bounds are not
   * documented. A change updates; what is not set is left as it is.
   */
  updates?: pulumi.Input<{
    dayOfWeek?: pulumi.Input<number>;
    duration?: pulumi.Input<number>;
    /** `weekly` and `monthly` are known. */
    frequency?: pulumi.Input<string>;
    hourOfDay?: pulumi.Input<number>;
    weekOfMonth?: pulumi.Input<number>;
  }>;
}

/** Host names of a database. A creation waits for the primary one; `get` of a database that is being provisioned finds none. */
export interface DatabaseHosts {
  primary: string;
  /** Only with `clusterSize: 3`. */
  secondary?: string;
}

/** The maintenance window of a database. */
export interface DatabaseUpdates {
  dayOfWeek?: number;
  duration?: number;
  frequency?: string;
  hourOfDay?: number;
  weekOfMonth?: number;
}

/** The outputs that the databases of all engines have. */
export abstract class DatabaseResource extends NodeCloudResource {
  declare readonly label: pulumi.Output<string>;
  declare readonly region: pulumi.Output<string>;
  declare readonly type: pulumi.Output<string>;
  /** `<engine>/<version>`. */
  declare readonly engine: pulumi.Output<string>;
  declare readonly version: pulumi.Output<string>;
  declare readonly clusterSize: pulumi.Output<number>;
  declare readonly encrypted: pulumi.Output<boolean>;
  declare readonly sslConnection: pulumi.Output<boolean>;
  declare readonly replicationType: pulumi.Output<string>;
  declare readonly allowList: pulumi.Output<string[]>;
  declare readonly updates: pulumi.Output<DatabaseUpdates>;
  /** `provisioning`, `active`, … The service may add others. */
  declare readonly status: pulumi.Output<string>;
  declare readonly hosts: pulumi.Output<DatabaseHosts>;
  declare readonly port: pulumi.Output<number>;
  /** `YYYY-MM-DDThh:mm:ss`. */
  declare readonly created: pulumi.Output<string>;
  declare readonly updated: pulumi.Output<string>;
}
