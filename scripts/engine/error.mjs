/** None of the ways led to an engine. The message says why, and what to install. */
export class EngineError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "EngineError";
  }
}

/**
 * Why something failed, in one text.
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  // fetch says only "fetch failed". Its cause says more, sometimes by its code alone.
  if (error.message === "fetch failed" && error.cause !== undefined) return reasonOf(error.cause);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
