import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type ClientOptions, createClient } from "../../src/api";

/** How the server reacts to one request. */
export type Reaction =
  /** Closes the connection before any byte of an answer. */
  | "reset"
  /** Announces a body and closes the connection in the middle of it. */
  | "half"
  /** Does not answer. */
  | "hang"
  /** Writes the answer itself. */
  | ((outgoing: ServerResponse) => void)
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A string is sent unchanged, any other value as JSON. */
      readonly body?: unknown;
    };

/** An expected request, such as `GET /v4/domains`, and the reaction to it. */
export type Exchange = readonly [request: string, reaction: Reaction];

/** A received request. */
export interface Received {
  readonly request: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly port: number | undefined;
}

/** Runs `use` against a server that expects exactly these requests, in this order. An extra or missing request fails the test. */
export async function withServer<Result>(
  exchanges: readonly Exchange[],
  use: (server: { origin: string; baseUrl: string; received: readonly Received[] }) => Promise<Result>,
): Promise<Result> {
  const received: Received[] = [];
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      const request = `${incoming.method} ${incoming.url}`;
      const exchange = exchanges[received.length];
      received.push({
        request,
        headers: incoming.headers,
        body: body.toString(),
        port: incoming.socket.remotePort,
      });
      react(outgoing, exchange?.[0] === request ? exchange[1] : { status: 418, body: { errors: [] } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await use({ origin, baseUrl: `${origin}/v4`, received });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(received.map(({ request }) => request)).toEqual(exchanges.map(([request]) => request));
  }
}

function react(outgoing: ServerResponse, reaction: Reaction): void {
  if (reaction === "hang") return;
  if (typeof reaction === "function") {
    reaction(outgoing);
    return;
  }
  if (reaction === "reset") {
    outgoing.destroy();
    return;
  }
  if (reaction === "half") {
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    outgoing.write('{"id": 1, ', () => outgoing.destroy());
    return;
  }
  const { status = 200, headers = {}, body = {} } = reaction;
  const isText = typeof body === "string";
  outgoing.writeHead(status, { ...(!isText && { "content-type": "application/json" }), ...headers });
  outgoing.end(isText ? body : JSON.stringify(body));
}

/** A client that records its waits instead of waiting, with a jitter of one half. */
export function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  let now = 0;
  const client = createClient({
    baseUrl,
    token: "t0ken-of-the-test",
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    now: () => now,
    random: () => 0.5,
    ...options,
  });
  return { client, waits };
}

/** The error that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it succeeded");
}

/** Minimal objects of the API. */
export const sample = {
  domain: { id: 12, domain: "example.org", type: "master", status: "active" },
  record: { id: 7, type: "A", name: "www", target: "192.0.2.1" },
};
