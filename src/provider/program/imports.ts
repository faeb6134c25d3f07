import type * as pulumi from "@pulumi/pulumi";
import { addressBy } from "./accounts";
import { cached } from "../../api/cached";
import { parentRun, type Run, thisRun } from "../base/runs";
import { classIn } from "../describe/type-token";
import { lastingUrn } from "../describe/urn";
import { askedKey, OwnersOfRun } from "../notes/owners-of-run";
import { engine, isInline, isPreview, onceInRun } from "./run-mode";
import { type Outline } from "../describe/outline";
import { type Inputs, type TypeAndName } from "./registrar";
import { isInState } from "./state-of-resource";
import { resourceOf, urnIn } from "./urn";

/** A resource with the option `import`, or that adopts. */
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

/**
 * Tells the provider of an import for which the engine may never ask it: `--target` and `--exclude` leave a dynamic resource out, and the engine then
 * deletes the object for its old resource.
 */
export async function tellOfImport(outline: Outline, one: Import, urn: string): Promise<void> {
  const address = isPreview() ? undefined : await addressBy(one.opts);
  const living = isInline() ? thisRun(engine()) : parentRun(engine());
  if (address === undefined || living === undefined) return;
  const { type, contentIdentity, membersProperty } = outline;
  const isSet = membersProperty !== undefined && contentIdentity !== undefined;
  const [parent = ""] = one.id.split("/");
  const owner = { urn: lastingUrn(urn), name: `${type} ${one.name}` };
  const key = isSet ? askedKey(contentIdentity.type, `${parent}/`, owner) : askedKey(type, one.id, owner);
  records(address, living).add("asked", [key], owner);
}

/** The record of the run for each account of the program. */
const recordsOfRun = onceInRun(() => new Map<string, OwnersOfRun>());
const records = (address: string, living: Run) =>
  cached(recordsOfRun(), address, () => new OwnersOfRun(process.env, engine(), address, Date.now, living));

/** For a set: the engine does not tell it which resources of the program will import members of it. */
export const importsIn = (
  outline: Outline,
  opts: pulumi.CustomResourceOptions,
): Promise<unknown> | undefined =>
  outline.membersProperty === undefined || outline.contentIdentity === undefined
    ? undefined
    : importsOf([outline.contentIdentity.type, outline.type], opts);

/**
 * The imports of some classes in the program, served in either way, each as the last part of its type, the id and the resource's name. The engine may check these resources
 * only after it has updated a set that no longer declares the objects. The registration of the set cannot wait for them, because they may wait for
 * the set.
 */
async function importsOf(
  classes: readonly string[],
  opts: pulumi.CustomResourceOptions,
): Promise<readonly string[] | undefined> {
  const imports = importsOfRun();
  // The program may create some of them after the set.
  await new Promise(setImmediate);
  const own = imports.filter(({ type }) => classes.includes(classIn(type) ?? ""));
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
    : fresh.map(({ type, id, name }) => `${classIn(type) ?? ""} ${id} ${name}`);
}

/** The URNs of the sets of the program by their parent: its id, or the URN of its resource. */
const setsOfRun = onceInRun(() => new Map<string, Set<string>>());

/**
 * For a set: the URNs of the sets of the program below its parent, also its own, for which a set waits before it deletes what it gives up. The engine may check them later.
 * One that waits for other resources is not among them: it may wait for that very set.
 */
export function setsBeside(
  { membersProperty, contentIdentity }: Outline,
  { type, name }: TypeAndName,
  inputs: Inputs,
  { dependsOn, parent: within }: pulumi.CustomResourceOptions,
): Promise<unknown> | undefined {
  if (membersProperty === undefined || contentIdentity === undefined) return undefined;
  const given = inputs[contentIdentity.within];
  const parent = typeof given === "string" ? Promise.resolve(given) : resourceOf(given);
  return parent?.then(async (one) => {
    const all = cached(setsOfRun(), one, () => new Set<string>());
    if (dependsOn === undefined) all.add(lastingUrn(await urnIn(name, type, within)));
    // The program may create some of them after the set.
    await new Promise(setImmediate);
    return [...all];
  });
}
