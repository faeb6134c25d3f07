import { checkBaseUrl, checkToken, MOST_CONCURRENT } from "../../api/endpoint";
import { isNodeCloudError } from "../../api/errors";
import { invalidSetting, ProviderError } from "../base/errors";
import { hintFor } from "../base/nearest-name";
import { type Properties } from "../base/values";
import { type Allowance, allowanceIn, type Rule, ruleIn } from "./policy";
import { type Environment } from "../base/pulumi-home";
import { quietly } from "../../api/quietly";
import { IMPORT_VARIABLE, readImports } from "./wished-imports";

/** The settings of the provider. */
export interface Configuration {
  readonly token: string;
  readonly baseUrl: string;
  /** Whether `check` validates inputs against the account. */
  readonly validate: boolean;
  /** Whether a creation continues with the object of an interrupted run on another machine, as the state's pending creation names it. */
  readonly resume: boolean;
  /** Whether the account is that of the objects in the state, where nothing else shows it. */
  readonly sameAccount: boolean;
  /** Whether objects with tags get one that names their stack. */
  readonly ownerTags: boolean;
  /** Whether only reads are sent. */
  readonly readOnly: boolean;
  /** The classes of changes that `up` and `destroy` refuse. */
  readonly deny: readonly Rule[];
  /** The changes that are made nevertheless. */
  readonly allow: readonly Allowance[];
  /** How many requests run at a time. If omitted, the client's default. */
  readonly maxConcurrency?: number;
  /** The ids of the objects that resources adopt, by lasting URN. Only the environment sets them. */
  readonly imports?: ReadonlyMap<string, string>;
}

/** Each setting: its name in a Pulumi configuration, and in the environment. */
export const SETTINGS = {
  token: { key: "nodecloud:token", variable: "NODECLOUD_TOKEN" },
  baseUrl: { key: "nodecloud:baseUrl", variable: "NODECLOUD_BASE_URL" },
  validate: { key: "nodecloud:validate", variable: "NODECLOUD_VALIDATE" },
  resume: { key: "nodecloud:resume", variable: "NODECLOUD_RESUME" },
  sameAccount: { key: "nodecloud:sameAccount", variable: "NODECLOUD_SAME_ACCOUNT" },
  ownerTags: { key: "nodecloud:ownerTags", variable: "NODECLOUD_OWNER_TAGS" },
  readOnly: { key: "nodecloud:readOnly", variable: "NODECLOUD_READ_ONLY" },
  deny: { key: "nodecloud:deny", variable: "NODECLOUD_DENY" },
  allow: { key: "nodecloud:allow", variable: "NODECLOUD_ALLOW" },
  maxConcurrency: { key: "nodecloud:maxConcurrency", variable: "NODECLOUD_MAX_CONCURRENCY" },
} as const;

type Name = keyof typeof SETTINGS;

const HOW_TO_SET = {
  token: "pulumi config set --secret nodecloud:token",
  baseUrl: "pulumi config set nodecloud:baseUrl https://…/v4",
} as const satisfies Partial<Record<Name, string>>;

/** The advice on a token that others may know, or that the service refuses. */
export const NEW_TOKEN = `make a new token, and set it with \`${HOW_TO_SET.token}\``;

/** The settings of a provider of the full plugin, by their keys in a configuration. The engine hands booleans and numbers over as they are, or as text. */
export const settingsByKey = (args: Properties): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(SETTINGS).flatMap(([name, { key }]) => {
      const text = textOf(args[name]);
      return text === undefined ? [] : [[key, text]];
    }),
  );

/** The problem with the name of a setting, or undefined. */
export function strangeSetting(name: string): string | undefined {
  const names = Object.keys(SETTINGS);
  if (names.includes(name)) return undefined;
  return `${name} is not a setting of the provider; ${hintFor(name, names, "settings")}`;
}

/** Prefix of this package's configuration keys. */
export const NAMESPACE = "nodecloud:";

/** The problems with the keys of a stack's configuration. A project with the name of the package has its own configuration under the same keys. */
export function strangeKeys(keys: Iterable<string>, project: string | undefined): string[] {
  if (`${project}:` === NAMESPACE) return [];
  const names = [...keys].flatMap((key) => (key.startsWith(NAMESPACE) ? key.slice(NAMESPACE.length) : []));
  const strange = names.flatMap((name) => strangeSetting(name) ?? []);
  return strange.map((problem) => `the configuration of the stack: ${NAMESPACE}${problem}`);
}

/** A value of a setting as text. */
export const textOf = (value: unknown): string | undefined =>
  value == null ? undefined : typeof value === "string" ? value : JSON.stringify(value);

/**
 * Reads and checks the settings. The configuration overrides the environment. What both deny and allow counts, and a `readOnly` of either. An error names where the wrong value comes
 * from. `types` has the names of the classes that a policy may name; without it, it may name any.
 */
export function readConfiguration(
  configured: (key: string) => string | undefined,
  environment: Environment,
  types: readonly string[] = [],
): Configuration {
  const setting = (name: Name): string | undefined => {
    const { key, variable } = SETTINGS[name];
    const value = (configured(key) ?? environment[variable])?.trim();
    return value === "" ? undefined : value;
  };
  const sourceOf = (name: Name): string => {
    const { key, variable } = SETTINGS[name];
    return configured(key) === undefined ? variable : key;
  };
  const required = (name: keyof typeof HOW_TO_SET, check: (value: string) => unknown): string => {
    const { key, variable } = SETTINGS[name];
    const value = setting(name);
    if (value === undefined) {
      throw new ProviderError(
        `${key} is not set: run \`${HOW_TO_SET[name]}\`, set ${variable} in the environment, ` +
          `or use an explicit provider with ${name}`,
        { code: "SETTING_MISSING" },
      );
    }
    try {
      check(value);
    } catch (error) {
      if (!isNodeCloudError(error)) throw error;
      throw invalidSetting(`${sourceOf(name)}${error.message.slice(name.length)}`, error);
    }
    return value;
  };
  const flag = (name: "validate" | "resume" | "sameAccount" | "ownerTags"): boolean | undefined =>
    flagIn(setting(name), sourceOf(name));
  // What a workflow sets in the environment holds whatever the program and its stack say.
  const { key, variable } = SETTINGS.readOnly;
  const readOnly = [flagIn(configured(key), key), flagIn(environment[variable], variable)].includes(true);
  const most = setting("maxConcurrency");
  const imports = environment[IMPORT_VARIABLE]?.trim() ?? "";
  return {
    token: required("token", checkToken),
    baseUrl: required("baseUrl", checkBaseUrl),
    validate: flag("validate") ?? true,
    resume: flag("resume") ?? false,
    sameAccount: flag("sameAccount") ?? false,
    ownerTags: flag("ownerTags") ?? false,
    readOnly,
    ...readPolicy(configured, environment, types),
    ...(most !== undefined && { maxConcurrency: readMaxConcurrency(most, sourceOf("maxConcurrency")) }),
    ...(imports !== "" && { imports: readImports(imports) }),
  };
}

/** The value of a boolean setting. Undefined if it is not set. */
function flagIn(text: string | undefined, source: string): boolean | undefined {
  const value = text?.trim() ?? "";
  if (value === "") return undefined;
  if (value === "true" || value === "false") return value === "true";
  throw invalidSetting(`${source}: must be true or false, not "${value}"`);
}

/** Reads what is denied, and what is allowed nevertheless. */
export function readPolicy(
  configured: (key: string) => string | undefined,
  environment: Environment,
  types: readonly string[],
): Pick<Configuration, "deny" | "allow"> {
  const each = <One>(
    name: "deny" | "allow",
    read: (text: string, types: readonly string[], source: string) => One,
  ): One[] => {
    const { key, variable } = SETTINGS[name];
    const given = [[key, configured(key)] as const, [variable, environment[variable]] as const];
    return given.flatMap(([source, text = ""]) =>
      policyTexts(text, source).map((one) => read(one, types, source)),
    );
  };
  return { deny: each("deny", ruleIn), allow: each("allow", allowanceIn) };
}

/** The texts of a list: a list of the configuration, which arrives as JSON, or texts that commas separate. */
export function policyTexts(text: string, source: string): string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith("["))
    return trimmed
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  const list = listIn(trimmed)?.flat();
  if (list?.every((one): one is string => typeof one === "string") === true) return list;
  throw invalidSetting(`${source} must be a list of texts, not ${trimmed}`);
}

/** A list of texts for an explicit provider, in which those of the stack's configuration are a list of their own. */
export const withTextsOfStack = (own: readonly string[], ofStack: readonly string[]): string =>
  JSON.stringify([...own, ofStack]);

/** The texts of such a list without those of the stack. Undefined if it is another one. */
export function withoutTextsOfStack(text: string | undefined): string | undefined {
  const list = listIn(text ?? "");
  return list?.some(Array.isArray) === true
    ? JSON.stringify(list.filter((one) => !Array.isArray(one)))
    : undefined;
}

function listIn(text: string): unknown[] | undefined {
  const list = quietly((): unknown => JSON.parse(text));
  return Array.isArray(list) ? list : undefined;
}

function readMaxConcurrency(text: string, source: string): number {
  const most = /^\d+$/.test(text) ? Number(text) : NaN;
  if (most >= 1 && most <= MOST_CONCURRENT) return most;
  throw invalidSetting(`${source}: must be a whole number from 1 to ${MOST_CONCURRENT}, not "${text}"`);
}
