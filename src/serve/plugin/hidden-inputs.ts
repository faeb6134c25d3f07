import { type Outline } from "../../provider/describe/outline";
import { lastingUrn, nameInUrn } from "../../provider/describe/urn";
import {
  ANSWERED,
  FORMS,
  GUARDED,
  LEFT,
  MEMORY,
  PROGRAM_NAME,
  RESOURCE_NAME,
  SECRETS,
  SENT,
  TIMEOUTS,
  URN,
  WITHIN,
  withoutKept,
} from "../../provider/state/hidden-properties";
import { fewPaths, type Path, pathText } from "../../provider/state/property-paths";
import { type Properties, same, valueAt } from "../../provider/state/values";
import { valueIn } from "../../provider/state/secret-inputs";
import { type Received } from "./wire-values";

/** Hidden outputs that may hold values of the user. */
const SEALED = [SENT, MEMORY, ANSWERED, LEFT];

/** Which resource a call is about. */
export interface Identity {
  readonly [URN]?: string;
  readonly [PROGRAM_NAME]?: string;
}

/** Adds what a dynamic resource hands over in hidden inputs and the engine tells the plugin: the resource, its secrets and its timeouts. */
export class HiddenInputs {
  constructor(private readonly outline: Outline) {}

  /** The identity by which the state of a dynamic resource knows it. */
  identityOf(urn: string): Identity {
    return this.outline.keepsUrn === true ? { [URN]: lastingUrn(urn) } : { [PROGRAM_NAME]: nameInUrn(urn) };
  }

  /** Properties with the hidden inputs of a dynamic resource. */
  added(urn: string, { properties, secrets }: Received, more: Properties = {}): Properties {
    const known = this.#pathsInProgram(secrets);
    const { [WITHIN]: within, ...rest } = properties;
    const identity = this.identityOf(urn);
    return {
      ...rest,
      ...(typeof within === "string" ? { ...identity, [URN]: `${lastingUrn(urn)}\n${within}` } : identity),
      ...more,
      ...(known.length === 0 ? {} : { [SECRETS]: fewPaths(known.map(pathText)) }),
      ...(this.#isGuarded(known) ? { [GUARDED]: true } : {}),
    };
  }

  /** The timeout that the engine tells, in seconds. Zero is none. */
  timeout(operation: string, seconds: number): Properties {
    return seconds > 0 ? { [TIMEOUTS]: { [operation]: `${seconds}s` } } : {};
  }

  /** Properties without what the engine tells with each call. Only the mark of an automatic name stays. */
  removed(properties: Properties, isOutput = false): Properties {
    const name = properties[RESOURCE_NAME];
    const kept = withoutKept(properties);
    return name === undefined || isOutput ? kept : { ...kept, [RESOURCE_NAME]: name };
  }

  /** The secrets in checked inputs: those of the program, and inputs that are always secret. */
  secretsOfInputs({ secrets }: Received): Path[] {
    const { secretInputs = [], holds } = this.outline;
    const known = this.#pathsInProgram(secrets);
    const always = secretInputs.map((name) => [name]);
    return [...always, ...(this.#isGuarded(known) && holds !== undefined ? [[holds]] : known)];
  }

  /**
   * The secrets in outputs: at the paths of secret inputs, and what was secret before and is not an input any more. A list is secret as a whole, as
   * the service may order it in another way.
   */
  secretsOfOutputs(outputs: Properties, inputs: Received, olds?: Received): Path[] {
    const { secretOutputs = [] } = this.outline;
    const stays = (path: Path) =>
      valueAt(inputs.properties, String(path[0])) === undefined &&
      same("value", valueIn(outputs, path), valueIn(olds?.properties ?? {}, path));
    return [
      ...[...SEALED, ...secretOutputs].map((name) => [name]),
      ...this.secretsOfInputs(inputs).map(aboveLists),
      ...(olds?.secrets ?? []).map(aboveLists).filter(stays),
    ];
  }

  /** The paths as the program has them: the classes may hand the members of a collection over in another form. */
  #pathsInProgram(secrets: readonly Path[]): Path[] {
    const isHidden = ([name]: Path) => String(name).startsWith("__");
    return secrets
      .filter((path) => !isHidden(path))
      .map((path) => (path[1] === FORMS ? path.slice(2) : path));
  }

  /** Whether the members of a collection hold a secret. */
  #isGuarded(secrets: readonly Path[]): boolean {
    const { holds, forms = [] } = this.outline;
    return holds !== undefined && secrets.some(([name]) => name === holds || forms.includes(String(name)));
  }
}

function aboveLists(path: Path): Path {
  const index = path.findIndex((segment) => typeof segment === "number");
  return index < 0 ? path : path.slice(0, index);
}
