import { type Directory } from "./accounts";
import { type Faults } from "./faults";
import { type Store } from "./kind";
import { type RequestLog } from "./requests";

/** Everything that one emulator holds. */
export interface Emulation {
  readonly store: Store;
  readonly directory: Directory;
  readonly requests: RequestLog;
  readonly faults: Faults;
  /** How long each request waits before it is looked at. */
  readonly latencyMs: number;
  /** Where clients reach it, where that is told: in front of it there may be others. */
  readonly publicOrigin?: string | undefined;
  /** Resolves when all that has changed is kept; undefined where nothing is. */
  readonly kept?: (() => Promise<void>) | undefined;
}

export type ResetPart = "requests" | "faults";

/** Back to how it started: everything, or a part. */
export function reset({ store, requests, faults }: Emulation, only?: ResetPart): void {
  if (only !== "faults") requests.clear();
  if (only !== "requests") faults.clear();
  if (only === undefined) {
    store.clear();
    store.clock.reset();
  }
}
