import { isIP } from "node:net";
import { type HttpBindings } from "@hono/node-server";
import { createMiddleware } from "hono/factory";
import { forbidden } from "./refusal";

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}

/** Lets through what a client on this machine sends. */
export function localOnly(what: string) {
  return createMiddleware<{ Bindings: HttpBindings }>(async (c, next) => {
    if (!isLoopback(c.env.incoming.socket.remoteAddress)) {
      throw forbidden(`${what} answers on this machine only.`);
    }
    await next();
  });
}

/**
 * Lets through what was asked for under localhost or an address. A foreign web page whose name was made to lead to this
 * machine (DNS rebinding) could read the answers otherwise; behind an address there is no name that could be led elsewhere.
 */
export function underOwnName(what: string) {
  return createMiddleware<{ Bindings: HttpBindings }>(async (c, next) => {
    const { hostname } = new URL(c.req.url);
    const isOwn = isIP(hostname.replace(/^\[|\]$/g, "")) > 0 || /^(.+\.)?localhost\.?$/.test(hostname);
    if (!isOwn) throw forbidden(`${what} answers under localhost or an address, not under ${hostname}.`);
    await next();
  });
}
