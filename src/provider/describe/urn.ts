import { classIn, PLUGIN_TYPE_PREFIX, TYPE_PREFIX } from "./type-token";

/** The parts of a resource's URN. */
export interface UrnParts {
  readonly stack: string;
  readonly project: string;
  /** The types of its parents, and its own type at the end. */
  readonly types: readonly string[];
  /** Its name in the program, which may contain `::`. */
  readonly name: string;
}

const BEGINNING = "urn:pulumi:";

/** The beginning of the types of providers. */
export const PROVIDERS = "pulumi:providers:";

/** The type of the full plugin's providers. */
export const PLUGIN_PROVIDER = `${PROVIDERS}nodecloud`;

/** Whether the engine, and not a program, has made the provider of this name. */
export const isDefaultProvider = (name: string): boolean => name.startsWith("default");

/** How the engine refers to the provider of a resource. */
export const referenceTo = ({ urn, id }: { readonly urn?: unknown; readonly id?: unknown }): string =>
  `${String(urn)}::${String(id)}`;

/** The URN in such a reference, to which the engine adds the id. */
export const urnInReference = (reference: string): string =>
  reference === "" ? "" : reference.slice(0, reference.lastIndexOf("::"));

/** The name of the organization in backends that have none. */
export const NO_ORGANIZATION = "organization";

/** The parts of a URN. Any other text is only a name. */
export function partsOfUrn(urn: string): UrnParts {
  if (!urn.startsWith(BEGINNING)) return { stack: "", project: "", types: [], name: urn };
  const [stack = "", project = "", types = "", ...name] = urn.slice(BEGINNING.length).split("::");
  return { stack, project, types: types.split("$"), name: name.join("::") };
}

/** The name that the program gives the resource of a URN. */
export const nameInUrn = (urn: string): string => partsOfUrn(urn).name;

/** The type token of the resource of a URN. */
export const typeInUrn = (urn: string): string => partsOfUrn(urn).types.at(-1) ?? "";

/** A resource of a state as messages call it: `Node web`. */
export const calledIn = ({ urn }: { readonly urn: string }): string => {
  const type = typeInUrn(urn);
  return `${classIn(type) ?? type} ${nameInUrn(urn)}`;
};

/** The project and the stack of a URN, as `project/stack`. */
export function stackInUrn(urn = ""): string | undefined {
  const { stack, project } = partsOfUrn(urn);
  return stack === "" || project === "" ? undefined : `${project}/${stack}`;
}

/**
 * The URN by which notes and automatic names know a resource, whichever way serves it. So both stay the same when a stack moves from one way to
 * the other.
 */
export function lastingUrn(urn: string): string {
  if (!urn.includes(PLUGIN_TYPE_PREFIX)) return urn;
  const { stack, project, types, name } = partsOfUrn(urn);
  const lasting = types.map((type) =>
    type.startsWith(PLUGIN_TYPE_PREFIX) ? TYPE_PREFIX + type.slice(PLUGIN_TYPE_PREFIX.length) : type,
  );
  return `${BEGINNING}${[stack, project, lasting.join("$"), name].join("::")}`;
}

/** The URN by which the full plugin's engine knows a resource. */
export const pluginUrn = (urn: string): string => urn.replaceAll(TYPE_PREFIX, PLUGIN_TYPE_PREFIX);
