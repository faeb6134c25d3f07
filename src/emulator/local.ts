import { isIP } from "node:net";
import { type HttpBindings } from "@hono/node-server";
import { type Context, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { DEFAULT_TOKEN } from "./accounts";
import { forbidden } from "./refusal";

interface Bound {
  Bindings: HttpBindings;
}

/** Top-level domains that are kept for private use: nobody outside can have a name below one of them. */
const PRIVATE_DOMAINS = /\.(local|internal|test|home\.arpa)$/;

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}

/** The address that a client used, as the request has it. */
function askedUnder(c: Pick<Context, "req">): URL {
  return new URL(c.req.url);
}

/** Localhost and addresses: behind them is no name that could be led elsewhere. */
function isFixed(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, "")) > 0 || /^(.+\.)?localhost\.?$/.test(hostname);
}

/** Names that nobody outside of this network can have, such as those of containers. */
function isPrivate(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  return !name.includes(".") || PRIVATE_DOMAINS.test(name);
}

/** Whether somebody follows a link in a browser: the answer is shown to that person, and to no page. */
function isFollowedLink(c: Context): boolean {
  const { method } = c.req;
  const isPage =
    c.req.header("sec-fetch-mode") === "navigate" && c.req.header("sec-fetch-dest") === "document";
  return isPage && method === "GET";
}

/** Whether a page of another origin sent a request. Programs send neither of these headers. */
function isFromElsewhere(c: Context): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== askedUnder(c).origin) return true;
  const site = c.req.header("sec-fetch-site") ?? "none";
  return site !== "none" && site !== "same-origin" && !isFollowedLink(c);
}

/**
 * Lets through what a client on this machine sends, and no foreign web page. Such a page could send requests to another origin than
 * its own, or read the answers under a name of its own that was led to this machine (DNS rebinding).
 */
export function guarded(what: string, publicOrigin?: string): MiddlewareHandler<Bound> {
  return createMiddleware<Bound>(async (c, next) => {
    if (!isLoopback(c.env.incoming.socket.remoteAddress)) {
      throw forbidden(`${what} answers on this machine only.`);
    }
    const { origin, hostname } = askedUnder(c);
    if (origin !== publicOrigin && !isFixed(hostname)) {
      throw forbidden(`${what} answers under localhost or an address, not under ${hostname}.`);
    }
    if (isFromElsewhere(c)) throw forbidden(`${what} does not answer to pages of other origins.`);
    await next();
  });
}

/**
 * Refuses the token that everybody knows under a name that anybody may have: a foreign web page whose name was led here could
 * read the passwords of databases with it. A token of one's own proves who asks, under any name.
 */
export function requireKnownName(c: Context, authorization: string | undefined, publicOrigin?: string): void {
  if (!authorization?.endsWith(` ${DEFAULT_TOKEN}`)) return;
  const { origin, hostname } = askedUnder(c);
  if (origin === publicOrigin || isFixed(hostname) || isPrivate(hostname)) return;
  throw forbidden(
    `The token ${DEFAULT_TOKEN}, which everybody knows, is not taken under the name ${hostname}: use localhost, an address, or a token of your own (--accounts).`,
  );
}

/** The origin of an address that has no more than that; throws where it has. */
export function originOf(address: string): string {
  const { origin, protocol, href } = URL.canParse(address) ? new URL(address) : ({} as Partial<URL>);
  if (origin !== undefined && /^https?:$/.test(protocol ?? "") && href === `${origin}/`) return origin;
  throw new Error(`must be an origin such as https://cloud.example.com, not "${address}"`);
}

/** The address at which a connection came in. It is the connection's, as a client may write any into its request. */
export function reachedAt({ socket }: HttpBindings["incoming"]): string {
  const { localAddress = "127.0.0.1", localPort } = socket;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, "");
  const scheme = "encrypted" in socket ? "https" : "http";
  return new URL(`${scheme}://${isIP(address) === 6 ? `[${address}]` : address}:${localPort}`).origin;
}
