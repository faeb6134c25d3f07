import { ProviderError } from "../base/errors";
import { warn } from "./messages";
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { ReadAccount } from "./account";
import { cached } from "../../api/cached";
import { type Configuration, readConfiguration, SETTINGS, settingsByKey } from "../settings/config";
import { connect, uncheckedTls } from "../settings/connect";
import { inheritedProvider, isOfEntry } from "./inherited-provider";
import { type ProviderSettings, settingsOf } from "./provider";
import { programHooks, rows, words } from "./display";
import { valueOf } from "./known-value";
import { isInline, onceInRun } from "./run-mode";
import { checkStackConfiguration } from "./stack-configuration";
import { quietly } from "../../api/quietly";
import { addressIn, whereabouts } from "../settings/whereabouts";
import { isObject, stableJson } from "../base/values";

/** The accounts of one run of a program. */
export type AccountsOfRun = Map<string, ReadAccount>;

/** By the stack's resource. Every run of a program has its own, even if one process runs several programs. */
const accountsOfRuns = new WeakMap<object, AccountsOfRun>();

/** The accounts of the calling run. Outside a program, for example in a test of a component, none are kept. */
export function accountsOfThisRun(): AccountsOfRun {
  const run = sdk.getStackResource();
  if (run === undefined) return new Map();
  return cached(accountsOfRuns, run, () => new Map<string, ReadAccount>());
}

/** Connects to an account, once for each pair of address and token. */
export function accountOf(accounts: AccountsOfRun, settings: ProviderSettings): ReadAccount {
  const configuration = configurationOf(settings);
  warnOfTls(configuration.baseUrl);
  words.hide(configuration.token);
  const account = () => new ReadAccount(connect(configuration, programHooks()), rows);
  return cached(accounts, stableJson(configuration), account);
}

function configurationOf(settings: ProviderSettings): Configuration {
  const configured = settingsByKey({ ...settings });
  return readConfiguration((key) => configured.get(key), process.env);
}

/** Where an account is. Undefined if the settings are incomplete. */
export const whereaboutsOf = (settings: ProviderSettings | undefined): string | undefined =>
  settings === undefined ? undefined : quietly(() => whereabouts(configurationOf(settings)));

/** Where the data functions of a run have read, by the provider that they have. */
const reads = onceInRun(() => new Map<pulumi.Resource | undefined, Promise<string | undefined>>());

/**
 * The settings for a data function, noted for the resources. An inline program runs in the process of its caller, and the provider of its resources in
 * the engine's, so the two may have other variables.
 */
export function settingsForRead(opts: pulumi.InvokeOptions): pulumi.Output<ProviderSettings> {
  checkStackConfiguration();
  const settings = settingsFor(opts);
  if (isInline())
    void cached(reads(), providerFor(opts), () =>
      valueOf(settings)
        .then(whereaboutsOf)
        .catch(() => undefined),
    );
  return settings;
}

/** Where the data functions with a resource's provider have read, if the resource has to compare it. */
export const readAtBy = (opts: pulumi.InvokeOptions): Promise<string | undefined> | undefined =>
  isInline() ? reads().get(providerFor(opts)) : undefined;

/** The base URL to which the provider of a resource leads, in the short form. Undefined if it is not known. */
export async function addressBy(opts: pulumi.InvokeOptions): Promise<string | undefined> {
  try {
    const at = whereaboutsOf(await valueOf(settingsFor(opts)));
    return at === undefined ? undefined : addressIn(at);
  } catch {
    return undefined;
  }
}

const warned = new Set<string>();

function warnOfTls(baseUrl: string): void {
  const warning = URL.canParse(baseUrl) ? uncheckedTls(new URL(baseUrl)) : undefined;
  if (warning === undefined || warned.has(warning)) return;
  warned.add(warning);
  void warn(warning, "TLS_UNCHECKED");
}

/** The provider in the options, or the nearest one of the parents. */
export const providerFor = ({ provider, parent }: pulumi.InvokeOptions): pulumi.Resource | undefined =>
  provider ?? inheritedProvider(parent);

/** The settings of a provider that a program has given to a component in another process: only the engine knows them there. */
function settingsByEngine(provider: pulumi.Resource): pulumi.Output<ProviderSettings> | undefined {
  if (!isOfEntry(provider)) return undefined;
  return provider.urn.apply(async (urn) => {
    const answer: unknown = await sdk.invoke("pulumi:pulumi:getResource", { urn });
    const state = isObject(answer) && isObject(answer["state"]) ? answer["state"] : {};
    const setting = (name: "token" | "baseUrl" | "maxConcurrency") =>
      state[name] ?? state[SETTINGS[name].key];
    return {
      token: setting("token"),
      baseUrl: setting("baseUrl"),
      maxConcurrency: setting("maxConcurrency"),
    } as ProviderSettings;
  });
}

/** The settings of the provider in the options, of the parent's provider, or otherwise of the stack. */
export function settingsFor(opts: pulumi.InvokeOptions): pulumi.Output<ProviderSettings> {
  const named = providerFor(opts);
  if (named === undefined) {
    // `pulumi.Config` would warn about a secret that is read as a plain value.
    const { getConfig } = sdk;
    return sdk.output({
      token: getConfig(SETTINGS.token.key),
      baseUrl: getConfig(SETTINGS.baseUrl.key),
      maxConcurrency: getConfig(SETTINGS.maxConcurrency.key),
    });
  }
  const settings = settingsOf(named) ?? settingsByEngine(named);
  if (settings === undefined)
    throw new ProviderError("the provider is not a Provider of pulumi-nodecloud", {
      code: "PLUGIN_MISMATCH",
    });
  // The answer does not contain the token, so the secret token must not make the answer secret.
  return sdk.unsecret(settings);
}
