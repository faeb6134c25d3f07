import { type CollectionDescription, type Member } from "../../describe/define-collection";
import { leavesOf } from "../../describe/fields";
import { answerOf } from "../../state/answers";
import { type Sent } from "../../state/call";
import { withDrift } from "../../state/drift";
import { type Properties, same } from "../../base/values";
import { type ChangedInput } from "../../state/update-or-replace";
import { type Held, plainMember } from "../../state/members";

/** A member in the form in which a state keeps an object. */
export const asObject = ({ inputs, answered }: Held): { sent: Sent; outputs: Properties } => ({
  sent: new Map(Object.entries(inputs)),
  outputs: { ...inputs, ...answered },
});

/** A member as the service answers it, and as the program has it. */
export const formsOf = (member: Held) => [asObject(member).outputs, member.inputs] as const;

/** A member as the answer to a creation or an update shows it. */
export function heldFrom(
  description: CollectionDescription,
  member: Member,
  parent: string,
  reply: Properties,
): Held {
  const { item } = description;
  const shown = answerOf(item, reply);
  const { inputs } = member;
  const answered: Properties = {};
  for (const { path, comparison } of leavesOf(item.fields)) {
    const [sent, live] = [inputs[path], shown[path]];
    if (sent !== undefined && live !== undefined && !same(comparison, sent, live)) answered[path] = live;
  }
  return { ...plainMember(member), parent, id: item.idOf(reply), line: description.write(member), answered };
}

/** A member after an update of some inputs: what is there in place of another one was changed outside Pulumi, and stays drift. */
export function heldAfter(
  description: CollectionDescription,
  { before, wanted, reply }: { readonly before: Held; readonly wanted: Member; readonly reply: Properties },
  changed: readonly ChangedInput[],
): Held {
  const now = heldFrom(description, wanted, before.parent, reply);
  const isWritten = (path: string) => changed.some(({ leaf }) => leaf.path === path);
  const answered = [
    ...Object.entries(now.answered).filter(([path]) => isWritten(path)),
    ...Object.entries(before.answered).filter(([path]) => path in wanted.inputs && !isWritten(path)),
  ];
  return { ...now, answered: Object.fromEntries(answered) };
}

/** An object that the program does not declare, as a member. */
export function strangerFrom(description: CollectionDescription, parent: string, reply: Properties): Held {
  const inputs = description.inputsOf(answerOf(description.item, reply));
  return {
    inputs,
    parent,
    id: description.item.idOf(reply),
    line: description.write({ inputs }),
    answered: {},
  };
}

/** A member as it is now: the live value takes the place of each input that has drifted. */
export function drifted(description: CollectionDescription, member: Held, reply: Properties): Held {
  const { item } = description;
  const sent = withDrift(leavesOf(item.fields), asObject(member), answerOf(item, reply));
  const drifts = (path: string) => sent.get(path) !== member.inputs[path];
  if (!Object.keys(member.inputs).some(drifts)) return member;
  const isSet = ([, value]: [string, unknown]) => value !== undefined && value !== "";
  const changed = { ...plainMember(member), inputs: Object.fromEntries([...sent].filter(isSet)) };
  const answered = Object.entries(member.answered).filter(([path]) => !drifts(path));
  return {
    ...changed,
    parent: member.parent,
    id: member.id,
    line: description.write(changed),
    answered: Object.fromEntries(answered),
  };
}
