import { isNotFound } from "../../api/errors";
import { type CollectionDescription } from "../describe/define-collection";
import { leavesOf } from "../describe/fields";
import { ProviderError } from "../engine/errors";
import { shortened } from "../engine/warnings";
import { howToImport, mayBeMadeOf } from "../adoption/compare-with-import";
import { answerOf } from "../state/answers";
import { type Call } from "../state/call";
import { hasUnknown, type Properties, same } from "../state/values";
import { type Collection } from "./collection";
import { unclaimedOf } from "./members/match-objects";
import { everyMember } from "./members/list";
import { nameOfMember } from "./members/names";
import { poolOf } from "./members/object-pool";
import { type Held, type Wanted, wantedIn } from "./members/member";
import { heldFrom } from "./members/from-answers";
import { storedFor } from "./members/in-state";
import { isGuarded } from "./members/secrets";

/** Compares the members that a program declares with the objects that exist, and fails with all differences. */
export async function compareForImport(collection: Collection, id: string, call: Call): Promise<Held[]> {
  const { description, property } = collection;
  const { inputs } = call;
  const attempt = `import ${collection.type} ${id}`;
  const scope = scopeOf(description, attempt, id, inputs);
  const there = await membersBelow(collection, attempt, scope);
  const pool = poolOf(description, there);
  const guarded = isGuarded(call);
  const problems: string[] = [];
  let areMade = true;
  const held = wantedIn(description, inputs[property])
    .filter((member) => !hasUnknown(member.inputs))
    .flatMap((member) => {
      const reply = pool.take(member.inputs);
      const name = nameOfMember(description, member, guarded);
      const different = reply === undefined ? [] : differences(description, member, reply, guarded);
      areMade &&= reply !== undefined && different.every(({ isMade }) => isMade);
      if (reply === undefined) problems.push(`${name} does not exist`);
      problems.push(...different.map(({ text }) => `${name}: ${text}`));
      return reply === undefined ? [] : [heldFrom(description, member, reply)];
    });
  if (collection.isExclusive(inputs)) {
    const strangers = unclaimedOf(description, there, held, inputs);
    areMade &&= strangers.length === 0;
    problems.push(...strangers.map(({ line }) => `${line} exists and is not in the program`));
  }
  if (problems.length === 0) return held;
  throw new ProviderError(`${attempt}: ${shortened(problems).join("; ")}. ${howToImport(areMade)}`);
}

/** All objects that an id covers, as the text in the state. An import takes it if `ignoreChanges` names the members. */
export async function textThere(collection: Collection, id: string): Promise<string> {
  const scope = collection.description.fromId(id);
  if (scope === undefined) return "";
  const there = await membersThere(collection, `import ${collection.type} ${id}`, scope);
  return storedFor(there).text;
}

/** All objects in a scope, as members. */
export async function membersThere(
  collection: Collection,
  attempt: string,
  scope: Properties,
): Promise<Held[]> {
  const there = await membersBelow(collection, attempt, scope);
  return unclaimedOf(collection.description, there, [], scope);
}

/** The inputs that an id determines. Fails if the program has other ones. */
function scopeOf(
  description: CollectionDescription,
  attempt: string,
  id: string,
  inputs: Properties,
): Properties {
  const scope = description.fromId(id);
  if (scope === undefined) {
    throw new ProviderError(
      `${attempt}: "${id}" is not the id of a ${description.type}; the id has the form ${description.id.form}`,
    );
  }
  for (const path of description.scope) {
    if (hasUnknown(inputs[path]) || (scope[path] ?? "") === (inputs[path] ?? "")) continue;
    throw new ProviderError(
      `${attempt}: ${path} is ${shown(inputs[path])} in the program, and ${shown(scope[path])} in the id`,
    );
  }
  return scope;
}

async function membersBelow(
  collection: Collection,
  attempt: string,
  scope: Properties,
): Promise<Properties[]> {
  const parent = collection.parentOf(scope);
  try {
    return [...(await everyMember(collection, parent)).values()];
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new ProviderError(`${attempt}: there is no ${collection.item.parentName} ${parent}`);
  }
}

function differences(
  { item }: CollectionDescription,
  { inputs }: Wanted,
  reply: Properties,
  guarded: boolean,
): { readonly text: string; readonly isMade: boolean }[] {
  const live = answerOf(item, reply);
  return leavesOf(item.fields).flatMap((leaf) => {
    const { path, comparison } = leaf;
    const [wanted, actual] = [inputs[path], live[path]];
    if (wanted === undefined || actual === undefined || same(comparison, wanted, actual)) return [];
    const text = guarded
      ? `${path} differs`
      : `${path} is ${shown(wanted)} in the program and ${shown(actual)} in the account`;
    return [{ text, isMade: mayBeMadeOf(leaf, wanted, actual) }];
  });
}

const shown = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value));
