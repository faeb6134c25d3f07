import { createHash } from "node:crypto";

/** A key made of several parts, in a form that can be a file name. */
export const keyOfParts = (...parts: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");
