import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import { type ClientRequest } from "node:http";

/** The plugin that runs, for each request that it sends. */
const callers = new AsyncLocalStorage<object>();
/** The requests without an answer yet, and the plugins that sent them. */
const underWay = new Map<ClientRequest, object>();
const ends = new EventEmitter();
let served = 0;

subscribe("http.client.request.start", (message) => {
  const { request } = message as { readonly request: ClientRequest };
  const caller = callers.getStore();
  if (caller === undefined) return;
  underWay.set(request, caller);
  request.once("close", () => ended(request));
});
subscribe("http.server.request.start", () => void served++);

function ended(request: ClientRequest): void {
  underWay.delete(request);
  ends.emit("end");
}

/** Runs a step of a plugin of this process. */
export const inPlugin = <Result>(plugin: object, step: () => Result): Result => callers.run(plugin, step);

/** How many requests the servers of this process have begun to answer. */
export const requestsServed = (): number => served;

/** Drops the requests of a plugin, as a kill of its process does. Whatever waits for an answer never goes on. */
export function cutOff(plugin: object): void {
  for (const [request, caller] of underWay) {
    if (caller !== plugin) continue;
    request.removeAllListeners().on("error", () => undefined);
    request.destroy();
    ended(request);
  }
}

/** After so many turns of the event loop without a request, nothing continues by itself. Calls and answers take one or two. */
const TURNS = 6;

/** Resolves when nothing in the plugins can continue without the passing of time. */
export async function idle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (underWay.size === 0) continue;
    await once(ends, "end");
    turn = -1;
  }
}
