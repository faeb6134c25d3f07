import { onceInRun } from "./run-mode";
import { type Outline } from "../describe/outline";
import { isInState } from "./state-of-resource";
import { type Way } from "./way";

/** A resource with the option `import`. */
interface Import {
  /** Its type token. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

/** The imports in the program of one run. */
const importsOfRun = onceInRun((): Import[] => []);

export function announceImport(one: Import): void {
  importsOfRun().push(one);
}

/** For a set: the engine does not tell it which resources of the program will import members of it. */
export const importsIn = (outline: Outline, typeOf: Way["typeOf"]): Promise<unknown> | undefined =>
  outline.holds === undefined || outline.declaredOnce === undefined
    ? undefined
    : importsOf([typeOf(outline.declaredOnce), typeOf(outline)]);

/**
 * The imports of some types in the program, each as the last part of its type, the id and the resource's name. The engine may check these resources
 * only after it has updated a set that no longer declares the objects. The registration of the set cannot wait for them, because they may wait for
 * the set.
 */
async function importsOf(types: readonly string[]): Promise<readonly string[] | undefined> {
  const imports = importsOfRun();
  // The program may create some of them after the set.
  await new Promise(setImmediate);
  const own = imports.filter(({ type }) => types.includes(type));
  const areThere = await Promise.all(own.map(({ type, name }) => isInState(type, name)));
  // The engine ignores the option for a resource that the state already has.
  const fresh = own.filter((_, index) => areThere[index] === false);
  return fresh.length === 0
    ? undefined
    : fresh.map(({ type, id, name }) => `${type.split(":").at(-1)} ${id} ${name}`);
}
