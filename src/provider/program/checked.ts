/** What `nodecloud check` sets on the global object of a program that it runs. A registered symbol, so that every copy of the package finds it. */
export const CHECKED = Symbol.for("pulumi-nodecloud.check");

/** Whether `nodecloud check` runs the program, without the engine. */
export const isChecked = (): boolean => Reflect.get(globalThis, CHECKED) === true;
