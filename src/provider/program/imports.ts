import type * as pulumi from "@pulumi/pulumi";
import { addressBy } from "./accounts";
import { onceInRun } from "./run-mode";
import { type Outline } from "../describe/outline";
import { isInState } from "./state-of-resource";
import { type Registrar } from "./registrar";

/** A resource with the option `import`. */
interface Import {
  /** Its type token. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly opts: pulumi.CustomResourceOptions;
}

/** The imports in the program of one run. */
const importsOfRun = onceInRun((): Import[] => []);

export function announceImport(one: Import): void {
  importsOfRun().push(one);
}

/** For a set: the engine does not tell it which resources of the program will import members of it. */
export const importsIn = (
  outline: Outline,
  typeOf: Registrar["typeOf"],
  opts: pulumi.CustomResourceOptions,
): Promise<unknown> | undefined =>
  outline.membersProperty === undefined || outline.contentIdentity === undefined
    ? undefined
    : importsOf([typeOf(outline.contentIdentity), typeOf(outline)], opts);

/**
 * The imports of some types in the program, each as the last part of its type, the id and the resource's name. The engine may check these resources
 * only after it has updated a set that no longer declares the objects. The registration of the set cannot wait for them, because they may wait for
 * the set.
 */
async function importsOf(
  types: readonly string[],
  opts: pulumi.CustomResourceOptions,
): Promise<readonly string[] | undefined> {
  const imports = importsOfRun();
  // The program may create some of them after the set.
  await new Promise(setImmediate);
  const own = imports.filter(({ type }) => types.includes(type));
  if (own.length === 0) return undefined;
  const here = await addressBy(opts);
  const areFresh = await Promise.all(
    own.map(async ({ type, name, opts: theirs }) => {
      const there = await addressBy(theirs);
      // An equal id at another base URL is that of another object.
      const isHere = here === undefined || there === undefined || here === there;
      // The engine ignores the option for a resource that the state already has.
      return isHere && !(await isInState(type, name));
    }),
  );
  const fresh = own.filter((_, index) => areFresh[index]);
  return fresh.length === 0
    ? undefined
    : fresh.map(({ type, id, name }) => `${type.split(":").at(-1)} ${id} ${name}`);
}
