/** The type tokens of this package's resources in the engine begin with it. The class follows. */
export const TYPE_PREFIX = "pulumi-nodejs:dynamic/nodecloud:";
