import { once } from "node:events";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { type AddressInfo, isIPv6 } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Accounts, DEFAULT_ACCOUNTS, directoryOf } from "./operations/accounts";
import { createApp } from "./app";
import { type RandomBytes } from "./store/chance";
import { ChangeSet } from "./data/journal";
import { type Clock, DEFAULT_SPEED, createClock } from "./store/clock";
import { DataFile } from "./data/data-file";
import { type Emulation, reset } from "./emulation/emulation";
import { Faults } from "./control/faults";
import { createStore } from "./emulation/store";
import { Keeper } from "./data/keeper";
import { Machines } from "./machines/machines";
import { originOf } from "./http/local";
import { checkRate, type Rate, RateLimit } from "./control/rate";
import { RequestLog } from "./control/requests";
import { SPEED_HEADER } from "../api/request-event";
import { startDnsServer } from "./zones/dns-server";
import { type RenderedZones, checkDelay, zonesOf } from "./zones/rendered";

export { type Accounts, accountsFile } from "./operations/accounts";
export { type Rate } from "./control/rate";
export { type Clock, DEFAULT_SPEED, MAX_SPEED } from "./store/clock";

export interface EmulatorOptions {
  /** How many times faster than real time the emulated clock runs. At 0 the clock stops, and only `advance` moves it. @default 600 */
  readonly speed?: number;
  /** Users, grants and tokens. @default one unrestricted user with the token `emulator-token` */
  readonly accounts?: Accounts;
  /** The delay of each API request in real milliseconds. @default 0 */
  readonly latencyMs?: number;
  /** How many API requests it accepts, such as `{ requests: 5 }` in a second. It answers more with 429 and `Retry-After`. @default no limit */
  readonly rate?: Rate;
  /**
   * The origin that clients use, such as `https://cloud.example.com`, for an emulator behind a proxy. `upload_to` uses this
   * origin, and the page and the control API also answer under this name.
   * @default the local address of the connection
   */
  readonly publicOrigin?: string;
  /** The emulated seconds from a change of a domain or a record until the rendered zone has it. @default 0 */
  readonly zoneDelaySeconds?: number;
  /** The real time in milliseconds. @default Date.now */
  readonly realNow?: () => number;
  /** The source of passwords and of names that nobody can guess. @default node's crypto */
  readonly randomBytes?: RandomBytes;
}

export interface ListenOptions extends EmulatorOptions {
  /** The port to listen on. 0 selects a free port. @default 0 */
  readonly port?: number;
  /** The address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** A file for all objects, ids and the clock. It contains every answered change, even if the process is killed. @default none */
  readonly data?: string;
  /** Whether nodes and databases get addresses in 127.0.0.0/8 and listen there while they run. @default false */
  readonly machines?: boolean;
  /** The port on 127.0.0.1 where it answers DNS questions about the rendered zones, by UDP and TCP. 0 selects a free port. @default none */
  readonly dns?: number;
  /** Receives a message about a port where a machine cannot listen, once for each reason. @default process.emitWarning */
  readonly warn?: (message: string) => void;
}

const KEEP_ALIVE_MS = 65_000;

/** An emulator without a server. */
export interface Emulator {
  /** The first token of the accounts. */
  readonly token: string;
  readonly clock: Clock;
  /** Resets everything to the state at the start, or only the log of requests, or only the planned failures. */
  reset(only?: "requests" | "faults"): void;
  /** Answers requests of a node:http server. */
  readonly listener: (
    incoming: IncomingMessage | Http2ServerRequest,
    outgoing: ServerResponse | Http2ServerResponse,
  ) => Promise<void>;
}

/** An emulator with a server. */
export interface RunningEmulator extends Omit<Emulator, "listener"> {
  /** The API's base URL, which ends in `/v4`. */
  readonly url: string;
  /** The origin of the server, for the routes under `/_emulator`. */
  readonly origin: string;
  /** Where it answers DNS questions, such as `127.0.0.1:5353`. Undefined without the option `dns`. */
  readonly dns?: string | undefined;
  /** Closes all connections, all ports and the data file. */
  stop(): Promise<void>;
}

/** An emulator, and what of it listens beside the API. */
interface Assembled {
  readonly emulator: Emulator;
  readonly zones: RenderedZones;
  readonly machines: Machines | undefined;
}

/** Creates the parts of an emulator. `changes` collects the changes for a data file. */
function assemble(options: ListenOptions, changes?: ChangeSet) {
  if (options.rate !== undefined) checkRate(options.rate);
  const { zoneDelaySeconds = 0 } = options;
  checkDelay(zoneDelaySeconds);
  const { realNow = Date.now, warn = (message: string) => void process.emitWarning(message) } = options;
  const accounts = options.accounts ?? DEFAULT_ACCOUNTS;
  const clock = createClock(options.speed ?? DEFAULT_SPEED, realNow, () => {
    changes?.moved();
    void machines?.settle();
  });
  const store = createStore(clock, options);
  if (changes) store.watch(changes);
  const machines = options.machines === true ? new Machines(store, warn) : undefined;
  const zones = zonesOf(store);

  function emulatorOf(keeper?: Keeper): Assembled {
    zones.start(zoneDelaySeconds);
    const emulation: Emulation = {
      store,
      directory: directoryOf(accounts),
      requests: new RequestLog(),
      faults: new Faults(),
      latencyMs: options.latencyMs ?? 0,
      ...(options.rate && { rate: new RateLimit(options.rate, realNow) }),
      ...(options.publicOrigin !== undefined && { publicOrigin: originOf(options.publicOrigin) }),
      ...(keeper && { kept: () => keeper.kept() }),
      machines,
    };
    const listener = getRequestListener(createApp(emulation).fetch, { overrideGlobalObjects: false });
    const emulator: Emulator = {
      token: accounts.users[0]?.tokens[0]?.token ?? "",
      clock,
      reset: (only) => {
        reset(emulation, only);
      },
      listener: (incoming, outgoing) => {
        // Only a clock of the same speed compares with the client's. A proxy would add a date if there was none.
        if (clock.speed === 1) outgoing.setHeader("date", new Date(clock.now()).toUTCString());
        else outgoing.setHeader(SPEED_HEADER, clock.speed);
        return listener(incoming, outgoing);
      },
    };
    return { emulator, zones, machines };
  }

  return { store, clock, emulatorOf };
}

/** Creates an emulator without a server. Its `listener` serves requests of your own server. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  return assemble({ ...options, machines: false }).emulatorOf().emulator;
}

/** Creates an emulator with the objects of a data file, and writes its changes there. */
async function createKeptEmulator(options: ListenOptions, data: string) {
  const changes = new ChangeSet();
  const { store, clock, emulatorOf } = assemble(options, changes);
  const { file, entries } = DataFile.open(data);
  const keeper = await Keeper.start({ file, entries, changes, store, clock, speed: options.speed });
  return { ...emulatorOf(keeper), close: () => keeper.close() };
}

/** Listens on a port, and returns its number. */
async function listen(server: Server, port: number, host: string): Promise<number> {
  await once(server.listen(port, host), "listening");
  return (server.address() as AddressInfo).port;
}

/** Closes a server with all its connections. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

/** Starts an emulator. It rejects if a port is in use, or the data file cannot be used. */
export async function startEmulator(options: ListenOptions = {}): Promise<RunningEmulator> {
  const { emulator, zones, machines, close } =
    options.data === undefined
      ? { ...assemble(options).emulatorOf(), close: () => Promise.resolve() }
      : await createKeptEmulator(options, options.data);
  const { listener, ...rest } = emulator;
  const host = options.host ?? "127.0.0.1";
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  // Longer than clients keep idle connections, so that no client sends a request while the server closes its connection.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const opened: (() => Promise<void>)[] = [close];
  const stop = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    const dns = options.dns === undefined ? undefined : await startDnsServer(zones, options.dns);
    if (dns) opened.push(() => dns.close());
    const port = await listen(server, options.port ?? 0, host);
    opened.push(() => closeServer(server));
    if (machines) opened.push(() => machines.stop());
    await machines?.start();
    const origin = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
    return { ...rest, url: `${origin}/v4`, origin, ...(dns && { dns: dns.address }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
