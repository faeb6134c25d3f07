import type * as pulumi from "@pulumi/pulumi";
import { noteGivenProviders } from "./given-providers";
import { refuse } from "./refuse";
import * as sdk from "./sdk";
import { pluginOptions } from "./plugin-options";
import { withProgramFrames } from "./source-position";
import { SETTINGS, strangeSetting, policyTexts, withTextsOfStack } from "../settings/config";

/** The settings of an explicit provider. Missing ones come from the environment. */
export interface ProviderSettings {
  readonly token?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly maxConcurrency?: string | undefined;
}

/** A registered symbol, so that a second copy of the package finds the settings too. */
const KEPT = Symbol.for("pulumi-nodecloud.settings");

/** The settings of an explicit provider, as a secret; undefined for any other resource. */
export const settingsOf = (provider: pulumi.Resource): pulumi.Output<ProviderSettings> | undefined =>
  (provider as { [KEPT]?: () => pulumi.Output<ProviderSettings> })[KEPT]?.();

/** Inputs of an explicit provider. */
export interface ProviderArgs {
  /**
   * The access token. It is kept as a secret.
   * @default `nodecloud:token` of the stack, then `NODECLOUD_TOKEN`
   * @example "0123456789abcdef"
   */
  token?: pulumi.Input<string>;
  /**
   * The address of the API, which ends in `/v4`.
   * @default `nodecloud:baseUrl` of the stack, then `NODECLOUD_BASE_URL`
   * @example "http://127.0.0.1:8080/v4"
   */
  baseUrl?: pulumi.Input<string>;
  /**
   * Whether a preview compares the inputs with the account: regions, images, database engines and unique names.
   * @default `nodecloud:validate` of the stack, then `NODECLOUD_VALIDATE`, then `true`
   * @example false
   */
  validate?: pulumi.Input<boolean>;
  /**
   * Whether a creation continues with an object that an interrupted run on another machine created: the state has the pending creation, and
   * exactly one object has its name or content and equal inputs. Set it on CI machines.
   * @default `nodecloud:resume` of the stack, then `NODECLOUD_RESUME`, then `false`
   * @example true
   */
  resume?: pulumi.Input<boolean>;
  /**
   * Whether this provider leads to the account of the objects in the state, although its base URL changed or a changed token does not find them: a
   * proxy, a renamed host, or objects that were deleted outside Pulumi. Set it for one `pulumi refresh`.
   * @default `nodecloud:sameAccount` of the stack, then `NODECLOUD_SAME_ACCOUNT`, then `false`
   * @example true
   */
  sameAccount?: pulumi.Input<boolean>;
  /**
   * Whether new nodes and domains get the tag `pulumi:project/stack`, which programs do not see. An import warns of the tag of another stack, and what was
   * imported with it is not deleted. Only an unrestricted user may set tags.
   * @default `nodecloud:ownerTags` of the stack, then `NODECLOUD_OWNER_TAGS`, then `false`
   * @example true
   */
  ownerTags?: pulumi.Input<boolean>;
  /**
   * Whether the provider sends only reads, whatever the program asks. An `up` then fails at its first change.
   * @default `nodecloud:readOnly` of the stack, then `NODECLOUD_READ_ONLY`, then `false`; `true` in the environment counts whatever is set here
   * @example true
   */
  readOnly?: pulumi.Input<boolean>;
  /**
   * The classes of changes that `pulumi up` and `pulumi destroy` refuse before they send anything for the resource: `data-loss`, `interruption`,
   * `replacement`, `deletion` and `shared`, each for all types or as `deletion:MysqlDatabase` for one.
   * @default none; those of `nodecloud:deny` of the stack and of `NODECLOUD_DENY` count as well
   * @example ["data-loss", "deletion:MysqlDatabase"]
   */
  deny?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The changes that are made although `deny` has their class: `deletion:MysqlDatabase:db` for one resource, or `deletion:MysqlDatabase:*`.
   * @default none; those of `nodecloud:allow` of the stack and of `NODECLOUD_ALLOW` count as well
   * @example ["deletion:MysqlDatabase:db"]
   */
  allow?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The largest number of concurrent requests to the API, from 1 to 256.
   * @default `nodecloud:maxConcurrency` of the stack, then `NODECLOUD_MAX_CONCURRENCY`, then `16`
   * @example 4
   */
  maxConcurrency?: pulumi.Input<number>;
}

/**
 * An explicit provider: the account of the resources that have it as the option `provider`. With several, one program can manage several accounts.
 * A changed token updates the provider and none of its resources. A changed base URL is another account, and replaces all of them.
 *
 * ```ts
 * const staging = new nodecloud.Provider("staging", { token: config.requireSecret("stagingToken") });
 * new nodecloud.Domain("example", { domain: "example.org", type: "master", soaEmail: "dns@example.org" }, { provider: staging });
 * ```
 */
export class Provider extends sdk.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    for (const key of Object.keys(args)) {
      const problem = strangeSetting(key);
      if (problem !== undefined) refuse(`Provider ${name}: ${problem}`, "SETTING_INVALID");
    }
    const settings = settingsIn(args);
    const { token, baseUrl, maxConcurrency } = settings;
    const { plugin } = new.target as unknown as { readonly plugin?: boolean };
    const frames = withProgramFrames();
    frames.begin();
    try {
      if (plugin === true) {
        const merged = sdk.mergeOptions(
          { ...pluginOptions(), ...opts },
          { aliases: [{ type: providerTypeOf(DYNAMIC_PACKAGE) }] },
        );
        super(PLUGIN_PACKAGE, name, settings, merged);
      } else {
        const keyed = Object.entries(settings).map(([key, value]) => [
          SETTINGS[key as keyof typeof SETTINGS].key,
          value,
        ]);
        const merged = sdk.mergeOptions(
          // Another base URL replaces the provider, so that the old one deletes what it has. The SDK's dynamic provider does not ask for it.
          { replacementTrigger: baseUrl, ...opts },
          { aliases: [{ type: providerTypeOf(PLUGIN_PACKAGE) }] },
        );
        super(DYNAMIC_PACKAGE, name, Object.fromEntries(keyed) as pulumi.Inputs, merged);
      }
    } catch (error) {
      frames.end();
      // The error is in the program, at the line that creates the provider.
      if (error instanceof Error) Error.captureStackTrace(error, new.target);
      throw error;
    }
    frames.end();
    noteGivenProviders(opts);
    // The data functions run in the program and read this. It is not enumerable, so that nothing prints or copies it.
    Object.defineProperty(this, KEPT, { value: () => sdk.secret({ token, baseUrl, maxConcurrency }) });
  }
}

/** The package of an explicit provider of dynamic resources, and that of one of the full plugin. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";
export const PLUGIN_PACKAGE = "nodecloud";

const providerTypeOf = (name: string): string => `pulumi:providers:${name}`;

/** An explicit provider of the full plugin. It takes over the settings of an explicit provider of dynamic resources with the same name. */
export class PluginProvider extends Provider {
  /** @internal */
  static readonly plugin = true;
}

/** The settings of an explicit provider as text. What the program does not set is that of the stack. */
function settingsIn(args: ProviderArgs) {
  const stack = new sdk.Config("nodecloud");
  const textsOfStack = (name: "deny" | "allow") => policyTexts(stack.get(name) ?? "", SETTINGS[name].key);
  const ownTexts = (name: "deny" | "allow", given: pulumi.Unwrap<ProviderArgs["deny"]>) =>
    typeof given === "string" ? policyTexts(given, SETTINGS[name].key) : (given ?? []);
  /** Undefined if neither the program nor the stack has one. */
  const list = (
    name: "deny" | "allow",
    join: (own: readonly string[], ofStack: readonly string[]) => string,
  ) =>
    args[name] === undefined && stack.get(name) === undefined
      ? undefined
      : sdk.output(args[name]).apply((given) => join(ownTexts(name, given), textsOfStack(name)));
  const text = (name: "validate" | "resume" | "sameAccount" | "ownerTags" | "readOnly" | "maxConcurrency") =>
    args[name] === undefined ? stack.get(name) : sdk.output(args[name]).apply(String);
  return {
    token: secretly(args.token ?? stack.getSecret("token")),
    baseUrl: args.baseUrl ?? stack.get("baseUrl"),
    validate: text("validate"),
    resume: text("resume"),
    sameAccount: text("sameAccount"),
    ownerTags: text("ownerTags"),
    readOnly: stack.get("readOnly")?.trim() === "true" ? "true" : text("readOnly"),
    deny: list("deny", (own, ofStack) => JSON.stringify([...own, ...ofStack])),
    // A destruction reads anew what the stack allows.
    allow: list("allow", withTextsOfStack),
    maxConcurrency: text("maxConcurrency"),
  };
}

const secretly = (value: pulumi.Input<string> | undefined) =>
  value === undefined ? undefined : sdk.secret(value);
