import { type AnyDescription, isCollection } from "../provider/describe/define-collection";
import { classIn } from "../provider/describe/type-token";
import { descriptions } from "../resources";
import { usageError } from "./errors";

/** The descriptions of all resources, which this loads. */
export const allDescriptions = (): AnyDescription[] => Object.values(descriptions);

/** The name of the class for a type token of this package, and otherwise the token. */
export const typeName = (token: string): string => classIn(token) ?? token;

/** The description of a class, by its name or type token. Undefined for those of other packages, and of newer versions of this one. */
export function descriptionOf(type: string): AnyDescription | undefined {
  const name = typeName(type);
  return Object.hasOwn(descriptions, name) ? descriptions[name as keyof typeof descriptions] : undefined;
}

/** The types of the objects that the classes of `--only` manage: `DomainRecord` for `DomainRecordSet`. A class among the folders is a space in place of a comma. */
export function typesOfOnly(
  names: readonly string[] | undefined,
  folders: readonly string[],
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined;
  const stray = folders.filter((folder) => descriptionOf(folder) !== undefined);
  if (stray.length > 0)
    throw usageError(`--only: separate kinds with commas: --only ${[...names, ...stray].join(",")}`);
  return new Set(
    names.map((name) => {
      const description = descriptionOf(name);
      return description !== undefined && isCollection(description) ? description.item.type : name;
    }),
  );
}
