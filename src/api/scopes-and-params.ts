// Written by `npm run generate` from the files beside it.

/** An OAuth scope of the service. A `read_write` scope includes the `read_only` scope. */
export type Scope = `${"databases" | "domains" | "images" | "nodes"}:${"read_only" | "read_write"}`;

/** Path parameters that are names or strings of the form `<prefix>/<rest>`. All others are integers. */
export type TextParam = "engineId" | "imageId" | "regionId";
export const TEXT_PARAMS: ReadonlySet<string> = new Set<TextParam>(["engineId", "imageId", "regionId"]);
