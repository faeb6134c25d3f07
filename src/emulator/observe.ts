import { setTimeout as sleep } from "node:timers/promises";
import { type HttpBindings } from "@hono/node-server";
import { type Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { type Emulation } from "./emulation";
import { type Effect } from "./faults";

export const BASE_PATH = "/v4";
export const CONTROL_PATH = "/_emulator";

/** The body of a request: what it means where it is JSON, else its text; undefined where there is none. */
interface Sent {
  readonly isJson: boolean;
  readonly value?: unknown;
}

/** What the request handlers share. */
export interface Env {
  Bindings: HttpBindings;
  Variables: { sent: Sent };
}

function read(text: string): Sent {
  if (text.trim() === "") return { isJson: true };
  try {
    const value: unknown = JSON.parse(text);
    return { isJson: true, value };
  } catch {
    return { isJson: false, value: text };
  }
}

/** `/v4/domains/:id` from the route that serves the request, or from the path itself where none does. */
function patternOf(c: Context): string {
  const route = matchedRoutes(c).find(({ path }) => !path.endsWith("*"));
  if (!route) return c.req.path.replace(/\/\d+(?=\/|$)/g, "/:id");
  return route.path.replace(/:\w+(\{[^}]*\})?/g, ":id");
}

/** Waits in real time, without keeping the process alive for it. */
function wait(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}

/** Ends the connection without an answer. */
function hangUp(c: Context<Env>, how: "destroy" | "resetAndDestroy"): Response {
  c.env.incoming.socket[how]();
  // Nobody is left to read it.
  return c.body(null, 204);
}

function plannedAnswer(effect: Extract<Effect, { status: number }>): Response {
  const { status, headers = {}, body = { errors: [{ reason: `Planned failure ${status}` }] } } = effect;
  const [type, text] =
    typeof body === "string" ? ["text/plain", body] : ["application/json", JSON.stringify(body)];
  return new Response([204, 205, 304].includes(status) ? null : text, {
    status,
    headers: { "content-type": type, ...headers },
  });
}

/** Logs each request but those to the control API, lets it meet latency and planned failures, and then goes on. */
export function observe({ requests, faults, latencyMs }: Emulation) {
  return createMiddleware<Env>(async (c, next) => {
    const { method, path } = c.req;
    if (path.startsWith(`${CONTROL_PATH}/`)) return next();
    const hasJson = path.startsWith(`${BASE_PATH}/`) && method !== "GET" && method !== "HEAD";
    const sent = read(hasJson ? await c.req.text() : "");
    c.set("sent", sent);
    const logged = requests.add(`${method} ${patternOf(c)}`, {
      method,
      path,
      query: c.req.query(),
      ...("value" in sent && { body: sent.value }),
      status: null,
    });
    if (latencyMs > 0) await wait(latencyMs);
    const effect = faults.take(method, path);
    if (effect === "drop-request") return hangUp(c, "destroy");
    if (effect === "reset") return hangUp(c, "resetAndDestroy");
    if (typeof effect === "object" && "delayMs" in effect) await wait(effect.delayMs);
    if (typeof effect === "object" && "status" in effect) {
      logged.status = effect.status;
      return plannedAnswer(effect);
    }
    await next();
    if (effect === "drop-response") return hangUp(c, "destroy");
    logged.status = c.res.status;
    return undefined;
  });
}
