import { UNKNOWN } from "./values";

/** The hidden properties: the engine shows no property whose name starts with two underscores. */

/** Input and output: the resource's name in the program. The class always sends it; `check` keeps it only if the object's name is automatic. */
export const RESOURCE_NAME = "__resourceName";
/** Input and output of a kind that does not keep its URN: the resource's name in the program, for messages. */
export const PROGRAM_NAME = "__programName";
/** Input: the id of the option `import`. */
export const IMPORT_ID = "__importId";
/** Input and output: the option `customTimeouts`. */
export const TIMEOUTS = "__timeouts";
/** Input and output: the paths of the option `replaceOnChanges`, as the program wrote them. */
export const REPLACE_ON = "__replaceOn";
/** Input and output of a resource that adopts an object: the paths of the option `ignoreChanges`, for which the object's values are taken. */
export const IGNORED = "__ignored";
/**
 * Input and output: the resource's URN, by which progress finds its row. The class always sends it, after the organization of the stack if the
 * backend has organizations. `check` keeps it only for the kinds that need it, without the organization.
 */
export const URN = "__urn";
/** Input, only with `import`, if the state already has the resource: one of the two values below. `check` removes it. */
export const STANDING = "__standing";
export const STANDS = "stands";
/** With the option `deleteBeforeReplace`. */
export const GOES_FIRST = "goes first";
/** Input: the URN of the resource whose id another input is. It is known before that id. `check` removes it. */
export const SOURCE = "__source";
/** Input of a collection: the resources of the program that import members, each as its type, the id and its name. `check` removes it. */
export const IMPORTS = "__imports";
/** Input of the full plugin, only in previews: the URN of the resource whose id the parent's is. It is known before that id. */
export const WITHIN = "__within";
/** Input of the full plugin: how the engine wants an automatic name to be made, as {@link Naming}. `check` removes it. */
export const NAMING = "__naming";
/** The name of the organization in backends that have none. */
export const NO_ORGANIZATION = "organization";
/** Input and output of a resource with secrets: the paths of the program's secrets, so that no message shows them. */
export const SECRETS = "__secrets";
/** Input and output: the constant text by which the plugin finds the provider. */
export const PROVIDER = "__provider";
/** Output: the paths of the inputs that the program set, joined by commas. */
export const SET = "__set";
/** Output: inputs as they were sent, if the service answered other values. Encrypted, as a value may be a secret of the user. */
export const SENT = "__sent";
/** Output: the resource was adopted, so properties that cannot be read are unknown, not unset. */
export const ADOPTED = "__adopted";
/** Output, encrypted: what the rest of an unfinished creation needs. */
export const MEMORY = "__memory";

/** Output of a collection: the ids of its members, in the order of their lines. */
export const IDS = "__ids";
/** Output of a collection, encrypted like SENT: the values of each member that the service keeps in another form. */
export const ANSWERED = "__answered";
/** Output of a collection, encrypted: members that exist and are no longer declared. */
export const LEFT = "__left";
/** Input and output of a collection: whether the program's members hold a secret, so that nothing shows their values. */
export const GUARDED = "__guarded";

/** Within the input that holds a collection's members: the forms in which the program gives them, each part as a text. */
export const FORMS = "__forms";
/** Input of a collection: the hash of the members as the program gave them, if none can be a secret. */
export const GIVEN = "__given";

/** What the engine says about automatic names. */
export interface Naming {
  /** Random, and the same for a preview and an update that is bound to its plan. */
  readonly seed: string;
  /** The name that the user's configuration asks for. */
  readonly proposed?: string;
  /** Whether the user's configuration allows no automatic name. */
  readonly isDisabled?: true;
}

/** The hidden inputs that the outputs have too, for calls that receive only outputs. An input that `read` omits would show as drift. */
const KEPT: readonly string[] = [
  ...[PROVIDER, TIMEOUTS, REPLACE_ON, URN, IMPORT_ID, IGNORED, GUARDED, SECRETS, RESOURCE_NAME, PROGRAM_NAME],
];

/** The hidden inputs to keep, as far as they are set. */
export const keptOf = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(KEPT.flatMap((key) => (properties[key] === undefined ? [] : [[key, properties[key]]])));

/** The properties without those hidden inputs, whose earlier values no longer hold. */
export const withoutKept = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !KEPT.includes(key)));

/** Whether checked inputs have an automatic name. */
export const isAutomatic = (inputs: Readonly<Record<string, unknown>>): boolean =>
  typeof inputs[RESOURCE_NAME] === "string" && inputs[RESOURCE_NAME] !== UNKNOWN;

/** The URN among a resource's properties, if it keeps one. */
export function urnOf(properties: Readonly<Record<string, unknown>>): string | undefined {
  const urn = properties[URN];
  return typeof urn === "string" ? urn : undefined;
}

/** The ids of a collection's members in the state. */
export const idsIn = ({ [IDS]: ids }: Readonly<Record<string, unknown>>): readonly string[] =>
  typeof ids === "string" && ids !== "" ? ids.split(",") : [];
