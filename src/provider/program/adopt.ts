import { runError, warn } from "./messages";
import type * as pulumi from "@pulumi/pulumi";
import { quietly } from "../../api/quietly";
import { classIn } from "../describe/type-token";
import { partsOfUrn, stackInUrn } from "../describe/urn";
import { IMPORT_VARIABLE, readImports } from "../settings/wished-imports";
import { refuse } from "./refuse";
import { isMocked, isRunning, onceInRun } from "./run-mode";
import * as sdk from "./sdk";

/** An id to adopt. */
interface Adoption {
  readonly id: string;
  /** The full key of the resource that has taken it. */
  takenBy?: string;
}

/** A registered symbol on the SDK's data of the run, so that a second copy of the package finds the ids too. */
const KEPT = Symbol.for("pulumi-nodecloud.adopt");
const run = () => sdk.getStore() as { [KEPT]?: Map<string, Adoption> };

/** The parts of a resource that the SDK's types omit. */
export interface AdoptingResource {
  readonly __pulumiType: string;
  readonly __name: string;
  readonly __aliases?: readonly unknown[];
  readonly __parentResource?: AdoptingResource;
  readonly __childResources?: ReadonlySet<AdoptingResource>;
}

/** How many unused keys the warning names. */
const NAMED = 20;

/**
 * Names the existing objects that resources of the program adopt. An id has the effect of the option `import` on a resource that the state does
 * not have. Call this before the resources are declared: in a file that the program imports first. `nodecloud import` writes such a file.
 *
 * Delete the call after the `pulumi up` that adopts. It has no effect on resources in the state, also after their objects were replaced. But a
 * resource that a refresh has removed from the state is not created again, and other stacks of the program adopt the same objects. The run ends
 * with a warning about keys that no resource has.
 *
 * ```ts
 * nodecloud.adopt({ "Node web": "123", "DomainRecordSet example.org": "45" });
 * ```
 * @param ids The ids of the objects. A key is the class and the name of the resource. If several resources have this class and name, their types
 * of parents come first, as in a URN: `my:Site$Node web` in a component, and `pulumi:pulumi:Stack$Node web` without a parent.
 */
export function adopt(ids: Readonly<Record<string, string>>): void {
  if (!isRunning()) throw runError("adopt: no program runs here: call it in the program", "ADOPT_REFUSED");
  const stack = sdk.getStackResource() as unknown as AdoptingResource | undefined;
  const declared = new Set(stack === undefined ? [] : childrenOf(stack).flatMap(keysOf));
  const adoptions = (run()[KEPT] ??= begun());
  for (const [key, id] of Object.entries(ids)) {
    const known = adoptions.get(key);
    const problem =
      problemOf(key, id, known) ?? (known === undefined && declared.has(key) ? LATE : undefined);
    if (problem !== undefined) refuse(`adopt: "${key}": ${problem}`, "ADOPT_REFUSED");
    else if (known === undefined) adoptions.set(key, { id });
  }
}

const LATE = "the resource is declared already: call adopt before";

function problemOf(key: string, id: unknown, known: Adoption | undefined): string | undefined {
  if (!/^\S+ ./s.test(key))
    return 'a key is the class of a resource, a space and its name, such as "Node web"';
  if (typeof id !== "string" || id === "") return 'the id must be a text, such as "123"';
  if (known !== undefined && known.id !== id) return `it has the ids "${known.id}" and "${id}"`;
  return undefined;
}

/** Begins, once in a run, to watch the entries of NODECLOUD_IMPORT for this stack. At its end a warning names those that no resource has. */
export const watchWished = onceInRun(() => {
  const text = process.env[IMPORT_VARIABLE]?.trim() ?? "";
  // A malformed text is refused by the provider.
  const wished = text === "" ? undefined : quietly(() => readImports(text));
  const own = `${sdk.getProject()}/${sdk.getStack()}`;
  const urns = [...(wished?.keys() ?? [])].filter((urn) => stackInUrn(urn) === own);
  if (urns.length > 0) void endOfRun().then((isDone) => (isDone ? warnOfUnwished(urns) : undefined));
  return urns;
});

async function warnOfUnwished(urns: readonly string[]): Promise<void> {
  const stack = sdk.getStackResource() as unknown as AdoptingResource | undefined;
  const declared = new Set(stack === undefined ? [] : childrenOf(stack).flatMap(keysOf));
  const unused = urns.flatMap((urn) => {
    const { types, name } = partsOfUrn(urn);
    const classes = types.map((type) => classIn(type) ?? type);
    const key = `${classes.join("$")} ${name}`;
    return declared.has(classes.length > 1 ? key : `${STACK}$${key}`) ? [] : [`"${key}"`];
  });
  await warnOf(`${IMPORT_VARIABLE} has entries`, unused);
}

/** The id that `adopt` has for a resource without the option `import`. */
export function adoptedId(
  type: string,
  name: string,
  opts: pulumi.CustomResourceOptions,
): string | undefined {
  const adoptions = run()[KEPT];
  if (adoptions === undefined || opts.id !== undefined || opts.urn !== undefined) return undefined;
  const [key, fullKey] = keysFor(type, name, opts.parent as unknown as AdoptingResource | undefined);
  const found = adoptions.get(fullKey) ?? adoptions.get(key);
  if (found === undefined) return undefined;
  const { id, takenBy = fullKey } = found;
  if (takenBy !== fullKey) {
    refuse(
      `adopt: several resources have the key "${key}": write "${takenBy}" or "${fullKey}" instead`,
      "ADOPT_REFUSED",
    );
    return undefined;
  }
  if (opts.import !== undefined && opts.import !== id) {
    refuse(
      `${type} ${name}: its option import is "${opts.import}", and adopt has the id "${id}" for it: remove one of the two`,
      "ADOPT_REFUSED",
    );
  }
  found.takenBy = fullKey;
  return opts.import === undefined ? id : undefined;
}

const keysOf = ({ __pulumiType: type, __name: name, __parentResource: parent }: AdoptingResource) =>
  keysFor(classIn(type) ?? type, name, parent);

/** The key of a resource, and its key with the types of its parents. */
function keysFor(
  type: string,
  name: string,
  parent: AdoptingResource | undefined,
): readonly [string, string] {
  const types = typesFrom(parent);
  // The URN of a resource below the stack's own has no type before that of the resource.
  const above = types.length > 1 ? types.slice(1) : [STACK];
  return [`${type} ${name}`, `${[...above, type].join("$")} ${name}`];
}

const STACK = "pulumi:pulumi:Stack";

function typesFrom(one: AdoptingResource | undefined): string[] {
  if (one === undefined) return [STACK];
  const { __pulumiType: type, __parentResource: parent } = one;
  return type === STACK ? [STACK] : [...typesFrom(parent), classIn(type) ?? type];
}

const childrenOf = ({ __childResources: children = new Set() }: AdoptingResource): AdoptingResource[] =>
  [...children].flatMap((child) => [child, ...childrenOf(child)]);

/** Begins the ids of a run. At its end a warning names the keys that no resource has. */
function begun(): Map<string, Adoption> {
  const adoptions = new Map<string, Adoption>();
  if (!isMocked()) void endOfRun().then((isDone) => (isDone ? warnOfUnused(adoptions) : undefined));
  return adoptions;
}

/** Resolves when the program can declare no more resources. False if the program failed. */
async function endOfRun(): Promise<boolean> {
  if (sdk.getLocalStore() === undefined) {
    await new Promise((resolve) => process.once("beforeExit", resolve));
    return !sdk.hasErrors();
  }
  // The process of an inline program does not end with the run. Its SDK waits in the same way.
  const { settings } = sdk.getStore() as { readonly settings: { readonly rpcDone: Promise<unknown> } };
  try {
    await (sdk.getStackResource() as unknown as { outputs: sdk.Settling }).outputs.promise();
  } catch {
    return false;
  }
  for (let done; done !== settings.rpcDone; await done) done = settings.rpcDone;
  return !sdk.hasErrors();
}

async function warnOfUnused(adoptions: ReadonlyMap<string, Adoption>): Promise<void> {
  const unused = [...adoptions].filter(([, { takenBy }]) => takenBy === undefined).map(([key]) => `"${key}"`);
  await warnOf("adopt has keys", unused);
}

async function warnOf(what: string, unused: readonly string[]): Promise<void> {
  if (unused.length === 0) return;
  const more = unused.length > NAMED ? ` and ${unused.length - NAMED} more` : "";
  const names = `${unused.slice(0, NAMED).join(", ")}${more}`;
  const then = "A component in its own plugin does not see them";
  await warn(`${what} that no resource of the program has: ${names}. ${then}`, "ADOPT_REFUSED");
}
