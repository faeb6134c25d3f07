import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a route of a stand-in for a host receives. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** The fields of the JSON body or of the form. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Server {
  readonly port: number;
  stop(): Promise<void>;
}

/** An HTTP server on a free port or on a socket in the file system. It answers what `answer` returns, as JSON. */
export async function serve(answer: (call: Call) => Reply, socket?: string): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://host");
      const {
        status = 200,
        headers,
        body,
      } = answer({
        method: request.method ?? "",
        path: decodeURIComponent(pathname),
        query: searchParams,
        headers: request.headers,
        body: fieldsIn(await text(request), request.headers["content-type"]),
      });
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => {
    if (socket === undefined) server.listen(0, "127.0.0.1", resolve);
    else server.listen(socket, resolve);
  });
  const address = server.address() as AddressInfo | string | null;
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function fieldsIn(sent: string, type = ""): Readonly<Record<string, unknown>> {
  if (sent === "") return {};
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(sent));
  }
  return JSON.parse(sent) as Record<string, unknown>;
}

/** One page of a list, with the link to the next page. */
export function pageOf(items: readonly unknown[], { query, path }: Call, origin: string): Reply {
  const size = Math.min(100, Number(query.get("per_page") ?? 30));
  const page = Number(query.get("page") ?? 1);
  const next = new URLSearchParams(query);
  next.set("page", String(page + 1));
  const isLast = page * size >= items.length;
  return {
    headers: isLast
      ? { "x-next-page": "" }
      : { link: `<${origin}${path}?${next.toString()}>; rel="next"`, "x-next-page": String(page + 1) },
    body: items.slice((page - 1) * size, page * size),
  };
}
