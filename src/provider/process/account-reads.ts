import { type Client, type RequestOptions } from "../../api/client";
import { isApiError, isNodeCloudError } from "../../api/errors";
import { sayingOf } from "../engine/errors";
import { cached } from "./cached";
import { unlessMissing } from "./unless-missing";

/** How long a read may take, including retries. A preview continues without it. */
const PATIENCE_MS = 15_000;

/** The name of the list of all objects of a type, or of those under one parent: `the DomainRecord objects of domain 12`. */
export const everyOf = (type: string, parent?: { readonly name: string; readonly id: string }): string =>
  `the ${type} objects${parent === undefined ? "" : ` of ${parent.name} ${parent.id}`}`;

/**
 * Reads the account and the service to validate inputs. Each list is read once per process. A list that cannot be read is left out of the
 * validation, with one notice.
 */
export class AccountReads {
  readonly #lists = new Map<string, Promise<readonly unknown[] | undefined>>();
  readonly #noticed = new Set<string>();
  #unreachable = false;

  constructor(
    private readonly client: () => Client,
    private readonly notice: (line: string) => void,
  ) {}

  /** A list that was already requested. */
  known(what: string): Promise<readonly unknown[] | undefined> | undefined {
    return this.#lists.get(what);
  }

  /** Every item of a list. Undefined if it cannot be read. */
  all<Item>(
    what: string,
    list: (client: Client, options: RequestOptions) => AsyncIterable<Item>,
  ): Promise<readonly Item[] | undefined> {
    return cached(this.#lists, what, () => this.now(what, list)) as Promise<readonly Item[] | undefined>;
  }

  /** Every item of a list as it is now, for objects that the same run may change. Undefined if it cannot be read. */
  now<Item>(
    what: string,
    list: (client: Client, options: RequestOptions) => AsyncIterable<Item>,
  ): Promise<readonly Item[] | undefined> {
    return this.#attempt(what, (options) => Array.fromAsync(list(this.client(), options)));
  }

  /** One object as it is now, as an earlier list may not show it. Null if it does not exist, undefined if it cannot be read. */
  async one<Item>(
    what: string,
    get: (client: Client, options: RequestOptions) => Promise<Item>,
  ): Promise<Item | null | undefined> {
    return this.#attempt(
      what,
      async (options) => (await unlessMissing(() => get(this.client(), options))) ?? null,
    );
  }

  async #attempt<Result>(
    what: string,
    read: (options: RequestOptions) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (this.#unreachable) return undefined;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      return await read({ signal });
    } catch (error) {
      if (!isNodeCloudError(error) && !signal.aborted) throw error;
      this.#leaveOut(what, error);
      return undefined;
    }
  }

  /** Gives one notice if the API does not answer, and one notice for each kind of request that it refuses. */
  #leaveOut(what: string, error: unknown): void {
    const refused = isApiError(error) && error.status < 500 && error.status !== 429;
    if (!refused) this.#unreachable = true;
    const reason = refused ? what : "";
    if (this.#noticed.has(reason)) return;
    this.#noticed.add(reason);
    this.notice(
      refused
        ? `a check of the inputs is skipped, because ${what} cannot be read: ${sayingOf(error)}`
        : `all checks against the account are skipped, because it cannot be read: ${sayingOf(error)}`,
    );
  }
}
