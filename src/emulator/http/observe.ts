import { setTimeout as sleep } from "node:timers/promises";
import { type Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { answerRefusal } from "./answers";
import { type Emulation } from "../emulation/emulation";
import { BASE_PATH, CONTROL_PATH, type Env, type SentBody, type ReadableRequest } from "./env";
import { type FaultEffect } from "../control/faults";
import { readJson } from "../base/json";
import { withoutUploadKey } from "../control/requests";
import { Refusal, refuse, tooManyRequests } from "../base/refusal";

const MAX_LOGGED_LENGTH = 100_000;

/** The largest JSON body. */
export const MAX_JSON_BYTES = 10_000_000;

/** The text of a body. A body that is too large is read to its end, so that the client receives the answer. */
export async function textOf({ env: { incoming }, req }: ReadableRequest): Promise<string> {
  const announced = req.header("content-length");
  if (announced !== undefined && Number(announced) <= MAX_JSON_BYTES) return req.text();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes <= MAX_JSON_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > MAX_JSON_BYTES) throw refuse(413, `A body can be at most ${MAX_JSON_BYTES} bytes.`);
  return Buffer.concat(chunks).toString();
}

/** Refuses a content type other than JSON. The default content types of clients pass. */
function requireJson(type: string | undefined): void {
  const plain = type?.split(";")[0]?.trim().toLowerCase() ?? "";
  const passes =
    /^(|application\/([\w.-]+\+)?json|text\/plain|application\/(octet-stream|x-www-form-urlencoded))$/;
  if (!passes.test(plain)) throw refuse(415, `The body must be application/json, not ${plain}.`);
}

/** Returns the body of a request, or the refusal if it cannot be read. */
async function received(c: Context<Env>): Promise<SentBody | Refusal> {
  try {
    const text = await textOf(c);
    if (text.trim() !== "") requireJson(c.req.header("content-type"));
    return read(text);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function read(text: string): SentBody {
  if (text.trim() === "") return { isJson: true };
  try {
    return { isJson: true, value: readJson(text), length: text.length };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { isJson: false, value: text, length: text.length };
  }
}

/** A body in the form for the log of requests. Large bodies would fill the memory. */
const loggedBody = ({ value, length = 0 }: SentBody): { body: unknown; length: number } =>
  length > MAX_LOGGED_LENGTH ? { body: `[${length} characters]`, length: 0 } : { body: value, length };

/** The pattern of a request, such as `/v4/domains/:id`: from the route that serves it, or else from its path. */
function patternOf(c: Context): string {
  const route = matchedRoutes(c).find(({ path }) => !path.endsWith("*"));
  if (!route) return withoutUploadKey(c.req.path).replace(/\/\d+(?=\/|$)/g, "/:id");
  return route.path.replace(/:\w+(\{[^}]*\})?/g, ":id");
}

/** Waits in real time. It does not keep the process alive. */
const wait = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

/** Ends the connection without an answer. */
function hangUp(c: Context<Env>, how: "destroy" | "resetAndDestroy"): Response {
  c.env.incoming.socket[how]();
  // Nobody reads this answer.
  return c.body(null, 204);
}

function plannedAnswer(c: Context<Env>, effect: Extract<FaultEffect, { status: number }>): Response {
  const { status, headers = {}, body = { errors: [{ reason: `Planned failure ${status}` }] } } = effect;
  const [type, text] =
    typeof body === "string" ? ["text/plain", body] : ["application/json", JSON.stringify(body)];
  const isEmpty = [204, 205, 304].includes(status);
  if (!isEmpty) c.set("answer", text);
  return new Response(isEmpty ? null : text, {
    status,
    headers: { "content-type": type, ...headers },
  });
}

/** Logs each request, except those to the control API, and applies latency and planned failures. */
export function observe({ store: { clock }, requests, faults, rate, latencyMs }: Emulation) {
  return createMiddleware<Env>(async (c, next) => {
    const { method, path } = c.req;
    if (path.startsWith(`${CONTROL_PATH}/`)) return next();
    const hasJson = path.startsWith(`${BASE_PATH}/`) && method !== "GET" && method !== "HEAD";
    const sent = hasJson ? await received(c) : read("");
    if (!(sent instanceof Refusal)) c.set("sent", sent);
    const { length, ...body } = "value" in sent ? loggedBody(sent) : { length: 0 };
    const logged = requests.add(`${method} ${patternOf(c)}`, clock.now(), {
      ...{ method, path, query: c.req.query(), ...body },
      length: c.req.url.length + length,
    });
    const log = (response: Response) => {
      requests.answered(logged, response.status, method === "HEAD" ? undefined : c.get("answer"));
      return response;
    };
    if (latencyMs > 0) await wait(latencyMs);
    const waitSeconds = rate?.take();
    if (waitSeconds !== undefined) return log(answerRefusal(c, tooManyRequests(waitSeconds)));
    const effect = faults.take(method, path);
    if (effect === "drop-request") return hangUp(c, "destroy");
    if (effect === "reset") return hangUp(c, "resetAndDestroy");
    if (typeof effect === "object" && "delayMs" in effect) await wait(effect.delayMs);
    if (typeof effect === "object" && "status" in effect) return log(plannedAnswer(c, effect));
    if (sent instanceof Refusal) return log(answerRefusal(c, sent));
    await next();
    if (effect === "drop-response") return hangUp(c, "destroy");
    log(c.res);
    return undefined;
  });
}
