import { counted, nounFor } from "../../api/text";
import { Words } from "../../provider/engine/secret-words";
import { type Account, type Connection, Connections } from "../account/accounts";
import { type LiveObject } from "../account/list-account";
import { type Context } from "../context";
import { descriptionOf } from "../descriptions";
import { type Progress } from "../progress";
import { calledStack, type ReadStacks, StackReader, type StackState } from "../stacks/read-stacks";
import { type Selection } from "../stacks/select-stacks";
import { accountObject, describedObject } from "./account-object";
import { compareResource } from "./compare";
import { type Coverage, type Drift, type Gap, type Shared, type Unmanaged } from "./findings";
import { readsFrom } from "./listed-reads";
import { addressOf, type Managed, managedIn, ManagedObjects, ofStack, ownerOf } from "./managed";
import { isBeingCreated, settled } from "./settled";

/** Without a resource, no state says which account to read. */
const NO_ACCOUNT: Gap = {
  what: "the account",
  reason:
    "none of the stacks has resources of pulumi-nodecloud, and NODECLOUD_TOKEN and NODECLOUD_BASE_URL are not both set, so no account was read",
};

/** What an unread stack manages would seem unmanaged. */
const NO_OWNERS: Gap = {
  what: "objects that no stack manages",
  reason: "not all stacks were read, and those may manage them",
};

/** How often the account is read, if other runs change stacks meanwhile. */
const ROUNDS = 3;

/** Compares the objects of accounts with the states of stacks, until no other run has changed what it reports in between. */
export async function collectDrift(
  context: Context,
  progress: Progress,
  selection: Selection,
): Promise<Drift> {
  const words = new Words();
  const comparison = { context, progress, words };
  const reader = new StackReader(context, progress, words, selection);
  let now = await reader.read();
  for (let round = 1; ; round++) {
    const account = await readAccounts(comparison, now);
    const drift = await compareAll(comparison, account, now);
    const concerned = concernedBy(drift, now.states);
    if (concerned.length === 0) return drift;
    progress.show("looking for changes of other runs");
    const newer = await reader.readChanged(now.states, concerned);
    if (newer.states.length === 0 && newer.gaps.length === 0) return settled(drift, now.states, []);
    now = updated(now, newer);
    if (round === ROUNDS)
      return settled(await compareAll(comparison, account, now), now.states, newer.states);
  }
}

/** The states with those that were read again. What cannot be read any more is missing. */
function updated({ states, gaps }: ReadStacks, newer: ReadStacks): ReadStacks {
  const isReplaced = ({ stack }: StackState) =>
    newer.states.some((one) => isOf(one, stack)) ||
    newer.gaps.some(({ what }) => what === calledStack(stack));
  return {
    states: [...states.filter((one) => !isReplaced(one)), ...newer.states],
    gaps: [...gaps, ...newer.gaps],
  };
}

const isOf = ({ stack }: StackState, other: StackState["stack"]): boolean =>
  calledStack(stack) === calledStack(other);

/** The stacks whose states the findings depend on: any one may manage by now what none did. */
function concernedBy({ findings }: Drift, states: readonly StackState[]): readonly StackState[] {
  if (findings.some(({ kind }) => kind === "unmanaged")) return states;
  const owners = new Set(findings.flatMap(({ resource, others = [] }) => [resource, ...others]));
  return states.filter((state) => [...owners].some((one) => one !== undefined && isOf(state, one.stack)));
}

interface Comparison {
  readonly context: Context;
  readonly progress: Progress;
  readonly words: Words;
}

/** The accounts to which the providers of stacks lead. */
interface Accounts {
  readonly connections: Connections;
  readonly accounts: ReadonlyMap<Connection, Account>;
}

async function readAccounts(
  { context, progress, words }: Comparison,
  { states }: ReadStacks,
): Promise<Accounts> {
  const connections = new Connections(context, progress, words);
  const all = states.flatMap((state) => managedIn(state, connections, words));
  const { NODECLOUD_TOKEN: token = "", NODECLOUD_BASE_URL: baseUrl = "" } = context.environment;
  if (all.length === 0 && token.trim() !== "" && baseUrl.trim() !== "") connections.of({});
  return { connections, accounts: await connections.accounts() };
}

async function compareAll(
  { context, progress, words }: Comparison,
  { connections, accounts }: Accounts,
  { states, gaps }: ReadStacks,
): Promise<Drift> {
  const all = states.flatMap((state) => managedIn(state, connections, words));
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
  const pending = states.flatMap((one) => one.state.pending);
  const unmanaged = distinct.flatMap((account) =>
    unmanagedIn(account, objects, added).map((object) => ({
      isOpen: isBeingCreated(object, pending),
      finding: { kind: "unmanaged", ...accountObject(account, object, objects) } satisfies Unmanaged,
    })),
  );
  return {
    stacks: states.map(({ stack }) => stack),
    findings: [
      ...compared.flatMap(({ findings }) => findings),
      ...sharedIn(all, accounts, objects),
      ...unmanaged.flatMap(({ isOpen, finding }) => (isOpen || gaps.length > 0 ? [] : [finding])),
    ],
    coverage: distinct.flatMap((account) => coverageOf(account, objects)),
    gaps: [
      ...gaps,
      ...(gaps.length > 0 ? [NO_OWNERS] : []),
      ...unmanaged.flatMap(({ isOpen, finding }) => (isOpen ? [openGap(finding)] : [])),
      ...(distinct.length === 0 ? [NO_ACCOUNT] : []),
      ...distinct.flatMap((account) => account.gaps),
      ...compared.flatMap((one) => one.gaps),
    ].map(({ what, reason }) => ({ what, reason: words.line(reason) })),
    notes: states.flatMap(notesOf),
  };
}

const openGap = ({ type, id, account }: Unmanaged): Gap => ({
  what: `the owner of ${type} ${id} at ${account}`,
  reason: "the state of a stack has a pending creation of such an object",
});

const unmanagedIn = (
  account: Account,
  objects: ManagedObjects,
  added: ReadonlySet<LiveObject | undefined>,
): LiveObject[] =>
  [...account.objects.values()].filter(
    (object) => object.isManageable && !objects.has(account, object.key) && !added.has(object),
  );

function coverageOf(account: Account, objects: ManagedObjects): Coverage[] {
  const isManaged = ({ key }: LiveObject) => objects.has(account, key);
  const those = [...account.objects.values()].filter((one) => one.isManageable || isManaged(one));
  return [...Map.groupBy(those, ({ description }) => description.type)].map(([type, own]) => ({
    ...{ account: account.name, type, objects: own.length },
    managed: own.filter(isManaged).length,
  }));
}

/** The facts that a reader should know about a stack. */
function notesOf({ stack, state: { resources, others, pending } }: StackState): string[] {
  const called = calledStack(stack);
  const unknown = resources.filter(({ type }) => descriptionOf(type) === undefined);
  const were = (count: number, noun: string, from: string, what: string) =>
    count === 0 ? [] : [`${called}: ${counted(count, noun)}${from} ${nounFor(count, "was", "were")} ${what}`];
  return [
    ...(resources.length === 0 ? [`${called} has no resources of pulumi-nodecloud`] : []),
    ...were(others, "resource", " of other providers", "left out"),
    ...were(unknown.length, "resource", " of a newer version of pulumi-nodecloud", "left out"),
    ...were(pending.length, "operation", "", "interrupted, so some objects may not be in the state"),
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
