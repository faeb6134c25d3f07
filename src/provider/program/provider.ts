import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { SETTINGS } from "../process/config";

/** The settings of an explicit provider. Missing ones come from the environment. */
export interface ProviderSettings {
  readonly token?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly maxConcurrency?: string | undefined;
}

/** A registered symbol, so that a second copy of the package finds the settings too. */
const KEPT = Symbol.for("pulumi-nodecloud.settings");

/** The settings of an explicit provider, as a secret; undefined for any other resource. */
export function settingsOf(provider: pulumi.Resource): pulumi.Output<ProviderSettings> | undefined {
  return (provider as { [KEPT]?: () => pulumi.Output<ProviderSettings> })[KEPT]?.();
}

/** Inputs of an explicit provider. */
export interface ProviderArgs {
  /** The access token. It is kept as a secret. @default `nodecloud:token` of the stack, then `NODECLOUD_TOKEN` */
  token?: pulumi.Input<string>;
  /** The address of the API, which ends in `/v4`. @default `nodecloud:baseUrl` of the stack, then `NODECLOUD_BASE_URL` */
  baseUrl?: pulumi.Input<string>;
  /**
   * Whether a preview compares the inputs with the account: regions, images, database engines and unique names.
   * @default `nodecloud:validate` of the stack, then `NODECLOUD_VALIDATE`, then `true`
   */
  validate?: pulumi.Input<boolean>;
  /**
   * Whether a creation continues with an object that an interrupted run on another machine created: an object with the derived name, or a record
   * with the same content, that is not in the state. Set it on CI machines.
   * @default `nodecloud:resume` of the stack, then `NODECLOUD_RESUME`, then `false`
   */
  resume?: pulumi.Input<boolean>;
  /**
   * The largest number of concurrent requests to the API, from 1 to 256.
   * @default `nodecloud:maxConcurrency` of the stack, then `NODECLOUD_MAX_CONCURRENCY`, then `16`
   */
  maxConcurrency?: pulumi.Input<number>;
}

/**
 * An explicit provider: the account of the resources that have it as the option `provider`. With several, one program can manage several accounts.
 * A changed token updates the provider and none of its resources.
 *
 * ```ts
 * const staging = new nodecloud.Provider("staging", { token: config.requireSecret("stagingToken") });
 * new nodecloud.Domain("example", { domain: "example.org", type: "master", soaEmail: "dns@example.org" }, { provider: staging });
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
    // The data functions run in the program and read this. It is not enumerable, so that nothing prints or copies it.
    Object.defineProperty(this, KEPT, { value: () => sdk.secret({ token, baseUrl, maxConcurrency }) });
  }
}

const secretly = (value: pulumi.Input<string> | undefined) =>
  value === undefined ? undefined : sdk.secret(value);
