import { createHash } from "node:crypto";
import { checkBaseUrl } from "../../api/endpoint";

/**
 * Where a provider reaches objects, in a few bytes: the base URL without what most have in common, and some digits of a hash of the token. The service
 * has no operation that names the account. A token cannot be guessed from 24 bits.
 */
export function whereabouts({
  baseUrl,
  token,
}: {
  readonly baseUrl: string;
  readonly token: string;
}): string {
  const address = shortAddress(baseUrl);
  const hash = createHash("sha256").update(`${address} ${token}`).digest("hex");
  return `${address}#${hash.slice(0, 6)}`;
}

/** A base URL without what most have in common. */
export const shortAddress = (baseUrl: unknown): string =>
  checkBaseUrl(baseUrl)
    .href.replace(/^https?:\/\//, "")
    .replace(/\/v4\/?$/, "");

/** The base URL in whereabouts. A state of an earlier version has no token in those of a creation. */
export const addressIn = (at: string): string => at.replace(/#[^#]*$/, "");
