import { setMaxListeners } from "node:events";
import { type Clock } from "../base/clock";
import { ProviderError, RunCancelled } from "../base/errors";

/** Longer than any request takes. A call that still runs then never ends. */
const LONGEST_MS = 2 * 60_000;

/** Ends a plugin whose engine is gone: no request begins, running requests complete and are noted, and then the process exits. */
export class Shutdown {
  readonly #controller = new AbortController();
  #calls = 0;
  #isEnding = false;

  constructor(private readonly exit: () => void) {
    setMaxListeners(0, this.signal);
  }

  /** Aborted when the end begins, or the run is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends all waits, because the user cancels the run. The process goes on: the engine still asks for the results. */
  cancel(): void {
    this.#controller.abort(new RunCancelled());
  }

  begin(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#controller.abort(
      new ProviderError("the Pulumi engine of this run has ended, so the provider starts nothing more", {
        code: "CANCELLED",
      }),
    );
    setTimeout(this.exit, LONGEST_MS).unref();
    this.#exitWhenDone();
  }

  /** Runs a call. The process does not exit before its end. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#calls++;
    try {
      return await call();
    } finally {
      this.#calls--;
      this.#exitWhenDone();
    }
  }

  #exitWhenDone(): void {
    if (this.#isEnding && this.#calls === 0) this.exit();
  }
}

/** A clock whose sleeps end when the process is about to end. */
export const endingSleeps = (clock: Clock, end: AbortSignal): Clock => ({
  now: () => clock.now(),
  random: () => clock.random(),
  sleep: async (ms, signal) => {
    if (!end.aborted) await clock.sleep(ms, AbortSignal.any(signal === undefined ? [end] : [signal, end]));
  },
});
