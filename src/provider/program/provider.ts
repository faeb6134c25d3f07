import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { SETTINGS } from "../process/config";

/** What an explicit provider says of the account; what it leaves out comes from the environment. */
export interface ProviderSettings {
  readonly token?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly maxConcurrency?: string | undefined;
}

/** A registered symbol, so that a second copy of the package finds it too. */
const KEPT = Symbol.for("pulumi-nodecloud.settings");

/** The settings of an explicit provider, as a secret; undefined for any other resource. */
export function settingsOf(provider: pulumi.Resource): pulumi.Output<ProviderSettings> | undefined {
  return (provider as { [KEPT]?: () => pulumi.Output<ProviderSettings> })[KEPT]?.();
}

/** Inputs of an explicit provider. */
export interface ProviderArgs {
  /** The access token, kept as a secret. @default `nodecloud:token` of the stack, then `NODECLOUD_TOKEN` */
  token?: pulumi.Input<string>;
  /** The address of the API, which ends in `/v4`. @default `nodecloud:baseUrl` of the stack, then `NODECLOUD_BASE_URL` */
  baseUrl?: pulumi.Input<string>;
  /**
   * Whether a preview looks up in the account what the inputs name: regions, images, engines, names that are taken.
   * @default `nodecloud:validate` of the stack, then `NODECLOUD_VALIDATE`, then true
   */
  validate?: pulumi.Input<boolean>;
  /**
   * Whether a creation goes on with an object of its derived name, or a record of its content, that is there and that no state has: what an
   * interrupted run on another machine has left. For CI machines.
   * @default `nodecloud:resume` of the stack, then `NODECLOUD_RESUME`, then false
   */
  resume?: pulumi.Input<boolean>;
  /**
   * How many requests to the API run at a time, from 1 to 256.
   * @default `nodecloud:maxConcurrency` of the stack, then `NODECLOUD_MAX_CONCURRENCY`, then 16
   */
  maxConcurrency?: pulumi.Input<number>;
}

/**
 * An account of its own for the resources that name it with the `provider` option, so that one program can manage several.
 * A changed token updates the provider and none of its resources.
 *
 * ```ts
 * const staging = new nodecloud.Provider("staging", { token: config.requireSecret("stagingToken") });
 * new nodecloud.Domain("example", { domain: "example.org", type: "master" }, { provider: staging });
 * ```
 */
export class Provider extends sdk.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const stack = new sdk.Config("nodecloud");
    const token = secretly(args.token ?? stack.getSecret("token"));
    const baseUrl = args.baseUrl ?? stack.get("baseUrl");
    const maxConcurrency =
      args.maxConcurrency === undefined
        ? stack.get("maxConcurrency")
        : sdk.output(args.maxConcurrency).apply(String);
    super(
      "pulumi-nodejs",
      name,
      {
        [SETTINGS.token.key]: token,
        [SETTINGS.baseUrl.key]: baseUrl,
        [SETTINGS.validate.key]:
          args.validate === undefined ? stack.get("validate") : sdk.output(args.validate).apply(String),
        [SETTINGS.resume.key]:
          args.resume === undefined ? stack.get("resume") : sdk.output(args.resume).apply(String),
        [SETTINGS.maxConcurrency.key]: maxConcurrency,
      },
      opts,
    );
    // For the data functions, which run in the program. Not enumerable: whatever prints or copies the provider passes it over.
    Object.defineProperty(this, KEPT, { value: () => sdk.secret({ token, baseUrl, maxConcurrency }) });
  }
}

const secretly = (value: pulumi.Input<string> | undefined) =>
  value === undefined ? undefined : sdk.secret(value);
