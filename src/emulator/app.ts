import { finished } from "node:stream/promises";
import { type HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type OperationSpec } from "../api/operation";
import { TEXT_PARAMS } from "../api/scopes-and-params";
import { authorize } from "./operations/accounts";
import { answer, answerRefusal } from "./http/answers";
import { controlRoutes } from "./http/control-routes";
import { type Emulation } from "./emulation/emulation";
import { type ServedEndpoint } from "./operations/endpoint";
import { BASE_PATH, CONTROL_PATH, type Env } from "./http/env";
import { UPLOAD_PATH, takeUpload } from "./images/uploads";
import { type Store } from "./kind/kind";
import { reachedAt, requireKnownName } from "./http/local";
import { observe } from "./http/observe";
import { type OpenOperation } from "./operations/openapi";
import { pageRoutes } from "./page";
import { Refusal, notFound, refuse } from "./base/refusal";
import { routes } from "./routes";

const LONGEST_PAUSE_MS = 1000;

/** A path of the API in the router's syntax. A text id may contain a slash, unless the path of another operation continues after it. */
function routeOf(path: string, specs: readonly OperationSpec[]): string {
  const isLast = !specs.some((other) => other.path.startsWith(`${path}/`));
  return path.replace(/\{(\w+)\}(?=(\/)?)/g, (_, name: string, next?: string) =>
    TEXT_PARAMS.has(name) && next === undefined && isLast ? `:${name}{.+}` : `:${name}`,
  );
}

function serve({ directory, publicOrigin }: Emulation, { spec, run }: ServedEndpoint) {
  return async (c: Context<Env>) => {
    const authorization = c.req.header("authorization");
    requireKnownName(c, authorization, publicOrigin);
    const caller = authorize(spec, authorization, directory);
    const { isJson, value: body } = c.get("sent");
    if (!isJson && spec.body) throw refuse(400, "The body is not valid JSON.");
    const origin = publicOrigin ?? reachedAt(c.env.incoming);
    const reply = await run({ params: c.req.param(), query: c.req.query(), body, caller, origin });
    return answer(c, reply ?? {});
  };
}

/** Sorts fixed paths before paths with parameters, which could match them too. */
const byFixedPathFirst = (one: ServedEndpoint, other: ServedEndpoint): number =>
  Number(one.spec.path.includes("{")) - Number(other.spec.path.includes("{"));

/**
 * Reads the rest of a request. Unread data would reset the connection, and the client would lose the answer. It stops
 * after a pause: the client then has no more to send, or waits for the answer.
 */
async function drain(incoming: HttpBindings["incoming"]): Promise<void> {
  const pause = new AbortController();
  incoming.setTimeout(LONGEST_PAUSE_MS, () => {
    pause.abort();
  });
  await finished(incoming.resume(), { signal: pause.signal, writable: false }).catch(() => undefined);
  incoming.setTimeout(0);
}

/** Every operation with its behaviour and its name, such as `domains.create`. */
const endpointsOf = (store: Store): (ServedEndpoint & OpenOperation)[] =>
  Object.entries(routes).flatMap(([family, make]) =>
    make(store).map((endpoint) => ({ ...endpoint, name: `${family}.${endpoint.name}` })),
  );

function serveApi(app: Hono<Env>, emulation: Emulation, endpoints: readonly ServedEndpoint[]): void {
  const served = endpoints.toSorted(byFixedPathFirst);
  const specs = served.map(({ spec }) => spec);
  for (const endpoint of served) {
    app.on(endpoint.spec.method, BASE_PATH + routeOf(endpoint.spec.path, specs), serve(emulation, endpoint));
  }
  for (const [path, ofPath] of Map.groupBy(specs, (spec) => spec.path)) {
    const allow = ofPath.map(({ method }) => method).join(", ");
    app.all(BASE_PATH + routeOf(path, specs), () => {
      throw new Refusal(405, [{ reason: "Method not allowed" }], { allow });
    });
  }
}

/** Serves the only route outside the API: it receives data instead of JSON. */
function serveUploads(app: Hono<Env>, store: Store): void {
  app.put(`${UPLOAD_PATH}/:id/:key`, async (c) => {
    const { incoming } = c.env;
    try {
      await takeUpload(store, c.req.param(), incoming, Number(c.req.header("content-length") ?? 0));
    } catch (error) {
      await drain(incoming);
      throw error;
    }
    return answer(c, {});
  });
}

/** The emulator as a function from requests to answers. It does not listen. */
export function createApp(emulation: Emulation): Hono<Env> {
  const { store, kept, machines } = emulation;
  const app = new Hono<Env>();
  // The page comes first: it meets no latency and no failures, and is not in the log.
  app.route("/", pageRoutes(emulation));
  if (kept) {
    app.use("*", async (_, next) => {
      await next();
      await kept();
    });
  }
  if (machines) {
    app.use("*", async (c, next) => {
      await next();
      // A client that has read that a node runs can connect to it at once.
      if (c.req.method !== "GET" || machines.isDue) await machines.settle();
    });
  }
  const endpoints = endpointsOf(store);
  app.use("*", observe(emulation));
  app.route(CONTROL_PATH, controlRoutes(emulation, endpoints));
  serveApi(app, emulation, endpoints);
  serveUploads(app, store);

  app.notFound(() => {
    throw notFound();
  });
  app.onError((error, c) => {
    if (error instanceof Refusal) return answerRefusal(c, error);
    return answerRefusal(c, refuse(500, `The emulator failed: ${error.message}`));
  });
  return app;
}
