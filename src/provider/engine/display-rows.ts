import { AsyncLocalStorage } from "node:async_hooks";
import { isApiError } from "../../api/errors";
import { type RetryEvent } from "../../api/retry";
import { type Clock } from "../base/clock";
import { formatDuration } from "../base/duration";
import { type RowLog } from "./log";
import { Row } from "./display-row";
import { cached } from "../../api/cached";

/** Shorter waits for the API are not shown. */
const LONG_WAIT_MS = 2_000;

/** The rows of all resources that this process is working on. */
export class Rows {
  readonly #open = new Map<string, { readonly row: Row; users: number }>();
  readonly #current = new AsyncLocalStorage<Row>();
  /** The trouble for which all requests wait, and until when. */
  #waiting = { trouble: "", until: -Infinity };

  constructor(
    private readonly log: RowLog,
    private readonly clock: Clock,
  ) {}

  /** The row of the current work, or the stack's row outside the work on one resource. */
  get current(): Row {
    return this.#current.getStore() ?? new Row(undefined, this.log, this.clock);
  }

  /** Runs work in a row, and clears the row afterwards. Without a URN, it is the stack's row. */
  async during<Result>(urn: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const key = urn ?? "";
    const entry = cached(this.#open, key, () => ({ row: new Row(urn, this.log, this.clock), users: 0 }));
    entry.users++;
    this.#tell([entry.row], this.#waiting);
    try {
      return await this.#current.run(entry.row, work);
    } finally {
      if (--entry.users === 0) {
        this.#open.delete(key);
        await entry.row.clear();
      }
    }
  }

  /** Runs work for several resources, in the row of none of them. */
  shared<Result>(work: () => Result): Result {
    return this.#current.exit(work);
  }

  /** Shows a wait in the row of the request, or in all rows if all requests wait. */
  waits({ error, delayMs }: RetryEvent): void {
    const { trouble, isForAll } = retryReasonOf(error);
    const wait = { trouble, until: this.clock.now() + delayMs };
    const own = this.#current.getStore();
    if (isForAll) this.#waiting = wait;
    this.#tell(isForAll || own === undefined ? [...this.#open.values()].map(({ row }) => row) : [own], wait);
  }

  #tell(
    rows: readonly Row[],
    { trouble, until }: { readonly trouble: string; readonly until: number },
  ): void {
    const left = until - this.clock.now();
    if (left < LONG_WAIT_MS) return;
    for (const row of rows) row.busy(`${trouble}, next try in ${formatDuration(left)}`);
  }
}

/** The reason for a retry in few words, as rows are cut off, and whether all other requests have to wait too. */
function retryReasonOf(error: Error): { readonly trouble: string; readonly isForAll: boolean } {
  if (!isApiError(error)) return { trouble: "API unreachable", isForAll: true };
  const isForAll = error.status === 429 || error.status === 503;
  return { trouble: `API ${isForAll ? "busy" : "failed"} (${error.status})`, isForAll };
}
