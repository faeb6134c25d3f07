import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { type AddressInfo, isIPv6 } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Accounts, DEFAULT_ACCOUNTS, directoryOf } from "./accounts";
import { createApp } from "./app";
import { type RandomBytes } from "./chance";
import { ChangeSet } from "./journal";
import { type Clock, DEFAULT_SPEED, createClock } from "./clock";
import { DataFile } from "./data-file";
import { type Emulation, type ResetPart, reset } from "./emulation";
import { Faults } from "./faults";
import { createStore } from "./store";
import { Keeper } from "./keeper";
import { originOf } from "./local";
import { RequestLog } from "./requests";

export { type Accounts, accountsFile } from "./accounts";
export { type Clock, DEFAULT_SPEED, MAX_SPEED } from "./clock";

export interface EmulatorOptions {
  /** How many times faster than real time the emulated clock runs. 0 stops it: it then moves by `advance` only. @default 600 */
  readonly speed?: number;
  /** Users, grants and tokens. @default one unrestricted user with the token `emulator-token` */
  readonly accounts?: Accounts;
  /** Real milliseconds that each request of the API waits. @default 0 */
  readonly latencyMs?: number;
  /**
   * Where clients reach it, such as `https://cloud.example.com`, where that is not the address at which their connections come in:
   * `upload_to` leads there, and the page and the control API answer under that name too.
   * @default the address at which a connection comes in
   */
  readonly publicOrigin?: string;
  /** The real time in milliseconds. @default Date.now */
  readonly realNow?: () => number;
  /** Where passwords and unguessable names come from. @default node's crypto */
  readonly randomBytes?: RandomBytes;
}

export interface ListenOptions extends EmulatorOptions {
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** A file that keeps all objects, ids and the clock; what was answered is not lost, however the process ends. @default none */
  readonly data?: string;
}

const KEEP_ALIVE_MS = 65_000;

/** An emulator that does not listen yet. */
export interface Emulator {
  /** A token that works: the first one of the accounts. */
  readonly token: string;
  readonly clock: Clock;
  /** Back to how it started; or only the log of requests, or only the planned failures. */
  reset(only?: ResetPart): void;
  /** Answers requests of a node:http server. */
  readonly listener: (
    incoming: IncomingMessage | Http2ServerRequest,
    outgoing: ServerResponse | Http2ServerResponse,
  ) => Promise<void>;
}

/** An emulator that listens. */
export interface RunningEmulator extends Omit<Emulator, "listener"> {
  /** The API's base URL, which ends in `/v4`. */
  readonly url: string;
  /** Where it listens, for the routes under `/_emulator`. */
  readonly origin: string;
  /** Closes every connection, frees the port, and gives the data file back. */
  stop(): Promise<void>;
}

/** Puts an emulator together; with changes to look for, where they are kept. */
function assemble(options: EmulatorOptions, changes?: ChangeSet) {
  const accounts = options.accounts ?? DEFAULT_ACCOUNTS;
  const clock = createClock(options.speed ?? DEFAULT_SPEED, options.realNow ?? Date.now, () =>
    changes?.moved(),
  );
  const store = createStore(clock, options.randomBytes, changes);
  const directory = directoryOf(accounts);

  function emulatorOf(keeper?: Keeper): Emulator {
    const emulation: Emulation = {
      store,
      directory,
      requests: new RequestLog(),
      faults: new Faults(),
      latencyMs: options.latencyMs ?? 0,
      ...(options.publicOrigin !== undefined && { publicOrigin: originOf(options.publicOrigin) }),
      ...(keeper && { kept: () => keeper.kept() }),
    };
    return {
      token: accounts.users[0]?.tokens[0]?.token ?? "",
      clock,
      reset: (only) => {
        reset(emulation, only);
      },
      listener: getRequestListener(createApp(emulation).fetch, { overrideGlobalObjects: false }),
    };
  }

  return { store, clock, emulatorOf };
}

/** Makes an emulator without listening, for a server of one's own. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  return assemble(options).emulatorOf();
}

/** Makes an emulator of what is in a file, and keeps its changes there. */
async function createKeptEmulator(options: EmulatorOptions, data: string) {
  const changes = new ChangeSet();
  const { store, clock, emulatorOf } = assemble(options, changes);
  const { file, entries } = DataFile.open(data);
  const keeper = await Keeper.start({ file, entries, changes, store, clock, speed: options.speed });
  return { emulator: emulatorOf(keeper), close: () => keeper.close() };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address) resolve(address);
      else reject(new Error("The server has no address."));
    });
  });
}

/** Starts an emulator. It rejects where the port is taken, or the data cannot be used. */
export async function startEmulator(options: ListenOptions = {}): Promise<RunningEmulator> {
  const { emulator, close } =
    options.data === undefined
      ? { emulator: createEmulator(options), close: () => Promise.resolve() }
      : await createKeptEmulator(options, options.data);
  const { listener, ...rest } = emulator;
  const host = options.host ?? "127.0.0.1";
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  // Longer than clients keep an idle connection, so that none sends into one that is just being closed.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const { port } = await listen(server, options.port ?? 0, host).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const origin = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    ...rest,
    url: `${origin}/v4`,
    origin,
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
      await close();
    },
  };
}
