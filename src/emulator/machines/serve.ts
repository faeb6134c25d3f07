import { type RequestListener, createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { type Socket } from "node:net";
import { type Service } from "./rules";

/** The answer of a machine: the service, and the label of its node. */
export interface MachineAnswer {
  readonly service: Service;
  readonly label: string;
}

function answerOf({ service, label }: MachineAnswer): RequestListener {
  const { status = 200, headers, body = `${label}\n`, delayMs = 0 } = service;
  const [type, text] =
    typeof body === "string"
      ? ["text/plain; charset=utf-8", body]
      : ["application/json", JSON.stringify(body)];
  const all = { "content-type": type, ...Object.fromEntries(new Headers(headers)) };
  return (request, response) => {
    request.resume();
    // The next request is another connection, so that a client notices when the machine is gone.
    response.shouldKeepAlive = false;
    after(delayMs, request.socket, () => {
      response.writeHead(status, all);
      response.end(text);
    });
  };
}

/** Runs after a real time, unless the connection is closed by then. */
function after(milliseconds: number, socket: Socket, run: () => void): void {
  if (milliseconds === 0) return run();
  const timer = setTimeout(run, milliseconds);
  socket.once("close", () => {
    clearTimeout(timer);
  });
}

/** Says a banner. An SSH server then closes, because it knows no keys; another program waits. */
function greet(socket: Socket, { protocol, banner }: Service): void {
  const text = banner ?? (protocol === "ssh" ? "SSH-2.0-OpenSSH_9.7\r\n" : "");
  if (text !== "") socket.write(text);
  if (protocol === "ssh") socket.once("data", () => socket.end());
  else socket.resume();
}

/** A function that serves connections. */
export function serverOf(said: MachineAnswer): (socket: Socket) => void {
  const { failure, protocol, delayMs = 0, cert, key } = said.service;
  if (failure !== undefined) {
    return (socket) => {
      socket.resume();
      after(delayMs, socket, () => {
        if (failure === "reset") socket.resetAndDestroy();
        if (failure === "close") socket.destroy();
      });
    };
  }
  if (protocol === "tcp" || protocol === "ssh") {
    return (socket) => {
      after(delayMs, socket, () => {
        greet(socket, said.service);
      });
    };
  }
  // Neither listens: they get the connections of the machine's own server.
  const answer = answerOf(said);
  const server = protocol === "http" ? createHttp(answer) : createHttps({ cert, key }, answer);
  server.on("tlsClientError", () => undefined);
  return (socket) => server.emit("connection", socket);
}
