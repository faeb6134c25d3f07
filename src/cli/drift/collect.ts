import { takingTurns } from "../../api/concurrency";
import { counted } from "../../api/text";
import { Words } from "../../provider/engine/secret-words";
import { type Account, type Connection, Connections } from "../account/accounts";
import { isManageable } from "../account/list-account";
import { type Context } from "../context";
import { descriptionOf } from "../descriptions";
import { CliError, lineOf } from "../errors";
import { type Progress } from "../progress";
import { readStacks, type StackState } from "../stacks/read-stacks";
import { type Selection } from "../stacks/select-stacks";
import { accountObject } from "./account-object";
import { compareResource, inAccount } from "./compare-resource";
import { type Coverage, type Drift, type Gap, type Unmanaged } from "./findings";
import { type Managed, ManagedObjects, objectsOf } from "./managed";
import { managedIn } from "./read-managed";

export { type Selection };

/** Without a resource, no state says which account to read. */
const NO_ACCOUNT: Gap = {
  what: "the account",
  reason: "none of the stacks has resources of pulumi-nodecloud, so no account was read",
};

/** How many objects with several owners are named. */
const MOST_SHARED = 10;

/** How many resources are compared at a time. The client limits the requests. */
const AT_ONCE = 64;

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
  const inTurn = takingTurns(AT_ONCE);
  progress.show(`comparing ${all.length} resources`);
  const compared = await Promise.all(
    all.map((managed) =>
      inTurn(context.signal, () =>
        compareResource(managed, accountOf(accounts, managed.connection), objects),
      ).catch((error: unknown) => {
        context.signal.throwIfAborted();
        const { name, directory } = managed.stack;
        throw new CliError(`stack ${name} of ${directory}: ${words.line(lineOf(error))}`, { cause: error });
      }),
    ),
  );
  const added = new Set(compared.flatMap((one) => one.added));
  const distinct = [...new Set(accounts.values())];
  return {
    stacks: states.map(({ stack }) => stack),
    findings: [
      ...compared.flatMap(({ findings }) => findings),
      ...distinct.flatMap((account) => unmanagedIn(account, objects, added)),
    ],
    coverage: distinct.flatMap((account) => coverageOf(account, objects)),
    gaps: [
      ...(distinct.length === 0 ? [NO_ACCOUNT] : []),
      ...distinct.flatMap(({ gaps }) => gaps),
      ...compared.flatMap(({ gaps }) => gaps),
    ].map(({ what, reason }) => ({ what, reason: words.line(reason) })),
    notes: [...states.flatMap(notesOf), ...sharedNotes(all)],
  };
}

function accountOf(accounts: ReadonlyMap<Connection, Account>, connection: Connection): Account {
  const account = accounts.get(connection);
  if (account === undefined) throw new TypeError(`the account at ${connection.endpoint} was not listed`);
  return account;
}

function unmanagedIn(account: Account, objects: ManagedObjects, added: ReadonlySet<string>): Unmanaged[] {
  const found = [...account.objects].flatMap(([key, object]): Unmanaged[] =>
    objects.has(account, key) ||
    added.has(inAccount(account, key)) ||
    !isManageable(object.description, object.reply)
      ? []
      : [{ kind: "unmanaged", ...accountObject(account, object, objects) }],
  );
  return found.sort((one, other) => order.compare(one.type, other.type) || order.compare(one.id, other.id));
}

/** The lists are read at the same time, so their order is not certain. */
const order = new Intl.Collator("en", { numeric: true });

function coverageOf(account: Account, objects: ManagedObjects): Coverage[] {
  const counts = new Map<string, { objects: number; managed: number }>();
  for (const [key, { description, reply }] of account.objects) {
    const isManaged = objects.has(account, key);
    if (!isManaged && !isManageable(description, reply)) continue;
    const count = counts.get(description.type) ?? { objects: 0, managed: 0 };
    counts.set(description.type, {
      objects: count.objects + 1,
      managed: count.managed + (isManaged ? 1 : 0),
    });
  }
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([type, count]) => ({ account: account.name, type, ...count }));
}

/** What a reader should know about a stack. */
function notesOf({ stack, state: { resources, others, interrupted } }: StackState): string[] {
  const called = `stack ${stack.name} of ${stack.directory}`;
  const unknown = resources.filter(({ type }) => descriptionOf(type) === undefined);
  const were = (count: number) => (count === 1 ? "was" : "were");
  return [
    ...(resources.length === 0 ? [`${called} has no resources of pulumi-nodecloud`] : []),
    ...(others === 0
      ? []
      : [`${called}: ${counted(others, "resource")} of other providers ${were(others)} left out`]),
    ...(unknown.length === 0
      ? []
      : [
          `${called}: ${counted(unknown.length, "resource")} of a newer version of pulumi-nodecloud ${were(unknown.length)} left out`,
        ]),
    ...(interrupted === 0
      ? []
      : [
          `${called}: ${counted(interrupted, "operation")} ${were(interrupted)} interrupted, so some objects may not be in the state`,
        ]),
  ];
}

/** Objects that several stacks manage: a destroy of one stack deletes what another one manages. */
function sharedNotes(all: readonly Managed[]): string[] {
  const owners = new Map<string, Managed[]>();
  for (const managed of all) {
    if (managed.resource.isLeaving) continue;
    for (const object of objectsOf(managed)) {
      const key = `${managed.connection.endpoint} ${object}`;
      const known = owners.get(key);
      if (known === undefined) owners.set(key, [managed]);
      else known.push(managed);
    }
  }
  const shared = [...owners].filter(([, several]) => several.length > 1);
  const lines = shared.slice(0, MOST_SHARED).map(([key, several]) => {
    const object = key.split(" ").slice(1).join(" ");
    const names = several.map(({ resource }) => resource.urn);
    return `several resources manage the object ${object}: ${names.join(" and ")}; remove it from all but one with \`pulumi state delete\``;
  });
  const more = shared.length - lines.length;
  return more > 0 ? [...lines, `${more} more objects are managed by several resources`] : lines;
}
