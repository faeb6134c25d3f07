import { type CollectionDescription, type Member } from "../../describe/define-collection";
import { type Leaf, leavesOf } from "../../describe/fields";
import { answerOf } from "../../state/answers";
import { type Properties, same } from "../../state/values";
import { type Held, plainMember } from "./member";

/** A member as the answer to a creation or an update shows it. */
export function heldFrom(description: CollectionDescription, member: Member, reply: Properties): Held {
  const { item } = description;
  const shown = answerOf(item, reply);
  const answered: Properties = {};
  for (const leaf of leavesSetIn(description, member.inputs)) {
    const live = shown[leaf.path];
    if (live !== undefined && !isSame(leaf, member.inputs[leaf.path], live)) answered[leaf.path] = live;
  }
  return { ...plainMember(member), id: item.idOf(reply), line: description.write(member), answered };
}

/** An object that the program does not declare, as a member. */
export function strangerFrom(description: CollectionDescription, reply: Properties): Held {
  const inputs = description.inputsOf(answerOf(description.item, reply));
  return { inputs, id: description.item.idOf(reply), line: description.write({ inputs }), answered: {} };
}

/** The fields that a member sets. */
export const leavesSetIn = ({ item }: CollectionDescription, inputs: Properties): Leaf[] =>
  leavesOf(item.fields).filter(({ path }) => inputs[path] !== undefined);

export const isSame = ({ comparison }: Leaf, a: unknown, b: unknown): boolean =>
  a === b || same(comparison, a, b);
