import { type Client } from "../../api/client";

/** An account in one run of a program, for data functions: its client, and the answers that the run has read. */
export interface Account {
  readonly client: Client;
  /** Reads once for each key. A failure is not kept. */
  once<Value>(key: string, read: () => Promise<Value>): Promise<Value>;
}

/** Keeps what has been read, by key. A failure is not kept. */
export class Readings {
  readonly #kept = new Map<string, Promise<unknown>>();

  once<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.#kept.get(key) as Promise<Value> | undefined;
    if (known !== undefined) return known;
    const reading = read();
    this.#kept.set(key, reading);
    reading.catch(() => this.#kept.delete(key));
    return reading;
  }
}
