import { type Failure, refused } from "../../provider/describe/define-resource";
import {
  readConfiguration,
  SETTINGS,
  settingsByKey,
  strangeSetting,
  textOf,
} from "../../provider/settings/config";
import { type Environment } from "../../provider/base/pulumi-home";
import { quietly } from "../../api/quietly";
import { type CurrentRun } from "../../provider/run/current-run";
import { addressIn, shortAddress } from "../../provider/settings/whereabouts";
import { descriptions } from "../../resources";
import { nameInUrn } from "../../provider/describe/urn";
import { type Properties, same, UNKNOWN } from "../../provider/base/values";

type Name = keyof typeof SETTINGS;

const names = Object.keys(SETTINGS) as Name[];

/** The settings of a provider by their names. One of dynamic resources has them by their keys: the engine hands it over if an alias leads from there. */
export const settingsByName = (args: Properties): Properties =>
  Object.fromEntries(names.map((name) => [name, args[name] ?? args[SETTINGS[name].key]]));

/** The settings of a provider by their keys in a configuration. */
export function configured(args: Properties): (key: string) => string | undefined {
  const values = settingsByKey(args);
  return (key) => values.get(key);
}

/** Checks the settings that are given and known. A missing one may come from the environment, and is needed only when a resource is. */
export function failuresIn(args: Properties): Failure[] {
  const strange = Object.keys(args).flatMap((property) => {
    const reason = ENGINES.test(property) ? undefined : strangeSetting(property);
    // The engine prints the value of a property that a failure names. This one may be a misspelt token.
    return reason === undefined ? [] : refused("", reason, "SETTING_INVALID");
  });
  const wrong = names.flatMap((name) => {
    if (args[name] == null || args[name] === UNKNOWN) return [];
    try {
      readConfiguration(configured({ ...COMPLETE, [name]: args[name] }), {}, Object.keys(descriptions));
      return [];
    } catch (error) {
      const reason = (error as Error).message;
      // The engine prints the value of a property that a failure names.
      return refused(name === "token" ? "" : name, reason, "SETTING_INVALID");
    }
  });
  return [...strange, ...wrong];
}

/** The names that the engine itself adds to the settings of a provider. */
const ENGINES = /^(?:version|pluginDownloadURL|pluginChecksums|parameterization|__.*)$/;

const COMPLETE = { token: "token", baseUrl: "https://api.example/v4" };

/**
 * Whether the settings lead to another base URL: another account. The engine then replaces the provider with all its resources, and deletes through
 * the old one. What a provider does not set comes from the environment, which may have changed unseen. A run that failed may have changed the provider
 * and none of its resources: nothing is replaced if all of them are already where the settings lead. The engine asks the same of a resource that gets
 * this provider in place of another one, with the settings of the other one.
 */
export async function leadsElsewhere(
  { stack }: CurrentRun,
  urn: string,
  settings: { readonly olds: Properties; readonly news: Properties },
  environment: Environment,
): Promise<boolean> {
  const { olds, news } = settings;
  if (textOf(news["sameAccount"]) === "true" || environment[SETTINGS.sameAccount.variable] === "true")
    return false;
  const [before, after] = [addressOf(olds, environment), addressOf(news, environment)];
  if (before === undefined || after === undefined || before === after) return false;
  stack.hearsOf(urn);
  const name = nameInUrn(urn);
  const state = await stack.state();
  const stored = state?.settingsOf(name);
  if (state === undefined || stored === undefined || addressOf(stored, environment) !== before) return true;
  const own = state.objects.filter(({ provider }) => provider === name);
  return own.length === 0 || own.some(({ at }) => at === undefined || addressIn(at) !== after);
}

function addressOf(args: Properties, environment: Environment): string | undefined {
  const given = textOf(settingsByName(args)["baseUrl"]) ?? environment[SETTINGS.baseUrl.variable];
  return given === UNKNOWN ? undefined : quietly(() => shortAddress(given));
}

/** The settings that differ. Only another base URL replaces the provider, as that replaces all its resources. */
export const changedSettings = (olds: Properties, news: Properties): string[] =>
  names.filter((name) => news[name] === UNKNOWN || !same("value", textOf(olds[name]), textOf(news[name])));
