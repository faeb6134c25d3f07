import { matchOf } from "../../creation/match-object";
import { type CollectionDescription } from "../../describe/define-collection";
import { formatId } from "../../describe/define-resource";
import { answerOf } from "../../state/answers";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { identityOf } from "./member";

/** Objects that become members, each once, by their content. */
export interface Pool {
  take(inputs: Properties): Properties | undefined;
}

/** The objects that were not there before, and that no resource in this process owns. */
export function newcomersIn(
  { description, item }: Collection,
  parent: string,
  there: ReadonlyMap<string, Properties>,
  before: ReadonlySet<string>,
): Pool {
  const taken = item.known.taken(parent);
  const newcomers = [...there].filter(
    ([id]) => !before.has(id) && !taken.has(id) && !item.known.isManaged(formatId({ parent, id })),
  );
  return poolOf(
    description,
    newcomers.map(([, reply]) => reply),
  );
}

/** Takes equal objects first, then objects that the service may have rewritten: their places begin alike. */
export function poolOf(description: CollectionDescription, replies: readonly Properties[]): Pool {
  const { item } = description;
  const equal = new Map<string, Set<Properties>>();
  const near = new Map<string, Set<Properties>>();
  const beginning = (inputs: Properties) => description.place(inputs).split(".", 1)[0]?.toLowerCase() ?? "";
  for (const reply of replies) {
    const inputs = description.inputsOf(answerOf(item, reply));
    groupOf(equal, identityOf(description, inputs)).add(reply);
    groupOf(near, beginning(inputs)).add(reply);
  }
  // The service may respell names and targets. It keeps the numbers beside them.
  const numbers = description.sameBy.filter((field) => !item.identity.includes(field));
  const isRewritten = (reply: Properties, inputs: Properties) => {
    const shown = description.inputsOf(answerOf(item, reply));
    return (
      numbers.every((field) => shown[field] === inputs[field]) && matchOf(item, reply, inputs) !== undefined
    );
  };
  return {
    take: (inputs) => {
      const candidates = near.get(beginning(inputs));
      if (candidates === undefined || candidates.size === 0) return undefined;
      const [found] = [...(equal.get(identityOf(description, inputs)) ?? [])].filter((reply) =>
        candidates.has(reply),
      );
      const taken = found ?? [...candidates].find((reply) => isRewritten(reply, inputs));
      if (taken !== undefined) candidates.delete(taken);
      return taken;
    },
  };
}

function groupOf(groups: Map<string, Set<Properties>>, key: string): Set<Properties> {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const group = new Set<Properties>();
  groups.set(key, group);
  return group;
}
