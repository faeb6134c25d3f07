import { createRequire } from "node:module";

/** Loads a library that is a dependency of the SDK and not of this package, so it is resolved from there. */
export const fromSdk = (name: string): unknown =>
  createRequire(require.resolve("@pulumi/pulumi/package.json"))(name);
