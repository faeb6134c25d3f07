// Written by `npm run generate` from src/api/engines.ts.

/** A version of a database engine that can be deployed. Fields that the reference does not name are kept unchanged. */
export interface DatabaseEngine {
  [field: string]: unknown;
  /** The engine and its version as `<engine>/<version>`. */
  id: string;
  /** `mysql` or `postgresql`. */
  engine: string;
  /** Version of the engine. */
  version: string;
}
