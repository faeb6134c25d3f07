/** The ends of the quickstart before its last step. */
import { constants } from "node:os";

/** A step failed. The message says which. */
export class QuickstartError extends Error {}

/** The user stopped the quickstart. */
export class Stopped extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Stopped by ${signal}`);
    this.code = 128 + constants.signals[signal];
  }
}

/** @type {NodeJS.Signals[]} */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** @type {NodeJS.Signals | undefined} */
let stoppedBy;

/** From now on, a signal stops the quickstart before its next step. */
export function watchSignals() {
  for (const signal of stopSignals) process.on(signal, () => (stoppedBy ??= signal));
}

export const isStopped = () => stoppedBy !== undefined;

export function throwIfStopped() {
  if (stoppedBy !== undefined) throw new Stopped(stoppedBy);
}
