import { ConfigurationError } from "./errors";

/** A checked address of the API. */
export interface Endpoint {
  /** Without a trailing slash. */
  readonly href: string;
  readonly origin: string;
  readonly host: string;
}

/** Whether a URL points to this machine, so that data sent to it stays here. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** @throws ConfigurationError, which does not repeat the address, as that may contain a credential */
export function checkBaseUrl(baseUrl: unknown): Endpoint {
  const fail = (problem: string) => new ConfigurationError("baseUrl", problem);
  if (typeof baseUrl !== "string" || !URL.canParse(baseUrl)) {
    throw fail("must be an absolute URL that ends in /v4, such as https://api.example.com/v4");
  }
  const url = new URL(baseUrl);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw fail("must begin with https:// or http://");
  if (url.username !== "" || url.password !== "") {
    throw fail("must not contain a user name or password; set the token separately");
  }
  if (url.search !== "" || url.hash !== "") throw fail("must not contain a query or a fragment");
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw fail(`must begin with https://: the token would cross the network to ${url.host} in the clear`);
  }
  const path = url.pathname.replace(/\/$/, "");
  if (!path.endsWith("/v4"))
    throw fail(
      `must end in /v4, the version of the API: write ${url.origin}${withVersion(path)}, not ${url.origin}${url.pathname}`,
    );
  return { href: url.origin + path, origin: url.origin, host: url.host };
}

/** A path that ends in the version: without what follows it, and in place of another version. */
const withVersion = (path: string): string =>
  /^.*?\/v4(?=\/)/.exec(path)?.[0] ?? `${path.replace(/(?:\/v\d+)?\/*$/, "")}/v4`;

/** @throws ConfigurationError, which does not show the token */
export function checkToken(token: unknown): string | undefined {
  if (token === undefined) return undefined;
  const fail = (problem: string) => new ConfigurationError("token", problem);
  if (typeof token !== "string") throw fail("must be a string");
  if (token === "") throw fail("is empty");
  if (/\s/.test(token)) throw fail("contains a space or a line break; was more than the token copied?");
  if (!/^[\x21-\x7e]+$/.test(token)) throw fail("contains characters that an HTTP header cannot carry");
  return token;
}

/** More concurrent requests do not make an API faster, and use ports and memory. */
export const MOST_CONCURRENT = 256;

/** @throws ConfigurationError */
export function checkMaxConcurrency(most: unknown): number | undefined {
  if (most === undefined) return undefined;
  if (typeof most === "number" && Number.isInteger(most) && most >= 1 && most <= MOST_CONCURRENT) return most;
  const given =
    typeof most === "string" ? `, not "${most}"` : typeof most === "number" ? `, not ${most}` : "";
  throw new ConfigurationError(
    "maxConcurrency",
    `must be a whole number from 1 to ${MOST_CONCURRENT}${given}`,
  );
}

/** The variable that makes Node.js accept any certificate. */
const UNCHECKED = "NODE_TLS_REJECT_UNAUTHORIZED";

/** The warning that certificates are not checked. Undefined if they are checked, or the URL is not https. */
export function uncheckedTls(
  { origin }: { readonly origin: string },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (environment[UNCHECKED] !== "0" || !origin.startsWith("https:")) return undefined;
  return (
    `${UNCHECKED}=0 is set: the certificate of ${new URL(origin).host} is NOT CHECKED. An attacker on the network can read the access token and all passwords, ` +
    "and answer in place of the service. Unset it. To trust a further issuer, set NODE_EXTRA_CA_CERTS to the file with its certificate"
  );
}
