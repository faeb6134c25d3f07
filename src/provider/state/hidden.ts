import { UNKNOWN } from "./values";

/** The hidden properties: the engine shows no property whose name starts with two underscores. */

/** Input and output: the resource's name in the program. Handed over always; after `check` it is there only where the object is named by it. */
export const RESOURCE_NAME = "__resourceName";
/** Input and output of a kind that does not keep its URN: the resource's name in the program, for messages. */
export const PROGRAM_NAME = "__programName";
/** Input: the id of the option `import`. */
export const IMPORT_ID = "__importId";
/** Input and output: the option `customTimeouts`. */
export const TIMEOUTS = "__timeouts";
/** Input and output: the paths of the option `replaceOnChanges`, as the program wrote them. */
export const REPLACE_ON = "__replaceOn";
/** Input and output of a resource that adopts an object: the paths of the option `ignoreChanges`, of which the object's own values are taken. */
export const IGNORED = "__ignored";
/**
 * Input and output: the resource's URN, by which progress finds its row. Handed over always, behind the organization of the stack where that
 * is not the one that every backend has; after `check` it is there only in the kinds that keep it, and without the organization.
 */
export const URN = "__urn";
/** Input, with `import` only, where the state holds the resource already: one of the two below. `check` takes it out. */
export const STANDING = "__standing";
export const STANDS = "stands";
/** With the option `deleteBeforeReplace`. */
export const GOES_FIRST = "goes first";
/** Input: the URN of the resource whose id another input is, known before that id is. `check` takes it out. */
export const SOURCE = "__source";
/** How the backends that have no organizations call theirs. */
export const NO_ORGANIZATION = "organization";
/** Input and output of a resource that has some: the paths of what is secret in the program, so that no message shows it. */
export const SECRETS = "__secrets";
/** Input and output: the constant text that leads the plugin to the provider. */
export const PROVIDER = "__provider";
/** Output: the paths of the inputs that the program set, joined by commas. */
export const SET = "__set";
/** Output, encrypted since a value may be a secret of the user's: inputs as they were sent, where the service answered another. */
export const SENT = "__sent";
/** Output: the resource was adopted, so what cannot be read of it is unknown, not unset. */
export const ADOPTED = "__adopted";
/** Output, encrypted: what the rest of an unfinished creation needs. */
export const MEMORY = "__memory";

/** Output of a collection: the ids of its members, in the order of their lines. */
export const IDS = "__ids";
/** Output of a collection, encrypted as SENT is: by member, what the service keeps otherwise than it was sent. */
export const ANSWERED = "__answered";
/** Output of a collection, encrypted: what is there and no longer declared. */
export const LEFT = "__left";
/** Input and output of a collection: whether the program's members hold a secret, so that nothing shows their values. */
export const GUARDED = "__guarded";

/** Within the input that holds a collection's members: the forms in which the program gives them, each part as a text. */
export const FORMS = "__forms";
/** Input of a collection: the hash of the members as the program gave them, where none can be a secret. */
export const GIVEN = "__given";

/** The hidden inputs that stand in the outputs too, for the calls that are handed outputs only. What `read` leaves out would show as drift. */
const KEPT: readonly string[] = [
  ...[PROVIDER, TIMEOUTS, REPLACE_ON, URN, IMPORT_ID, IGNORED, GUARDED, SECRETS, RESOURCE_NAME, PROGRAM_NAME],
];

/** Those of the hidden inputs to keep that are there. */
export const keptOf = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(KEPT.flatMap((key) => (properties[key] === undefined ? [] : [[key, properties[key]]])));

/** The properties without those hidden inputs: what stood there before says nothing of now. */
export const withoutKept = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !KEPT.includes(key)));

/** Whether checked inputs have an automatic name. */
export const isAutomatic = (inputs: Readonly<Record<string, unknown>>): boolean =>
  typeof inputs[RESOURCE_NAME] === "string" && inputs[RESOURCE_NAME] !== UNKNOWN;

/** The URN among a resource's properties, where it keeps one. */
export function urnOf(properties: Readonly<Record<string, unknown>>): string | undefined {
  const urn = properties[URN];
  return typeof urn === "string" ? urn : undefined;
}

/** The name that the program gives the resource of a URN. */
export const nameInUrn = (urn: string): string => urn.split("::").at(-1) ?? urn;

/** The project and the stack of a URN, as `project/stack`. */
export function stackInUrn(urn: string | undefined): string | undefined {
  const { stack, project } = /^urn:pulumi:(?<stack>[^:]+)::(?<project>[^:]+)::/.exec(urn ?? "")?.groups ?? {};
  return stack === undefined || project === undefined ? undefined : `${project}/${stack}`;
}

/** The ids of a collection's members in the state. */
export const idsIn = ({ [IDS]: ids }: Readonly<Record<string, unknown>>): readonly string[] =>
  typeof ids === "string" && ids !== "" ? ids.split(",") : [];
