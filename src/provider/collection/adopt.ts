import { isNotFound } from "../../api/errors";
import { howToImport, mayBeMadeOf } from "../hooks/import";
import { ProviderError } from "../engine/errors";
import { leavesOf } from "../describe/fields";
import { GUARDED } from "../state/hidden";
import { shortened } from "../engine/warnings";
import { type Session } from "../process/session";
import { hasUnknown, type Properties, same } from "../state/values";
import { answerOf } from "../state/answers";
import { everyMember, poolOf } from "./account";
import { type CollectionDescription } from "../describe/define-collection";
import { nameOfMember } from "./describe";
import { type Held, heldFrom, outputsFor, type Wanted, wantedIn } from "./members";
import { Neighbours } from "./neighbours";

/** Holds the members that a program declares against what is there, and fails with all that differs. */
export async function compareForImport(
  session: Session,
  collection: CollectionDescription,
  id: string,
  inputs: Properties,
): Promise<Held[]> {
  const attempt = `import ${collection.type} ${id}`;
  const scope = collection.fromId(id);
  if (scope === undefined) {
    throw new ProviderError(`${attempt}: "${id}" is not the id of one; its form is ${collection.id.form}`);
  }
  for (const path of collection.scope) {
    if (hasUnknown(inputs[path]) || (scope[path] ?? "") === (inputs[path] ?? "")) continue;
    throw new ProviderError(
      `${attempt}: ${path} is ${shown(inputs[path])} in the program, and the id says ${shown(scope[path])}`,
    );
  }
  const guarded = inputs[GUARDED] === true;
  const parent = String(scope[collection.item.id.parent ?? ""]);
  const there = [...(await membersOf(session, collection, attempt, parent)).values()];
  const pool = poolOf(collection, there);
  const problems: string[] = [];
  let areMade = true;
  const held = wantedIn(collection, inputs[collection.property])
    .filter((member) => !hasUnknown(member.inputs))
    .flatMap((member) => {
      const reply = pool.take(member.inputs);
      const name = nameOfMember(collection, member, guarded);
      const different = reply === undefined ? [] : differences(collection, member, reply, guarded);
      areMade &&= reply !== undefined && different.every(({ isMade }) => isMade);
      if (reply === undefined) problems.push(`${name} is not there`);
      problems.push(...different.map(({ text }) => `${name}: ${text}`));
      return reply === undefined ? [] : [heldFrom(collection, member, reply)];
    });
  if (inputs[collection.exclusive] === true) {
    const strangers = new Neighbours(collection).unclaimed(there, held, inputs);
    areMade &&= strangers.length === 0;
    problems.push(...strangers.map(({ line }) => `${line} is there and not in the program`));
  }
  if (problems.length === 0) return held;
  throw new ProviderError(`${attempt}: ${shortened(problems).join("; ")}. ${howToImport(areMade)}`);
}

/** All that is there of what an id covers, as the text that the state keeps: what is adopted where `ignoreChanges` names the members. */
export async function textThere(
  session: Session,
  collection: CollectionDescription,
  id: string,
): Promise<unknown> {
  const scope = collection.fromId(id);
  if (scope === undefined) return "";
  const parent = String(scope[collection.item.id.parent ?? ""]);
  const there = await membersOf(session, collection, `import ${collection.type} ${id}`, parent);
  const covered = new Neighbours(collection).unclaimed([...there.values()], [], scope);
  return outputsFor(collection, covered)[collection.property];
}

async function membersOf(
  session: Session,
  collection: CollectionDescription,
  attempt: string,
  parent: string,
) {
  try {
    return await everyMember(session, collection, parent);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new ProviderError(
      `${attempt}: there is no ${collection.item.id.parent?.replace(/Id$/, "")} ${parent}`,
    );
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
