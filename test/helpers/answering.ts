import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";

/** A web server on this machine whose answers a test sets. */
export interface Answering {
  readonly port: number;
  /** The status and the text of the next answers. */
  set(status: number, body?: string): void;
  /** The requests so far: method and path. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** `statusOf`: the status of each answer, if the test does not set it. */
export async function startAnswering(statusOf?: () => Promise<number>): Promise<Answering> {
  let now = { status: 503, body: "" };
  const asked: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    const status = (await statusOf?.()) ?? now.status;
    response.writeHead(status, { location: "/elsewhere" }).end(now.body);
  };
  const server = createServer((request, response) => void answer(request, response));
  const port = await listening(server);
  return {
    port,
    asked,
    set: (status, body = "") => {
      now = { status, body };
    },
    stop: () => stopping(server),
  };
}

/** A server that sends a text to whoever connects. */
export async function startTalking(text: string): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(text);
  });
  return { port: await listening(server), stop: () => stopping(server) };
}

/** A port of this machine on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listening(server);
  await stopping(server);
  return port;
}

const listening = (server: TcpServer | Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve((server.address() as AddressInfo).port);
    });
  });

const stopping = (server: TcpServer | Server): Promise<void> =>
  new Promise((resolve) => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close(() => {
      resolve();
    });
  });
