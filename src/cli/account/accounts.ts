import { withCode } from "../../provider/base/codes";
import { checkBaseUrl } from "../../api/endpoint";
import { listed } from "../../api/text";
import { type Words } from "../../provider/engine/secret-words";
import { cached } from "../../api/cached";
import { quietly } from "../../api/quietly";
import { readConfiguration, SETTINGS } from "../../provider/settings/config";
import { connect, uncheckedTls } from "../../provider/settings/connect";
import { whereabouts } from "../../provider/settings/whereabouts";
import { type Ports, Session, type SessionOptions } from "../../provider/run/session";
import { type Properties } from "../../provider/base/values";
import { type Context } from "../context";
import { CliError, lineOf } from "../errors";
import { type Progress } from "../progress";
import {
  isAccountOf,
  type Listing,
  listAccount,
  listBelowParents,
  type LiveObject,
  nameOfList,
  placeOf,
} from "./list-account";
import { byKeys, inOrder } from "../in-order";
import { type Gap } from "../stacks/names-and-gaps";

/** A token at an endpoint. */
export interface Connection {
  readonly endpoint: string;
  /** The endpoint and some digits of a hash of the token, as states name it. */
  readonly at: string;
  /** Reads objects as the provider does. */
  readonly ports: Ports;
  /** The parents that states name, by the type of their children. */
  readonly parents: Map<string, Set<string>>;
}

/** An account of the service: what the tokens of its users list. */
export interface ServiceAccount {
  /** Its endpoint and, if an endpoint has several accounts, a number. */
  readonly name: string;
  readonly endpoint: string;
  /** The objects that programs can manage, and those that they read, by type and id. */
  readonly objects: ReadonlyMap<string, LiveObject>;
  readonly listings: readonly TokenListing[];
  /** The lists that could not be read. Their texts do not name the account. */
  readonly gaps: readonly Gap[];
  readonly hidden: readonly UnlistedKinds[];
  /** Whether objects of a type were asked for. The others are here only if they are above such objects. */
  isWanted(type: string): boolean;
  /** Whether a list was read, so that an object that it lacks may not exist. */
  isListed(type: string, parent?: string): boolean;
  /** Whether the parent of a list does not exist. */
  isGone(type: string, parent: string): boolean;
}

/** A state names a base URL to which the token of the environment is not sent: whoever can write the state would get it. */
export class NotSent extends CliError {}

const hrefOf = (url: string): string | undefined => quietly(() => checkBaseUrl(url).href);

/** The accounts to which connections lead. */
export interface Accounts {
  readonly accounts: ReadonlyMap<Connection, ServiceAccount>;
  readonly failures: ReadonlyMap<Connection, CliError>;
}

/** The connections of stacks: one for each endpoint and token. */
export class Connections {
  readonly #connections = new Map<string, Connection>();
  /** The base URLs in configurations. */
  readonly #trusted = new Set<string | undefined>();
  /** How many objects the listings have. */
  readonly #counts = new Map<Connection, number>();

  constructor(
    private readonly context: Context,
    private readonly progress: Progress,
    private readonly words: Words,
    /** `only`: the types of objects to list, by default all. */
    private readonly options: SessionOptions & { readonly only?: ReadonlySet<string> | undefined } = {},
  ) {}

  get all(): readonly Connection[] {
    return [...this.#connections.values()];
  }

  /** The connection of a provider with the settings that a state keeps. Throws a `NotSent` for a base URL that the token was not configured with. */
  ofState(settings: Properties): Connection {
    const { key } = SETTINGS.baseUrl;
    const url = settings[key];
    const hasToken = typeof settings[SETTINGS.token.key] === "string";
    const variables = this.context.environment;
    const [token, baseUrl] = [SETTINGS.token.variable, SETTINGS.baseUrl.variable];
    if (hasToken || typeof url !== "string" || !variables[token]?.trim()) return this.of(settings);
    const address = hrefOf(url);
    const own = hrefOf(variables[baseUrl]?.trim() ?? "");
    const isTrusted = [own, ...this.#trusted].some((one) => one === address);
    if (address !== undefined && isTrusted) return this.of(settings);
    const problem = own === undefined ? `${baseUrl} does not name it` : `${token} is for ${own}`;
    throw new NotSent(
      `its state leads to ${address ?? "an invalid base URL"}, and ${problem}, so the token is not sent there. ` +
        `If the token is for that base URL, set ${baseUrl} to it. Otherwise run this for the stacks of each account by themselves`,
      { code: "OTHER_ACCOUNT" },
    );
  }

  /** Notes that the configuration of a stack, and not only its state, names its base URL. */
  trust({ [SETTINGS.baseUrl.key]: url }: Properties): void {
    if (typeof url === "string") this.#trusted.add(hrefOf(url));
  }

  /** The connection of a provider with settings that the user gives. */
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
      if (warning !== undefined) this.progress.note(`warning: ${withCode(warning, "TLS_UNCHECKED")}`);
      const client = connect(
        { ...configuration, readOnly: true },
        {
          stop: signal,
          secrets: this.words.secrets,
          onRetry: ({ error, delayMs }) =>
            this.progress.show(
              `waiting ${Math.ceil(delayMs / 1000)} s for ${checked.href}: ${this.words.line(lineOf(error))}`,
            ),
        },
      );
      const ports = new Session({ ...this.options, client, environment, gather: () => Promise.resolve() });
      ports.run.settings.configure(setting);
      return { endpoint: checked.href, at: whereabouts(configuration), ports, parents: new Map() };
    });
  }

  /**
   * Lists the objects of each account once. Listings that share an object belong to one account. `failures` has the connections of which nothing could be listed, and
   * why.
   */
  async accounts(): Promise<Accounts> {
    const ofEndpoints = Map.groupBy(this.all, ({ endpoint }) => endpoint);
    const results = await Promise.all([...ofEndpoints.values()].map((all) => this.#listingsOf(all)));
    this.context.signal.throwIfAborted();
    const listings = results.flatMap((one) => one.listings);
    return {
      accounts: accountsOf(listings, this.options.only),
      failures: new Map(results.flatMap(({ failures }) => [...failures])),
    };
  }

  /** A further token asks for one page, which shows whether its account is listed already. */
  async #listingsOf(all: readonly Connection[]) {
    const listings: TokenListing[] = [];
    const failures = new Map<Connection, CliError>();
    for (let open = all; open.length > 0;) {
      const [first, ...others] = open as [Connection, ...Connection[]];
      open = others;
      try {
        const listing = { ...(await this.#list(first)), connections: [first] };
        listings.push(listing);
        const isSame = await Promise.all(
          others.map(({ ports }) => isAccountOf(ports.account.client, listing)),
        );
        const same = others.filter((_, index) => isSame[index]);
        listing.connections.push(...same);
        await Promise.all(
          same.map(({ ports, parents }) =>
            listBelowParents(ports.account.client, listing, parents, this.options.only),
          ),
        );
        open = others.filter((one) => !same.includes(one));
      } catch (error) {
        this.context.signal.throwIfAborted();
        const reason = this.words.line(lineOf(error));
        failures.set(
          first,
          new CliError(`cannot read the account at ${first.endpoint}: ${reason}`, { cause: error }),
        );
      }
    }
    return { listings, failures };
  }

  #list(connection: Connection): Promise<Listing> {
    const onListed = (objects: number) => {
      this.#counts.set(connection, objects);
      const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
      this.progress.show(`reading ${connection.endpoint}: ${total} objects`);
    };
    return listAccount(connection.ports.account.client, connection.parents, onListed, this.options.only);
  }
}

/** The kinds that a token which only reads cannot list. */
export interface UnlistedKinds {
  readonly scope: string;
  readonly types: readonly string[];
}

/** A note about them. */
export const hiddenNote = ({ scope, types }: UnlistedKinds, account: string): string =>
  `the ${listed(types, "and")} objects at ${account} were not read: listing them needs the scope ${scope}, which a token that only reads does not have`;

/** The types of objects that are asked for. Undefined: all. */
type Only = ReadonlySet<string> | undefined;

/** The objects that the tokens of an account list. */
export interface TokenListing extends Listing {
  readonly connections: readonly Connection[];
}

function accountsOf(all: readonly TokenListing[], only: Only): ReadonlyMap<Connection, ServiceAccount> {
  const named = namedGroups(
    all.map((listing) => ({
      listing,
      endpoint: listing.connections[0]?.endpoint ?? "",
      keys: [...listing.objects.values()].flatMap(({ key, isManageable }) => (isManageable ? [key] : [])),
    })),
  );
  return new Map(
    named.flatMap(({ name, endpoint, members }) => {
      const listings = members.map(({ listing }) => listing);
      const account = accountOf(name, endpoint, listings, only);
      return listings.flatMap(({ connections }) => connections.map((one) => [one, account] as const));
    }),
  );
}

/** A part of an account: what some of its users list. */
interface View {
  readonly endpoint: string;
  /** The manageable objects. */
  readonly keys: readonly string[];
}

/** Names accounts. Ids are unique per service, so two users with a common object belong to one account. */
export function namedGroups<Item extends View>(all: readonly Item[]) {
  const ofEndpoints = Map.groupBy(all, ({ endpoint }) => endpoint);
  return [...ofEndpoints].flatMap(([endpoint, views]) => {
    // Equal accounts have equal names, in whatever order they are read.
    const groups = groupsOf(views, ({ keys }) => keys);
    const firstOf = (members: readonly Item[]) => members.flatMap(({ keys }) => keys).sort(inOrder)[0];
    return groups.sort(byKeys((members) => [firstOf(members) ?? ""])).map((members, index) => ({
      endpoint,
      name: groups.length === 1 ? endpoint : `${endpoint} (account ${index + 1})`,
      members,
    }));
  });
}

/** Puts together what has a key in common, directly or through others. */
export function groupsOf<Item>(all: readonly Item[], keysOf: (item: Item) => readonly string[]): Item[][] {
  const groups = new Set<{ readonly members: Item[]; readonly keys: Set<string> }>();
  for (const item of all) {
    const own = keysOf(item);
    const same = [...groups].filter(({ keys }) => own.some((key) => keys.has(key)));
    for (const one of same) groups.delete(one);
    const keys = new Set([...same.flatMap((one) => [...one.keys]), ...own]);
    groups.add({ members: [...same.flatMap(({ members }) => members), item], keys });
  }
  return [...groups].map(({ members }) => members);
}

function accountOf(
  name: string,
  endpoint: string,
  listings: readonly TokenListing[],
  only: Only,
): ServiceAccount {
  const objects = new Map(listings.flatMap((listing) => [...listing.objects]));
  const isListed = (type: string, parent?: string) =>
    listings.some(({ listed }) => listed.has(placeOf(type, parent)));
  const gaps = new Map<string, Gap>();
  const hidden = new Map<string, Set<string>>();
  for (const unlisted of listings.flatMap((listing) => listing.unlisted)) {
    const { description, parent, reason, writeScope } = unlisted;
    const { parentType } = description.id;
    if (isListed(description.type, parent) || (parent === undefined && isListed(parentType ?? ""))) continue;
    if (writeScope === undefined) gaps.set(nameOfList(unlisted), { what: nameOfList(unlisted), reason });
    else cached(hidden, writeScope, () => new Set<string>()).add(description.type);
  }
  return {
    name,
    endpoint,
    objects,
    listings,
    gaps: [...gaps.values()],
    hidden: [...hidden].map(([scope, types]) => ({ scope, types: [...types].sort() })),
    isWanted: (type) => only?.has(type) !== false,
    isListed,
    isGone: (type, parent) => listings.some(({ gone }) => gone.has(placeOf(type, parent))),
  };
}
