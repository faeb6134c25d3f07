import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { SECRET, SIGNATURE } from "../../../src/provider/engine/signatures";
import { pathText, type Path } from "../../../src/provider/base/property-paths";
import { isObject } from "../../../src/provider/base/values";

export type Properties = Record<string, unknown>;

/** The paths of the secrets in properties, which are plain values for the tests. Engine and plugin mark the secrets when they send them. */
const secretsOf = new WeakMap<object, readonly Path[]>();

/** Notes which of the properties are secret. */
export function withSecrets<Given extends object>(properties: Given, secrets: readonly Path[]): Given {
  if (secrets.length > 0) secretsOf.set(properties, secrets);
  return properties;
}

/** The paths of the secrets in properties that a plugin answered. */
export const secretsIn = (properties: object): string[] =>
  (secretsOf.get(properties) ?? []).map(pathText).sort();

/** Properties as the engine sends them. A plugin that does not accept secrets gets plain values. */
export function toStruct(properties: object, acceptsSecrets: boolean): Struct {
  const secrets = acceptsSecrets ? (secretsOf.get(properties) ?? []) : [];
  // The values are JSON. The library only has a narrower type for it.
  return Struct.fromJavaScript(sealed(properties, secrets) as Record<string, JavaScriptValue>);
}

/** What hears of all properties that plugins answer, with the marks of secrets. */
const listeners = new Set<(answer: object) => void>();

export const onAnswer = (listener: (answer: object) => void): void => void listeners.add(listener);

export function fromStruct(struct: Struct | undefined): Properties {
  const secrets: Path[] = [];
  const answer = struct?.toJavaScript() ?? {};
  for (const listener of listeners) listener(answer);
  const properties = opened(answer, [], secrets) as Properties;
  return withSecrets(properties, secrets);
}

function sealed(value: unknown, secrets: readonly Path[]): unknown {
  if (secrets.some(({ length }) => length === 0)) return { [SIGNATURE]: SECRET, value: sealed(value, []) };
  const below = (name: string | number) =>
    secrets.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
  if (Array.isArray(value)) return value.map((item, index) => sealed(item, below(index)));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sealed(inner, below(name))]));
}

function opened(value: unknown, path: Path, secrets: Path[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => opened(item, [...path, index], secrets));
  if (!isObject(value)) return value;
  if (value[SIGNATURE] === SECRET) {
    secrets.push(path);
    return opened(value["value"], path, secrets);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, opened(inner, [...path, name], secrets)]),
  );
}
