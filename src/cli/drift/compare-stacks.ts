import { counted, nounFor } from "../../api/text";
import { type Words } from "../../provider/engine/secret-words";
import {
  type ServiceAccount,
  type Accounts as AccountsOfConnections,
  type Connections,
  type TokenListing,
} from "../account/accounts";
import { type LiveObject } from "../account/list-account";
import { type Context } from "../context";
import { descriptionOf } from "../descriptions";
import { type Progress } from "../progress";
import { calledStack, type ReadStacks, type ReadStack } from "../stacks/stack-state";
import { accountObject } from "./account-object";
import { compareResource } from "./compare";
import { readsFrom } from "./listed-reads";
import { hasSecretName, type Managed, managedIn, ManagedObjects, ofStack } from "./managed";
import { type Gap, type StackName } from "../stacks/names-and-gaps";
import {
  type ComparedResource,
  type GapOfListing,
  type ListedPart,
  type DriftPart,
  withoutAccount,
} from "./part";
import { isBeingCreated } from "./settled";

/** The accounts to which the providers of stacks lead. */
export interface ComparedAccounts extends AccountsOfConnections {
  readonly connections: Connections;
  /** Whether the environment selects the account. */
  readonly isOfEnvironment: boolean;
}

/** Compares the resources of stacks with their accounts. */
export async function partOf(
  context: Context,
  progress: Progress,
  words: Words,
  { connections, accounts, failures, isOfEnvironment }: ComparedAccounts,
  { states, gaps: unread }: ReadStacks,
  only?: ReadonlySet<string>,
): Promise<DriftPart> {
  const unsent: Gap[] = [];
  const all = states
    .flatMap((state) => managedIn(state, connections, words, unsent))
    .filter(({ item }) => only?.has(item.type) !== false);
  const objects = new ManagedObjects(all);
  progress.show(`comparing ${all.length} resources`);
  const distinct = [...new Set(accounts.values())];
  const listings = distinct.flatMap((account) => account.listings.map((listing) => ({ account, listing })));
  const indexOf = (account: ServiceAccount) => listings.findIndex((one) => one.account === account);
  const gaps: (Gap | GapOfListing)[] = distinct.flatMap((account) =>
    account.gaps.map(({ what, reason }) => ({ what, reason: words.line(reason), listing: indexOf(account) })),
  );
  gaps.push(...unsent);
  const stacks = states.map(({ stack }) => stack);
  const compareOne = async (
    managed: Managed,
    account: ServiceAccount,
    read: ReturnType<typeof readsFrom>,
  ) => {
    const { stack, resource, keys } = managed;
    const listing = indexOf(account);
    const compared = await compareResource(managed, account, objects, read).catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw ofStack(stack, words, error);
    });
    for (const { what, reason } of compared.gaps) gaps.push({ what, reason: words.line(reason), listing });
    const { finding } = compared;
    const { at } = managed.state;
    const isElsewhere = finding?.kind === "deleted" && at !== undefined && at !== managed.connection.at;
    return {
      ...{ stack: stacks.indexOf(stack), listing, urn: resource.urn, keys },
      ...(resource.source === undefined ? {} : { source: resource.source }),
      ...(resource.isLeaving ? { isLeaving: true as const } : {}),
      ...(hasSecretName(managed) ? { hasSecretName: true as const } : {}),
      ...(finding === undefined ? {} : { finding }),
      ...(isElsewhere ? { isElsewhere } : {}),
    };
  };
  const ofConnections = await Promise.all(
    [...accounts].map(async ([connection, account]) => {
      const read = readsFrom(account, connection);
      const own = all.filter((managed) => managed.connection === connection);
      const compared = await Promise.all(own.map((managed) => compareOne(managed, account, read)));
      return withoutElsewhere(compared, stacks, gaps);
    }),
  );
  return {
    stacks,
    listings: listings.map(({ account, listing }) => ({
      ...listedPart(account, listing, objects, states),
      ...(isOfEnvironment ? { isOfEnvironment } : {}),
    })),
    hidden: distinct.flatMap((account) =>
      account.hidden.map((hidden) => ({ ...hidden, listing: indexOf(account) })),
    ),
    ...(only === undefined ? {} : { only: [...only].sort() }),
    resources: ofConnections.flat(),
    unread: [...unread, ...failedIn(all, failures)].map(({ what, reason }) => ({
      what,
      reason: words.line(reason),
    })),
    gaps,
    notes: states.flatMap(notesOf),
  };
}

/** The accounts that could not be read, each with a stack of it. Objects of these stacks would seem unmanaged if another token lists them. */
function failedIn(all: readonly Managed[], failures: ComparedAccounts["failures"]): Gap[] {
  return [...failures].map(([connection, { message: reason }]) => {
    const own = all.filter((managed) => managed.connection === connection);
    const [first, ...others] = new Set(own.map(({ stack }) => calledStack(stack)));
    const more = others.length === 0 ? "" : ` and ${counted(others.length, "other stack")}`;
    const what =
      first === undefined ? `the account at ${connection.endpoint}` : `the objects of ${first}${more}`;
    return { what, reason };
  });
}

/** The objects that the tokens of a listing list. */
function listedPart(
  account: ServiceAccount,
  { connections, listed, objects }: TokenListing,
  managed: ManagedObjects,
  states: readonly ReadStack[],
): ListedPart {
  const pending = states.flatMap((one) => one.state.pending);
  const shown = (object: LiveObject) => ({
    ...withoutAccount(accountObject(account, object, managed)),
    ...(object.isManageable ? {} : { isOnlyRead: true as const }),
    ...(isBeingCreated(object, pending) ? { isOpen: true as const } : {}),
  });
  return {
    endpoint: account.endpoint,
    tokens: connections.map(({ at }) => at),
    places: [...listed],
    objects: [...objects.values()].flatMap((object) =>
      account.isWanted(object.description.type) ? [shown(object)] : [],
    ),
  };
}

/**
 * Leaves out the findings about stacks of which no object exists, if other tokens have reached their objects: those may be in another account. The service has no
 * operation that names the account, and a state in a file keeps its token encrypted.
 */
function withoutElsewhere(
  all: readonly (ComparedResource & { readonly isElsewhere?: boolean })[],
  stacks: readonly StackName[],
  gaps: (Gap | GapOfListing)[],
): ComparedResource[] {
  return [...Map.groupBy(all, ({ stack }) => stack)].flatMap(([index, own]) => {
    const resources = own.map(({ isElsewhere: _, ...resource }): ComparedResource => resource);
    const stack = stacks[index];
    const staying = own.filter(({ isLeaving }) => isLeaving !== true);
    if (stack === undefined || staying.length === 0 || !staying.every(({ isElsewhere }) => isElsewhere))
      return resources;
    gaps.push({
      what: `the objects of ${calledStack(stack)}`,
      reason:
        "none of them exists in the account, and its state does not say that this token leads to their account. Use the token of the stack",
    });
    return resources.map(({ finding: _, ...resource }) => resource);
  });
}

/** The facts that a reader should know about a stack. */
function notesOf({ stack, state: { resources, others, pending } }: ReadStack): string[] {
  const called = calledStack(stack);
  const unknown = resources.filter(({ type }) => descriptionOf(type) === undefined);
  const were = (count: number, noun: string, from: string, what: string) =>
    count === 0 ? [] : [`${called}: ${counted(count, noun)}${from} ${nounFor(count, "was", "were")} ${what}`];
  const goOn = nounFor(pending.length, "goes on, or was", "go on, or were");
  return [
    ...(resources.length === 0 ? [`${called} has no resources of pulumi-nodecloud`] : []),
    ...were(others, "resource", " of other providers", "left out"),
    ...were(unknown.length, "resource", " of a newer version of pulumi-nodecloud", "left out"),
    ...(pending.length === 0
      ? []
      : [
          `${called}: ${counted(pending.length, "operation")} ${goOn} interrupted, so some objects may not be in the state`,
        ]),
  ];
}
