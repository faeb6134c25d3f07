import { checkBaseUrl } from "../../api/endpoint";
import { type Words } from "../../provider/engine/secret-words";
import { cached } from "../../provider/base/cached";
import { readConfiguration } from "../../provider/settings/config";
import { connect, uncheckedTls } from "../../provider/settings/connect";
import { Session } from "../../provider/run/session";
import { type Properties } from "../../provider/base/values";
import { type Context } from "../context";
import { CliError, lineOf } from "../errors";
import { type Progress } from "../progress";
import { type Listing, listAccount, type LiveObject, nameOfList, placeOf } from "./list-account";
import { type Gap } from "../drift/findings";

/** A token at an endpoint. */
export interface Connection {
  readonly endpoint: string;
  /** Reads objects as the provider does. */
  readonly session: Session;
  /** The parents that states name, by the type of their children. */
  readonly parents: Map<string, Set<string>>;
}

/** An account of the service: what the tokens of its users list. */
export interface Account {
  /** Its endpoint and, if an endpoint has several accounts, a number. */
  readonly name: string;
  readonly endpoint: string;
  /** The objects that programs can manage, and those that they read, by type and id. */
  readonly objects: ReadonlyMap<string, LiveObject>;
  readonly gaps: readonly Gap[];
  /** Whether a list was read, so that an object that it lacks may not exist. */
  isListed(type: string, parent?: string): boolean;
  /** Whether the parent of a list does not exist. */
  isGone(type: string, parent: string): boolean;
}

/** The connections of stacks: one for each endpoint and token. */
export class Connections {
  readonly #connections = new Map<string, Connection>();

  constructor(
    private readonly context: Context,
    private readonly progress: Progress,
    private readonly words: Words,
  ) {}

  get all(): readonly Connection[] {
    return [...this.#connections.values()];
  }

  /** The connection of a provider with these settings. */
  of(settings: Properties): Connection {
    const { environment, signal } = this.context;
    const setting = (key: string) => {
      const value = settings[key];
      return typeof value === "string" ? value : undefined;
    };
    const configuration = readConfiguration(setting, environment);
    const { token } = configuration;
    this.words.hide(token);
    const checked = checkBaseUrl(configuration.baseUrl);
    const key = JSON.stringify([checked.href, token]);
    return cached(this.#connections, key, () => {
      const warning = uncheckedTls(checked, environment);
      if (warning !== undefined) this.progress.note(`warning: ${warning}`);
      const client = connect(configuration, {
        stop: signal,
        secrets: this.words.secrets,
        onRetry: ({ error, delayMs }) =>
          this.progress.show(
            `waiting ${Math.ceil(delayMs / 1000)} s for ${checked.href}: ${this.words.line(lineOf(error))}`,
          ),
      });
      const session = new Session({ client, environment, gather: () => Promise.resolve() });
      session.run.settings.configure(setting);
      return { endpoint: checked.href, session, parents: new Map() };
    });
  }

  /** Lists the objects of all connections. Connections whose lists share an object belong to one account. */
  async accounts(): Promise<ReadonlyMap<Connection, Account>> {
    const { progress, words } = this;
    const counts = new Map<Connection, number>();
    const listings = await Promise.allSettled(
      this.all.map(async (connection): Promise<[Connection, Listing]> => [
        connection,
        await listAccount(connection.session.account.client, connection.parents, (objects) => {
          counts.set(connection, objects);
          const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
          progress.show(`reading ${connection.endpoint}: ${total} objects`);
        }),
      ]),
    );
    this.context.signal.throwIfAborted();
    const failures = listings.flatMap((result, index) =>
      result.status === "rejected"
        ? [
            `cannot read the account at ${this.all[index]?.endpoint ?? ""}: ${words.line(lineOf(result.reason))}`,
          ]
        : [],
    );
    for (const failure of failures.slice(1)) progress.note(`error: ${failure}`);
    if (failures[0] !== undefined) throw new CliError(failures[0]);
    return accountsOf(listings.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])));
  }
}

type Listed = readonly [Connection, Listing];

function accountsOf(all: readonly Listed[]): ReadonlyMap<Connection, Account> {
  const ofEndpoint = Map.groupBy(groupsOf(all), ([first]) => first?.[0].endpoint ?? "");
  return new Map(
    [...ofEndpoint].flatMap(([endpoint, groups]) =>
      groups.flatMap((group, index) => {
        const name = groups.length === 1 ? endpoint : `${endpoint} (account ${index + 1})`;
        const listings = group.map(([, listing]) => listing);
        const account = accountOf(name, endpoint, listings);
        return group.map(([connection]) => [connection, account] as const);
      }),
    ),
  );
}

/** Ids are unique per service, so two users with a common object belong to one account. */
function groupsOf(all: readonly Listed[]): Listed[][] {
  const ids = ([{ endpoint }, { objects }]: Listed): string[] =>
    [...objects.values()].flatMap(({ key, isManageable }) => (isManageable ? [`${endpoint} ${key}`] : []));
  const groups: { members: Listed[]; ids: Set<string> }[] = [];
  for (const listed of all) {
    const own = ids(listed);
    const same = groups.filter((group) => own.some((id) => group.ids.has(id)));
    const [first = { members: [], ids: new Set<string>() }, ...rest] = same;
    if (same.length === 0) groups.push(first);
    for (const other of rest) groups.splice(groups.indexOf(other), 1);
    first.members.push(...rest.flatMap(({ members }) => members), listed);
    for (const id of [...rest.flatMap((other) => [...other.ids]), ...own]) first.ids.add(id);
  }
  return groups.map(({ members }) => members);
}

function accountOf(name: string, endpoint: string, listings: readonly Listing[]): Account {
  const objects = new Map(listings.flatMap((listing) => [...listing.objects]));
  const isListed = (type: string, parent?: string) =>
    listings.some(({ listed }) => listed.has(placeOf(type, parent)));
  const gaps = new Map<string, Gap>();
  for (const unlisted of listings.flatMap((listing) => listing.unlisted)) {
    const { description, parent, reason } = unlisted;
    const { parentType } = description.id;
    if (isListed(description.type, parent) || (parent === undefined && isListed(parentType ?? ""))) continue;
    const what = `${nameOfList(unlisted)} at ${name}`;
    gaps.set(what, { what, reason });
  }
  return {
    name,
    endpoint,
    objects,
    gaps: [...gaps.values()],
    isListed,
    isGone: (type, parent) => listings.some(({ gone }) => gone.has(placeOf(type, parent))),
  };
}
