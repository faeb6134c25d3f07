import { type CollectionDescription } from "../../provider/describe/define-collection";
import { drifted } from "../../provider/collection/members/as-objects";
import { type Held, heldIn } from "../../provider/state/members";
import { unclaimedOf } from "../../provider/collection/members/match-objects";
import { isGuarded } from "../../provider/collection/members/secrets";
import { type State } from "../../provider/state/call";
import { type Path } from "../../provider/state/property-paths";
import { isSecretAt } from "../../provider/state/secret-inputs";
import { type Properties } from "../../provider/state/values";
import { type ChangedMember } from "./findings";

/** The objects under the parent of a set. */
export interface Objects {
  /** The answers about objects, by id. */
  readonly there: ReadonlyMap<string, Properties>;
  /** The ids of objects that resources manage. */
  readonly managed: ReadonlySet<string>;
}

/** The members that the program declares and that a state holds. */
export function declaredMembers(description: CollectionDescription, state: State): Held[] {
  const undeclared = new Set(state.members?.left.map(([id]) => id));
  return heldIn(description, state).filter(({ id }) => !undeclared.has(id));
}

/** The members that differ from those that the stack set, and the ids of undeclared objects that an exclusive set will delete. */
export function changedMembers(
  description: CollectionDescription,
  state: State,
  { there, managed }: Objects,
  secrets: readonly Path[],
): { members: ChangedMember[]; added: string[] } {
  const isSecret = isGuarded(state) || isSecretAt(secrets, description.property);
  const member = (change: ChangedMember["change"], values: Omit<ChangedMember, "change">): ChangedMember => ({
    change,
    ...(isSecret ? {} : values),
  });
  const members = declaredMembers(description, state).flatMap((held): ChangedMember[] => {
    const reply = there.get(held.id);
    if (reply === undefined) return [member("deleted", { expected: held.line })];
    const now = drifted(description, held, reply);
    return now.line === held.line ? [] : [member("changed", { expected: held.line, live: now.line })];
  });
  const strangers =
    state.outputs[description.exclusive] === true
      ? unclaimedOf(description, [...there.values()], [], state.outputs).filter(({ id }) => !managed.has(id))
      : [];
  return {
    members: [...members, ...strangers.map(({ line }) => member("added", { live: line }))],
    added: strangers.map(({ id }) => id),
  };
}
