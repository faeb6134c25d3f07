import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isObject, type Properties, UNKNOWN } from "../../provider/base/values";
import { NAMESPACE } from "../../provider/settings/config";
import { type Project, readSettings, settingsIn } from "../stacks/projects";

/** The configuration of a stack, as a program gets it. */
export interface Settings {
  readonly values: Readonly<Record<string, string>>;
  /** The keys of the secrets. */
  readonly secrets: readonly string[];
}

/** A configuration in files, of which secrets are encrypted. */
export interface SettingsInFiles extends Settings {
  /** The keys of the values that the files have only in encrypted form. */
  readonly encrypted: readonly string[];
}

/** Reads the configuration of a stack from the files of its project. Without a stack there are only the defaults of the project. */
export function settingsInFiles(project: Project, stack: string | undefined): SettingsInFiles {
  const settings = settingsIn(project.path);
  const { config: defaults, stackConfigDir } = settings;
  const folder = resolve(project.path, textOr(stackConfigDir, textOr(defaults, ".")));
  const name = stack?.split("/").at(-1);
  const files =
    name === undefined ? [] : ["yaml", "yml", "json"].map((end) => join(folder, `Pulumi.${name}.${end}`));
  const file = files.find((path) => existsSync(path));
  const own = file === undefined ? {} : readSettings(file)["config"];
  const all = new Map<string, unknown>([
    ...entriesOf(defaults, project).flatMap(([key, value]) => defaultOf(key, value)),
    ...entriesOf(own, project),
  ]);
  const encrypted = [...all].filter(([, value]) => isEncrypted(value)).map(([key]) => key);
  return {
    values: Object.fromEntries([...all].flatMap(([key, value]) => valueFor(key, value))),
    secrets: encrypted,
    encrypted,
  };
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);

/** A key without a namespace belongs to the project. */
const entriesOf = (config: unknown, { name }: Project): [string, unknown][] =>
  Object.entries(isObject(config) ? config : {}).map(([key, value]) => [
    key.includes(":") ? key : `${name}:${key}`,
    value,
  ]);

/** The value that the project has for all stacks: written plainly, or as the default of a declared key. */
function defaultOf(key: string, declared: unknown): [string, unknown][] {
  if (!isObject(declared)) return [[key, declared]];
  if ("value" in declared) return [[key, declared["value"]]];
  if ("default" in declared) return [[key, declared["default"]]];
  return [];
}

function isEncrypted(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEncrypted);
  return isObject(value) && (isSecure(value) || Object.values(value).some(isEncrypted));
}

const isSecure = (value: Properties): boolean => typeof value["secure"] === "string";

/**
 * A value as the engine hands it over: text, or JSON. An encrypted one is the text that stands for an unknown value, so that it passes into inputs as
 * unknown. The settings of this package without a value are not set.
 */
function valueFor(key: string, value: unknown): [string, string][] {
  if (isEncrypted(value)) return key.startsWith(NAMESPACE) ? [] : [[key, UNKNOWN]];
  if (value == null) return [];
  return [[key, typeof value === "string" ? value : JSON.stringify(value)]];
}
