// Written by `npm run generate` from src/functions and src/api.

/** A version of a database engine that can be deployed. */
export interface DatabaseEngineResult {
  /** The engine and its version as `<engine>/<version>`. */
  id: string;
  /** `mysql` or `postgresql`. */
  engine: string;
  /** Version of the engine. */
  version: string;
}
