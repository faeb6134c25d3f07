import { z } from "zod";
import { op, typed } from "./operation";
import { type DatabaseEngine } from "./types/engines";

/**
 * A version of a database engine that can be deployed.
 * @internal
 */
export const databaseEngine = z.looseObject({
  /** The engine and its version as `<engine>/<version>`. */
  id: z.string(),
  /** `mysql` or `postgresql`. */
  engine: z.string(),
  /** Version of the engine. */
  version: z.string(),
});

/** Operations on the database engines that can be deployed. The reference names no credential for them. */
export const engines = {
  /** Lists the engines and their versions, page by page. */
  list: op({
    method: "GET",
    path: "/databases/engines",
    summary: "Lists the database engines and versions.",
    paged: true,
    reply: typed<DatabaseEngine>(databaseEngine),
    scopes: [],
  }),
  /** Views one engine version by its id, `<engine>/<version>`. */
  get: op({
    method: "GET",
    path: "/databases/engines/{engineId}",
    summary: "Views a database engine version.",
    reply: typed<DatabaseEngine>(databaseEngine),
    scopes: [],
  }),
};
