import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { Account } from "../process/account";
import { cached } from "../process/cached";
import { readConfiguration, SETTINGS, settingsByKey } from "../process/config";
import { connect, uncheckedTls } from "../process/connect";
import { inheritedProvider } from "./inherited-provider";
import { type ProviderSettings, settingsOf } from "./provider";
import { programHooks, rows, words } from "./display";
import { stableJson } from "../state/values";

/** The accounts of one run of a program. */
export type Accounts = Map<string, Account>;

/** By the stack's resource. Every run of a program has its own, even if one process runs several programs. */
const accountsOfRuns = new WeakMap<object, Accounts>();

/** The accounts of the calling run. Outside a program, for example in a test of a component, none are kept. */
export function accountsOfThisRun(): Accounts {
  const run = sdk.getStackResource();
  if (run === undefined) return new Map();
  return cached(accountsOfRuns, run, () => new Map<string, Account>());
}

/** Connects to an account, once for each pair of address and token. */
export function accountOf(accounts: Accounts, settings: ProviderSettings): Account {
  const configured = settingsByKey({ ...settings });
  const configuration = readConfiguration((key) => configured.get(key), process.env);
  warnOfTls(configuration.baseUrl);
  words.hide(configuration.token);
  const account = () => new Account(connect(configuration, programHooks()), rows);
  return cached(accounts, stableJson(configuration), account);
}

const warned = new Set<string>();

function warnOfTls(baseUrl: string): void {
  const warning = URL.canParse(baseUrl) ? uncheckedTls(new URL(baseUrl)) : undefined;
  if (warning === undefined || warned.has(warning)) return;
  warned.add(warning);
  void sdk.warn(warning);
}

/** The provider in the options, or the nearest one of the parents. */
export const providerFor = ({ provider, parent }: pulumi.InvokeOptions): pulumi.Resource | undefined =>
  provider ?? inheritedProvider(parent);

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
  const settings = settingsOf(named);
  if (settings === undefined) throw new Error("the provider is not a Provider of pulumi-nodecloud");
  // The answer does not contain the token, so the secret token must not make the answer secret.
  return sdk.unsecret(settings);
}
