import { type Directory } from "../operations/accounts";
import { type Faults } from "../control/faults";
import { type Machines } from "../machines/machines";
import { type RateLimit } from "../control/rate";
import { type Store } from "../kind/kind";
import { type RequestLog } from "../control/requests";
import { zonesOf } from "../zones/rendered";

/** The parts of one emulator. */
export interface Emulation {
  readonly store: Store;
  readonly directory: Directory;
  readonly requests: RequestLog;
  readonly faults: Faults;
  /** The delay of each request in milliseconds. */
  readonly latencyMs: number;
  /** How many requests it accepts. Undefined without a limit. */
  readonly rate?: RateLimit | undefined;
  /** The origin that clients use, if it was set. A proxy may be in front of the emulator. */
  readonly publicOrigin?: string | undefined;
  /** Resolves when all changes are in the data file. It is undefined without a data file. */
  readonly kept?: (() => Promise<void>) | undefined;
  /** The nodes and databases that listen. Undefined if they do not. */
  readonly machines?: Machines | undefined;
}

/** Resets everything or a part to the state at the start. */
export function reset(
  { store, requests, faults, rate, machines }: Emulation,
  only?: "requests" | "faults",
): void {
  if (only !== "faults") requests.clear();
  if (only !== "requests") faults.clear();
  if (only === undefined) {
    rate?.reset();
    store.clear();
    store.clock.reset();
    zonesOf(store).reset();
    machines?.reset();
  }
}
