import { type CommonDescription } from "../describe/define-resource";
import { leavesOf } from "../describe/fields";
import { type Told } from "./call";
import { meets, parsePath, type Path, pathsIn } from "../base/property-paths";
import { isObject, type Properties } from "../base/values";

/** The paths at which the program, or the description, has secrets. */
export const secretPathsOf = (description: CommonDescription, ...all: readonly Told[]): Path[] => [
  ...leavesOf(description.fields).flatMap(({ secret, path }) => (secret === true ? [path.split(".")] : [])),
  ...(description.secretOutputs ?? []).map((name) => [name]),
  ...all.flatMap(({ secrets }) => pathsIn(secrets)),
];

/** Whether a property is secret, wholly or in part. */
export const isSecretAt = (paths: readonly Path[], property: string): boolean =>
  paths.some((path) => meets(path, parsePath(property) ?? [property]));

/** The value at a path. A list is returned whole, as its items may be in another order. */
export function valueIn(properties: Properties, path: Path): unknown {
  let value: unknown = properties;
  for (const name of path) {
    if (Array.isArray(value)) return value;
    if (!isObject(value)) return undefined;
    value = value[name];
  }
  return value;
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** A message about a secret, without quoted text, which may contain a part of it. */
export const withoutQuotes = (reason: string): string => reason.replace(QUOTED, "[secret]");
