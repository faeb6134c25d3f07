import { counted, nounFor } from "../../api/text";
import { Words } from "../../provider/engine/secret-words";
import { type Account, type Connection, Connections } from "../account/accounts";
import { type LiveObject } from "../account/list-account";
import { type Context } from "../context";
import { descriptionOf } from "../descriptions";
import { type Progress } from "../progress";
import { readStacks, type StackState } from "../stacks/read-stacks";
import { type Selection } from "../stacks/select-stacks";
import { accountObject, describedObject } from "./account-object";
import { compareResource } from "./compare";
import { type Coverage, type Drift, type Gap, type Shared, type Unmanaged } from "./findings";
import { readsFrom } from "./listed-reads";
import { addressOf, type Managed, managedIn, ManagedObjects, ofStack, ownerOf } from "./managed";

/** Without a resource, no state says which account to read. */
const NO_ACCOUNT: Gap = {
  what: "the account",
  reason: "none of the stacks has resources of pulumi-nodecloud, so no account was read",
};

/** Compares the objects of accounts with the states of stacks. */
export async function collectDrift(
  context: Context,
  progress: Progress,
  selection: Selection,
): Promise<Drift> {
  const words = new Words();
  const states = await readStacks(context, progress, words, selection);
  const connections = new Connections(context, progress, words);
  const all = states.flatMap((state) => managedIn(state, connections, words));
  const accounts = await connections.accounts();
  const objects = new ManagedObjects(all);
  progress.show(`comparing ${all.length} resources`);
  const compared = await Promise.all(
    [...accounts].flatMap(([connection, account]) => {
      const read = readsFrom(account, connection);
      const own = all.filter((managed) => managed.connection === connection);
      return own.map((managed) =>
        compareResource(managed, account, objects, read).catch((error: unknown) => {
          context.signal.throwIfAborted();
          throw ofStack(managed.stack, words, error);
        }),
      );
    }),
  );
  const added = new Set(compared.flatMap((one) => one.added));
  const distinct = [...new Set(accounts.values())];
  return {
    stacks: states.map(({ stack }) => stack),
    findings: [
      ...compared.flatMap(({ findings }) => findings),
      ...sharedIn(all, accounts, objects),
      ...distinct.flatMap((account) => unmanagedIn(account, objects, added)),
    ],
    coverage: distinct.flatMap((account) => coverageOf(account, objects)),
    gaps: [
      ...(distinct.length === 0 ? [NO_ACCOUNT] : []),
      ...distinct.flatMap(({ gaps }) => gaps),
      ...compared.flatMap(({ gaps }) => gaps),
    ].map(({ what, reason }) => ({ what, reason: words.line(reason) })),
    notes: states.flatMap(notesOf),
  };
}

const unmanagedIn = (
  account: Account,
  objects: ManagedObjects,
  added: ReadonlySet<LiveObject | undefined>,
): Unmanaged[] =>
  [...account.objects.values()]
    .filter((object) => object.isManageable && !objects.has(account, object.key) && !added.has(object))
    .map((object) => ({ kind: "unmanaged", ...accountObject(account, object, objects) }));

function coverageOf(account: Account, objects: ManagedObjects): Coverage[] {
  const isManaged = ({ key }: LiveObject) => objects.has(account, key);
  const those = [...account.objects.values()].filter((one) => one.isManageable || isManaged(one));
  return [...Map.groupBy(those, ({ description }) => description.type)].map(([type, own]) => ({
    ...{ account: account.name, type, objects: own.length },
    managed: own.filter(isManaged).length,
  }));
}

/** The facts that a reader should know about a stack. */
function notesOf({ stack, state: { resources, others, interrupted } }: StackState): string[] {
  const called = `stack ${stack.name} of ${stack.directory}`;
  const unknown = resources.filter(({ type }) => descriptionOf(type) === undefined);
  const were = (count: number, noun: string, from: string, what: string) =>
    count === 0 ? [] : [`${called}: ${counted(count, noun)}${from} ${nounFor(count, "was", "were")} ${what}`];
  return [
    ...(resources.length === 0 ? [`${called} has no resources of pulumi-nodecloud`] : []),
    ...were(others, "resource", " of other providers", "left out"),
    ...were(unknown.length, "resource", " of a newer version of pulumi-nodecloud", "left out"),
    ...were(interrupted, "operation", "", "interrupted, so some objects may not be in the state"),
  ];
}

/** The objects that several resources manage. */
function sharedIn(
  all: readonly Managed[],
  accounts: ReadonlyMap<Connection, Account>,
  objects: ManagedObjects,
): Shared[] {
  const owned = all.flatMap((managed) => managed.keys.map((key) => ({ managed, key })));
  const addresses = Map.groupBy(owned, ({ managed, key }) => addressOf(managed.connection, key));
  return [...addresses.values()].flatMap((owners): Shared[] => {
    const staying = owners.filter(({ managed }) => !managed.resource.isLeaving);
    const isHere = ({ managed: { stack } }: (typeof owners)[number]) =>
      staying.some(
        ({ managed }) => managed.stack.name === stack.name && managed.stack.directory === stack.directory,
      );
    // What one stack is about to delete may be what another one has imported.
    const [first, ...others] = [
      ...staying,
      ...owners.filter((one) => one.managed.resource.isLeaving && staying.length > 0 && !isHere(one)),
    ];
    const account = first && accounts.get(first.managed.connection);
    if (first === undefined || account === undefined || others.length === 0) return [];
    const { key, managed } = first;
    const { item } = managed;
    const live = account.objects.get(key);
    const about =
      live === undefined
        ? describedObject(account, item, key.slice(item.type.length + 1), {}, objects)
        : accountObject(account, live, objects);
    const resource = ownerOf(managed);
    return [{ kind: "shared", ...about, resource, others: others.map((one) => ownerOf(one.managed)) }];
  });
}
