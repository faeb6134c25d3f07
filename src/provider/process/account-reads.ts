import { type Client, type RequestOptions } from "../../api/client";
import { isApiError, isNodeCloudError, isNotFound } from "../../api/errors";
import { sayingOf } from "../engine/errors";

/** How long a look-up may take, its retries included: a preview can do without it. */
const PATIENCE_MS = 15_000;

/** How the list of all objects of a kind is called, or of those under one parent. */
export const everyOf = (type: string, parent = ""): string =>
  parent === "" ? `each ${type}` : `each ${type} of ${parent}`;

/**
 * What the validation of inputs reads of the account and the service. Each list is read once per process, whoever asks for it; what
 * cannot be read is left out of the validation, with one notice.
 */
export class Account {
  readonly #lists = new Map<string, Promise<readonly unknown[] | undefined>>();
  readonly #noticed = new Set<string>();
  #unreachable = false;

  constructor(
    private readonly client: () => Client,
    private readonly notice: (line: string) => void,
  ) {}

  /** A list that was asked for already. */
  known(what: string): Promise<readonly unknown[] | undefined> | undefined {
    return this.#lists.get(what);
  }

  /** Every item of a list; undefined where it cannot be read. */
  all<Item>(
    what: string,
    list: (client: Client, options: RequestOptions) => AsyncIterable<Item>,
  ): Promise<readonly Item[] | undefined> {
    const known = this.#lists.get(what) as Promise<readonly Item[] | undefined> | undefined;
    if (known !== undefined) return known;
    const reading = this.now(what, list);
    this.#lists.set(what, reading);
    return reading;
  }

  /** Every item of a list as it is now, for what is changed in the same run; undefined where it cannot be read. */
  now<Item>(
    what: string,
    list: (client: Client, options: RequestOptions) => AsyncIterable<Item>,
  ): Promise<readonly Item[] | undefined> {
    return this.#attempt(what, async (options) => {
      const items: Item[] = [];
      for await (const item of list(this.client(), options)) items.push(item);
      return items;
    });
  }

  /** One object as it is now, for what a list read earlier may not show yet: null where there is none, undefined where it cannot be read. */
  async one<Item>(
    what: string,
    get: (client: Client, options: RequestOptions) => Promise<Item>,
  ): Promise<Item | null | undefined> {
    return this.#attempt(what, async (options) => {
      try {
        return await get(this.client(), options);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    });
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

  /** An API that does not answer is one reason, whatever was asked for; a refusal is about what it was asked for. */
  #leaveOut(what: string, error: unknown): void {
    const refused = isApiError(error) && error.status < 500 && error.status !== 429;
    if (!refused) this.#unreachable = true;
    const reason = refused ? what : "";
    if (this.#noticed.has(reason)) return;
    this.#noticed.add(reason);
    this.notice(
      refused
        ? `the inputs are not compared with ${what} of the account, which cannot be read: ${sayingOf(error)}`
        : `the inputs are not compared with the account, which cannot be read: ${sayingOf(error)}`,
    );
  }
}
