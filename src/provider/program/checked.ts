/**
 * Where `nodecloud check` puts what takes a mistake of the program that it runs, on the global object. A registered symbol, so that every copy of the package
 * finds it.
 */
export const CHECKED = Symbol.for("pulumi-nodecloud.check");

/** Takes a mistake of a program that `nodecloud check` runs, without the engine. Undefined if the engine runs the program. */
export const noteOfCheck = (): ((mistake: Error) => void) | undefined =>
  Reflect.get(globalThis, CHECKED) as ((mistake: Error) => void) | undefined;
