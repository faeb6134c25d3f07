import { once } from "node:events";
import { type Server, type Socket, createServer } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { codeOf } from "../../api/redact";
import { type MachineAnswer, serverOf } from "./serve";

/** A port at a loopback address. */
export class PortListener {
  /** Resolves when it listens, or cannot. */
  readonly ready: Promise<void>;
  /** Why it does not listen, such as `EACCES`. */
  failure: string | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #serve: (socket: Socket) => void;

  constructor(
    address: string,
    port: number,
    private said: MachineAnswer,
  ) {
    this.#serve = serverOf(said);
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      socket.on("error", () => undefined);
      this.#serve(socket);
    });
    // Such as too many open files when a client connects.
    this.#server.on("error", () => undefined);
    this.ready = once(this.#server.listen(port, address), "listening").then(
      () => undefined,
      (error: unknown) => {
        this.failure = codeOf(error) ?? String(error);
      },
    );
  }

  /** Serves something else from now on. Connections to what it served before are closed. */
  say(said: MachineAnswer): void {
    if (isDeepStrictEqual(said, this.said)) return;
    this.said = said;
    this.#serve = serverOf(said);
    this.#hangUp();
  }

  #hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Stops to listen, and closes its connections. */
  async close(): Promise<void> {
    // A server that does not listen yet would begin to after it was closed.
    if (!this.#server.listening) await this.ready;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#hangUp();
    await closed;
  }
}
