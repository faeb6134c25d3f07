import { isIP } from "node:net";
import { type HttpBindings } from "@hono/node-server";
import { type Context } from "hono";
import { createMiddleware } from "hono/factory";
import { DEFAULT_TOKEN } from "../operations/accounts";
import { forbidden } from "../base/refusal";

/** Top-level domains for private use. Nobody can register a public name below one of them. */
const PRIVATE_DOMAINS = /\.(local|internal|test|home\.arpa)$/;

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);

/** Whether a host is localhost or an IP address. DNS rebinding cannot use them. */
const isFixed = (hostname: string): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, "")) > 0 || /^(.+\.)?localhost\.?$/.test(hostname);

/** Whether a name is private to this network, such as the name of a container. */
function isPrivate(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  return !name.includes(".") || PRIVATE_DOMAINS.test(name);
}

/** Whether a person follows a link in a browser. The browser shows the answer to the person only, not to a page. */
function isFollowedLink(c: Context): boolean {
  const { method } = c.req;
  const isPage =
    c.req.header("sec-fetch-mode") === "navigate" && c.req.header("sec-fetch-dest") === "document";
  return isPage && method === "GET";
}

/** Whether a page of another origin sent the request. Programs send neither of these headers. */
function isFromElsewhere(c: Context): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== new URL(c.req.url).origin) return true;
  const site = c.req.header("sec-fetch-site") ?? "none";
  return site !== "none" && site !== "same-origin" && !isFollowedLink(c);
}

/**
 * Accepts requests of clients on this machine, and refuses requests of foreign web pages. A foreign page can send
 * requests to other origins. With a name that DNS rebinding points to this machine, it could also read the answers.
 */
export function guarded(what: string, publicOrigin?: string) {
  return createMiddleware<{ Bindings: HttpBindings }>(async (c, next) => {
    if (!isLoopback(c.env.incoming.socket.remoteAddress)) {
      throw forbidden(`${what} answers on this machine only.`);
    }
    const { origin, hostname } = new URL(c.req.url);
    if (origin !== publicOrigin && !isFixed(hostname)) {
      throw forbidden(`${what} answers under localhost or an address, not under ${hostname}.`);
    }
    if (isFromElsewhere(c)) throw forbidden(`${what} does not answer to pages of other origins.`);
    c.header("cross-origin-resource-policy", "same-origin");
    c.header("x-content-type-options", "nosniff");
    await next();
  });
}

/**
 * Refuses the default token under a public host name: a foreign web page could read passwords with it if DNS rebinding
 * points the page's name to this machine. Foreign pages do not know other tokens, so those work under any name.
 */
export function requireKnownName(c: Context, authorization: string | undefined, publicOrigin?: string): void {
  if (!authorization?.endsWith(` ${DEFAULT_TOKEN}`)) return;
  const { origin, hostname } = new URL(c.req.url);
  if (origin === publicOrigin || isFixed(hostname) || isPrivate(hostname)) return;
  throw forbidden(
    `The default token ${DEFAULT_TOKEN} does not work under the name ${hostname}, because everybody knows it: use localhost, an IP address, or a token of your own (--accounts).`,
  );
}

/** Returns the origin of an address. Throws if the address is not just an origin. */
export function originOf(address: string): string {
  const { origin, protocol, href } = URL.canParse(address) ? new URL(address) : ({} as Partial<URL>);
  if (origin !== undefined && /^https?:$/.test(protocol ?? "") && href === `${origin}/`) return origin;
  throw new Error(`must be an origin such as https://cloud.example.com, not "${address}"`);
}

/** The local address of the connection. The address in a request is up to the client. */
export function reachedAt({ socket }: HttpBindings["incoming"]): string {
  const { localAddress = "127.0.0.1", localPort } = socket;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, "");
  const scheme = "encrypted" in socket ? "https" : "http";
  return new URL(`${scheme}://${isIP(address) === 6 ? `[${address}]` : address}:${localPort}`).origin;
}
