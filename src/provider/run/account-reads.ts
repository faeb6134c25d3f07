import { type Client, type RequestOptions } from "../../api/client";
import { isApiError, isNodeCloudError, isNotFound } from "../../api/errors";
import { ProviderError, sayingOf } from "../base/errors";
import { type AccountView } from "../describe/account-view";
import { cached } from "../../api/cached";
import { SETTINGS } from "../settings/config";
import { unlessMissing } from "./unless-missing";

/** How long a read may take, including retries. A service that is busy for a moment does not fail a preview. */
const PATIENCE_MS = 60_000;

/** The name of the list of all objects of a type, or of those under one parent: `the DomainRecord objects of domain 12`. */
export const everyOf = (type: string, parent?: { readonly name: string; readonly id: string }): string =>
  `the ${type} objects${parent === undefined ? "" : ` of ${parent.name} ${parent.id}`}`;

const { key, variable } = SETTINGS.validate;

/** How to preview without an account. */
const WITHOUT_ACCOUNT = `A preview compares new and changed inputs with the account. To preview without it, set ${key} to false (or ${variable}=false)`;

/** Reads the account and the service to validate inputs. Each list is read once per process. What cannot be read fails the validation. */
export class AccountReads implements AccountView {
  readonly #lists = new Map<string, Promise<readonly unknown[]>>();
  #unreachable: ProviderError | undefined;
  /** Whether something was read. */
  isSeen = false;

  constructor(
    private readonly client: () => Client,
    /** The name of the account in messages. */
    private readonly called: () => string,
    /** Whether the token may not read at all what was refused. */
    private readonly hides: (error: unknown) => boolean = () => false,
  ) {}

  /** A list that was already requested. */
  known(what: string): Promise<readonly unknown[]> | undefined {
    return this.#lists.get(what);
  }

  /** Every item of a list. */
  all<Item>(
    what: string,
    list: (client: Client, options: RequestOptions) => AsyncIterable<Item>,
  ): Promise<readonly Item[]> {
    return cached(this.#lists, what, () => this.now(what, list)) as Promise<readonly Item[]>;
  }

  /** Every item of a list as it is now, for objects that the same run may change. */
  now<Item>(
    what: string,
    list: (client: Client, options: RequestOptions) => AsyncIterable<Item>,
  ): Promise<readonly Item[]> {
    return this.#attempt(what, (options) => Array.fromAsync(list(this.client(), options)));
  }

  /** One object as it is now, as an earlier list may not show it. Null if it does not exist. */
  async one<Item>(
    what: string,
    get: (client: Client, options: RequestOptions) => Promise<Item>,
  ): Promise<Item | null> {
    return this.#attempt(
      what,
      async (options) => (await unlessMissing(() => get(this.client(), options))) ?? null,
    );
  }

  /** Whether an object does not exist. One that the status of its parent or the scopes of the token hide counts as there. */
  async isMissing(
    what: string,
    get: (client: Client, options: RequestOptions) => Promise<unknown>,
  ): Promise<boolean> {
    const isThere = await this.one(what, async (client, options) => {
      try {
        return (await get(client, options)) !== undefined;
      } catch (error) {
        if (isApiError(error, 400) || this.hides(error)) return true;
        throw error;
      }
    });
    return isThere !== true;
  }

  async #attempt<Result>(what: string, read: (options: RequestOptions) => Promise<Result>): Promise<Result> {
    if (this.#unreachable !== undefined) throw this.#unreachable;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const found = await read({ signal });
      this.isSeen = true;
      return found;
    } catch (error) {
      if (isNotFound(error) || !(isNodeCloudError(error) || signal.aborted)) throw error;
      const isRefused = isApiError(error) && error.status < 500 && ![407, 429].includes(error.status);
      const subject = isRefused ? what : this.called();
      const saying = `${subject} cannot be read: ${sayingOf(error)}. ${WITHOUT_ACCOUNT}`;
      const failure = new ProviderError(saying, { cause: error });
      if (!isRefused) this.#unreachable = failure;
      throw failure;
    }
  }
}
