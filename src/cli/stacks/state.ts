import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { classIn } from "../../provider/describe/type-token";
import { PLUGIN_PROVIDER, PROVIDERS, referenceTo } from "../../provider/describe/urn";
import { typeName } from "../descriptions";
import { type SourcePosition } from "./names-and-gaps";
import { SECRET, SIGNATURE } from "../../provider/engine/signatures";
import { settingsByKey } from "../../provider/settings/config";
import { quietly } from "../../api/quietly";
import { type Path, pathsIn } from "../../provider/base/property-paths";
import { isObject, objectsIn, type Properties } from "../../provider/base/values";

/** A resource of this package in a state. */
export interface StateResource {
  readonly urn: string;
  /** Its class: `Node`. */
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** The paths of the values that are encrypted. */
  readonly secrets: readonly Path[];
  /** The properties that are still encrypted, wholly or in part: the state is from a file. */
  readonly sealed: ReadonlySet<string>;
  /** The inputs that the program leaves as they are, as its option `ignoreChanges` names them. */
  readonly ignored: readonly Path[];
  /** The settings of its provider, by their keys in a configuration. */
  readonly settings: Properties;
  /** Whether the engine is about to delete it, or has deleted it for a replacement. */
  readonly isLeaving: boolean;
  readonly source?: SourcePosition | undefined;
}

/** The part of a state that concerns this package. */
export interface ResourcesOfState {
  readonly resources: readonly StateResource[];
  /** How many resources other providers manage. */
  readonly others: number;
  /** The operations that a run has begun. It goes on, or was interrupted. */
  readonly pending: readonly OpenOperation[];
}

/** An operation on a resource that a run has begun. */
export interface OpenOperation {
  /** `creating`, `updating` or `deleting`, as the engine says. */
  readonly operation: string;
  readonly urn: string;
  /** The class of the resource, or the token of one of another package. */
  readonly type: string;
  readonly inputs: Properties;
  /** The settings of its provider, by their keys in a configuration. Undefined if the state lacks the provider. */
  readonly settings: Properties | undefined;
}

/** Reads a deployment whose secrets are decrypted. The paths of its positions become relative to a folder. */
export function stateIn(deployment: unknown, project: string, folder: string): ResourcesOfState {
  const all = objectsIn(deployment, "resources");
  const providers = new Map(
    all
      .filter(({ type }) => String(type).startsWith(PROVIDERS))
      .map((entry) => [referenceTo(entry), settingsOf(entry)]),
  );
  // A resource that a program only reads is managed elsewhere.
  const managed = all.filter((entry) => entry["custom"] === true && entry["external"] !== true);
  const isOwn = ({ type }: Properties) => classIn(String(type)) !== undefined;
  const isOther = (entry: Properties) => !isOwn(entry) && !String(entry["type"]).startsWith("pulumi:");
  return {
    resources: managed
      .filter(isOwn)
      .map((entry) => resourceOf(entry, providers, sourceOf(entry, project, folder))),
    others: managed.filter(isOther).length,
    pending: objectsIn(deployment, "pending_operations").map((one) => pendingOf(one, providers)),
  };
}

function pendingOf(
  { type, resource }: Properties,
  providers: ReadonlyMap<string, Properties>,
): OpenOperation {
  const { urn, type: token, inputs, provider } = isObject(resource) ? resource : {};
  const given = opened(inputs, []);
  return {
    operation: String(type),
    urn: String(urn),
    type: typeName(String(token)),
    inputs: isObject(given) ? given : {},
    settings: providers.get(String(provider)),
  };
}

/** The settings of a provider. Those of the full plugin have names without the namespace, and may be numbers. */
function settingsOf({ type, inputs: given }: Properties): Properties {
  const inputs = opened(given, []);
  if (!isObject(inputs)) return {};
  return type === PLUGIN_PROVIDER ? Object.fromEntries(settingsByKey(inputs)) : inputs;
}

function resourceOf(
  entry: Properties,
  providers: ReadonlyMap<string, Properties>,
  source: SourcePosition | undefined,
): StateResource {
  const secrets: Path[] = [];
  const sealed: Path[] = [];
  const properties = (name: string): Properties => {
    const value = opened(entry[name], [], secrets, sealed);
    return isObject(value) ? value : {};
  };
  const type = String(entry["type"]);
  return {
    urn: String(entry["urn"]),
    type: typeName(type),
    id: String(entry["id"] ?? ""),
    inputs: properties("inputs"),
    outputs: properties("outputs"),
    secrets,
    sealed: new Set(sealed.map(([name]) => String(name))),
    ignored: pathsIn(entry["ignoreChanges"]),
    settings: providers.get(String(entry["provider"])) ?? {},
    isLeaving: entry["delete"] === true || entry["pendingReplacement"] === true,
    source,
  };
}

/**
 * Whether the secrets of a deployment were decrypted. With a wrong passphrase, the command line exports each secret as null and reports no error.
 */
export function isDecrypted(deployment: unknown): boolean {
  const secrets = envelopesIn(deployment);
  return secrets.length === 0 || secrets.some(({ plaintext }) => (plaintext ?? "null") !== "null");
}

function envelopesIn(value: unknown): Properties[] {
  if (Array.isArray(value)) return value.flatMap(envelopesIn);
  if (!isObject(value)) return [];
  return value[SIGNATURE] === SECRET ? [value] : Object.values(value).flatMap(envelopesIn);
}

/** A value with each secret in place of its envelope. Adds the paths of the secrets, and of those that cannot be opened. */
function opened(value: unknown, path: Path, secrets: Path[] = [], sealed: Path[] = []): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => opened(item, [...path, index], secrets, sealed));
  if (!isObject(value)) return value;
  if (value[SIGNATURE] === SECRET) {
    secrets.push(path);
    const { plaintext } = value;
    if (typeof plaintext === "string") return JSON.parse(plaintext) as unknown;
    sealed.push(path);
    return undefined;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, opened(inner, [...path, name], secrets, sealed)]),
  );
}

/** The line of the program: the first position outside of packages, if there is one. */
function sourceOf(entry: Properties, project: string, folder: string): SourcePosition | undefined {
  const frames = [entry, ...objectsIn(entry, "stackTrace")];
  return sourceAt(
    frames.map((frame) => frame["sourcePosition"]),
    { project, directory: folder },
  );
}

/** The line of the program among positions of a stack: the first one outside of packages, if there is one. */
export function sourceAt(
  positions: readonly unknown[],
  { project, directory }: { readonly project: string; readonly directory: string },
): SourcePosition | undefined {
  const all = positions.flatMap((position) => positionIn(position, project, directory) ?? []);
  return all.find(({ file }) => !/(^|[\\/])node_modules[\\/]/.test(file)) ?? all[0];
}

const POSITION = /^(?<scheme>project|file):\/\/(?<path>[^#]+)#(?<line>\d+)(?:,(?<column>\d+))?$/;

/** Reads a position such as `project:///index.ts#3,14`. */
function positionIn(uri: unknown, project: string, folder: string): SourcePosition | undefined {
  const { scheme, path, line, column } = POSITION.exec(String(uri))?.groups ?? {};
  if (path === undefined) return undefined;
  const decoded = quietly(() => decodeURIComponent(path)) ?? path;
  const file = scheme === "file" ? fileURLToPath(`file://${path}`) : join(project, decoded);
  return {
    file: relative(folder, file),
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}
