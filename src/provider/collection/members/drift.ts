import { type CollectionDescription } from "../../describe/define-collection";
import { answerOf } from "../../state/answers";
import { type Properties } from "../../state/values";
import { type Held, plainMember } from "./member";
import { isSame, leavesSetIn } from "./from-answers";

/** A member as it is now: the live value takes the place of each input that has drifted. */
export function drifted(description: CollectionDescription, member: Held, reply: Properties): Held {
  const shown = answerOf(description.item, reply);
  const changes: Properties = {};
  for (const leaf of leavesSetIn(description, member.inputs)) {
    const { path } = leaf;
    const before = path in member.answered ? member.answered[path] : member.inputs[path];
    const live = shown[path];
    if (live !== undefined && !isSame(leaf, before, live)) changes[path] = live;
  }
  const paths = Object.keys(changes);
  if (paths.length === 0) return member;
  const cleared = paths.filter((path) => changes[path] === null || changes[path] === "");
  const inputs = without({ ...member.inputs, ...changes }, cleared);
  const changed = { ...plainMember(member), inputs };
  return {
    ...changed,
    id: member.id,
    line: description.write(changed),
    answered: without(member.answered, paths),
  };
}

const without = (properties: Properties, paths: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([path]) => !paths.includes(path)));
