/** Every way to get an engine failed. The message gives the reasons and what to install. */
export class EngineError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = "EngineError";
  }
}

/** The reason of a failure, as one text. @param {unknown} error @returns {string} */
export function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  // fetch says only "fetch failed". Its cause says more, sometimes by its code alone.
  if (error.message === "fetch failed" && error.cause !== undefined) return reasonOf(error.cause);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
