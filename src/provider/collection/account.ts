import { formatId } from "../describe/define-resource";
import { likenessOf } from "../creation/recognise";
import { kindOf } from "../process/kind";
import { type Session } from "../process/session";
import { type Properties } from "../state/values";
import { answerOf } from "../state/answers";
import { type CollectionDescription } from "../describe/define-collection";
import { identityOf } from "./members";

/** All objects of the kind under the parent, by id. */
export async function everyMember(
  session: Session,
  { item }: CollectionDescription,
  parent: string,
): Promise<Map<string, Properties>> {
  const found = new Map<string, Properties>();
  for await (const reply of item.list?.(session.client, parent) ?? []) found.set(item.idOf(reply), reply);
  return found;
}

/** Objects to be taken by what they are, each once. */
export interface Pool {
  take(inputs: Properties): Properties | undefined;
}

/** What is there, was not there before, and is nobody's that this process knows of. */
export function newcomersIn(
  session: Session,
  collection: CollectionDescription,
  parent: string,
  there: ReadonlyMap<string, Properties>,
  before: ReadonlySet<string>,
): Pool {
  const { item } = collection;
  const kind = kindOf(session, item);
  const taken = kind.known.taken(parent);
  const newcomers = [...there].filter(
    ([id]) => !before.has(id) && !taken.has(id) && !kind.known.isManaged(formatId({ parent, id })),
  );
  return poolOf(
    collection,
    newcomers.map(([, reply]) => reply),
  );
}

/** Equal objects first, then those that the service may have rewritten: these begin alike. */
export function poolOf(collection: CollectionDescription, replies: readonly Properties[]): Pool {
  const { item } = collection;
  const equal = new Map<string, Set<Properties>>();
  const alike = new Map<string, Set<Properties>>();
  const bucket = (map: Map<string, Set<Properties>>, key: string) => {
    const known = map.get(key);
    if (known !== undefined) return known;
    const made = new Set<Properties>();
    map.set(key, made);
    return made;
  };
  const beginning = (inputs: Properties) => collection.place(inputs).split(".", 1)[0]?.toLowerCase() ?? "";
  for (const reply of replies) {
    const inputs = collection.inputsOf(answerOf(item, reply));
    bucket(equal, identityOf(collection, inputs)).add(reply);
    bucket(alike, beginning(inputs)).add(reply);
  }
  // Names and targets may come back in another spelling; numbers beside them do not.
  const numbers = collection.tells.filter((field) => !item.identity.includes(field));
  const isRewritten = (reply: Properties, inputs: Properties) => {
    const shown = collection.inputsOf(answerOf(item, reply));
    return (
      numbers.every((field) => shown[field] === inputs[field]) &&
      likenessOf(item, reply, inputs) !== undefined
    );
  };
  return {
    take: (inputs) => {
      const near = alike.get(beginning(inputs));
      if (near === undefined || near.size === 0) return undefined;
      const [found] = [...(equal.get(identityOf(collection, inputs)) ?? [])].filter((reply) =>
        near.has(reply),
      );
      const taken = found ?? [...near].find((reply) => isRewritten(reply, inputs));
      if (taken !== undefined) near.delete(taken);
      return taken;
    },
  };
}
