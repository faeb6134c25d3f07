/** The type tokens of this package's dynamic resources begin with it. The class follows. */
export const TYPE_PREFIX = "pulumi-nodejs:dynamic/nodecloud:";

/** The type tokens of the full plugin's resources begin with it. */
export const PLUGIN_TYPE_PREFIX = "nodecloud:index:";

/** The class in a type token of this package. Undefined for other types. */
export const classIn = (token: string): string | undefined =>
  [TYPE_PREFIX, PLUGIN_TYPE_PREFIX].flatMap((prefix) =>
    token.startsWith(prefix) ? [token.slice(prefix.length)] : [],
  )[0];
