import { type Client } from "../../api/client";
import { type Rows } from "../engine/display-rows";
import { cached } from "../../api/cached";

/** An account in one run of a program, for data functions: its client, and the answers that the run has read. */
export class ReadAccount {
  readonly #kept = new Map<string, Promise<unknown>>();

  constructor(
    readonly client: Client,
    private readonly rows: Rows,
  ) {}

  /** Reads once for each key. A failure is not kept. */
  once<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    return cached(this.#kept, key, () => {
      const reading = this.rows.during(undefined, read);
      reading.catch(() => this.#kept.delete(key));
      return reading;
    }) as Promise<Value>;
  }
}
