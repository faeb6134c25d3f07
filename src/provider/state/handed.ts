import { nameInUrn } from "../describe/urn";
import { type Call, type ForcedReplacement, type Told, type ToldInCheck } from "./call";
import { type Hidden, named, opened } from "./hidden-names";
import { isObject, type Properties } from "../base/values";

const STANDS = "stands";
const GOES_FIRST = "goes first";

/** The hidden inputs by which a class hands over what the engine does not tell, by their names. */
export { type Hidden, named as handedInputs };

/** A resource that the state has already, as the class hands it over. */
export const handedStanding = ({ goesFirst }: ForcedReplacement): string => (goesFirst ? GOES_FIRST : STANDS);

/** The resource of a dynamic call: its inputs, and what its class or its state hands over in hidden properties. */
export function callIn(properties: Properties): Call {
  const { visible, hidden } = opened(properties);
  return { inputs: visible, given: text(hidden.given), ...told(hidden) };
}

/** Reads the facts about a resource in hidden properties. */
export const toldIn = (properties: Properties): Told => told(opened(properties).hidden);

function told({ urn, programName, resourceName, importId, timeouts, guarded, ...hidden }: Hidden): Told {
  return {
    urn: text(urn),
    name: typeof urn === "string" ? nameInUrn(urn) : (text(programName) ?? text(resourceName)),
    autonamed: text(resourceName),
    importId: text(importId),
    timeouts: isObject(timeouts) ? timeouts : undefined,
    replaceOn: texts(hidden.replaceOn),
    ignored: texts(hidden.ignored),
    secrets: texts(hidden.secrets),
    isGuarded: guarded === true,
  };
}

/** The inputs of a resource of the full plugin, and the marks that its state keeps in them. */
export function inputsIn(properties: Properties): Pick<Call, "inputs" | "autonamed" | "given"> {
  const { inputs, autonamed, given } = callIn(properties);
  return { inputs, autonamed, given };
}

/** The further facts in the inputs of an object that is read for an import, until the program's inputs take their place. */
export interface ReadImport {
  /** The id by which it was read. */
  readonly importId?: string | undefined;
  /** Why the command `pulumi import` must not add it. The command checks all that was read; a program's inputs do not have it. */
  readonly refusal?: string | undefined;
}

export const asImport = (inputs: Properties, read: ReadImport): Properties => ({ ...inputs, ...named(read) });

export const importIn = (properties: Properties): ReadImport => {
  const { importId, refusal } = opened(properties).hidden;
  return { importId: text(importId), refusal: text(refusal) };
};

/** The facts that the classes tell the full plugin in a check, in addition to the engine. */
export function handedInCheck(properties: Properties): ToldInCheck {
  const { within, source, imports, beside, explicit, preview, readAt } = opened(properties).hidden;
  return {
    within: text(within) || undefined,
    source: text(source) || undefined,
    isTraced: [within, source].some((one) => typeof one === "string"),
    imports: texts(imports),
    beside: texts(beside),
    isExplicit: explicit === true,
    isPreview: preview === true,
    readAt: text(readAt),
  };
}

/** Whether the members of a collection may hold a secret. A preview may not know it yet. */
export const mayBeGuarded = (properties: Properties): boolean =>
  opened(properties).hidden.guarded !== undefined;

const HANDED = /^(?:(?<organization>[^/]+)\/)?(?<urn>urn:pulumi:[^:]+::[^:]+::[^\n]*)(?:\n(?<within>.*))?$/s;

/** The resource of a dynamic check. `keepsUrn`: whether its state keeps the URN. */
export function checkedCallIn(properties: Properties, keepsUrn: boolean): Call {
  const { hidden } = opened(properties);
  const call: Call = {
    ...callIn(properties),
    autonamed: undefined,
    ...handedInCheck(properties),
    isTraced: true,
    replacedByCommand: standingIn(hidden.standing),
  };
  if (typeof hidden.urn !== "string") return call;
  const { organization, within, urn = hidden.urn } = HANDED.exec(hidden.urn)?.groups ?? {};
  const name = text(hidden.resourceName) ?? nameInUrn(urn);
  return { ...call, urn: keepsUrn ? urn : undefined, fullUrn: urn, name, organization, within };
}

const standingIn = (handed: unknown): ForcedReplacement | undefined =>
  handed === STANDS || handed === GOES_FIRST ? { goesFirst: handed === GOES_FIRST } : undefined;

/** The hidden inputs that a dynamic resource keeps of a check. The check itself decides on the mark of an automatic name. */
export function keptOfCheck(handed: Properties, { urn, fullUrn, name, importId }: Call): Properties {
  const kept = { ...keptIn(opened(handed).hidden), resourceName: undefined, importId };
  if (fullUrn === undefined) return named(kept);
  return named({ ...kept, urn, programName: urn === undefined ? name : undefined });
}

/** The handed-over values that a state keeps for calls that receive only outputs. An input that a read omits would show as drift. */
export const keptOf = (properties: Properties): Properties => named(keptIn(opened(properties).hidden));

const KEPT = [
  ...(["urn", "programName", "resourceName", "importId", "timeouts", "replaceOn"] as const),
  ...(["ignored", "secrets", "guarded", "provider"] as const),
];

const keptIn = (hidden: Hidden): Hidden => Object.fromEntries(KEPT.map((key) => [key, hidden[key]]));

/** The text by which the dynamic plugin finds the provider. A state of the full plugin has none. */
export const hasProviderText = (properties: Properties): boolean =>
  opened(properties).hidden.provider !== undefined;

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.map(String) : undefined;
