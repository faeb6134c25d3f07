import { lastingUrn } from "../../provider/describe/urn";
import { type EngineLog, engineLog, silentLog } from "../../provider/engine/log";
import { withWishedLog } from "../../provider/engine/request-log";
import { watchEngine } from "../../provider/engine/watch-engine";
import { Session } from "../../provider/process/session";
import { Shutdown } from "../../provider/process/shutdown";
import { grpc, ResourceProviderService } from "./protocol";
import { resourceProvider } from "./service";

/** The version of the plugin. */
export { packageVersion } from "../../provider/process/package-version";

/** The engine's own limit of a message. */
const MAX_BYTES = 400 * 1024 * 1024;

interface Options {
  /** The arguments with which the engine starts a plugin. Without the engine's address, the plugin waits for an engine that attaches to it. */
  readonly given: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends the process. */
  readonly exit: () => void;
}

/** Serves the plugin on a free port of this machine. Returns the port. */
export async function startServer({ given, environment, exit }: Options): Promise<number> {
  const engine = given.filter((argument) => !argument.startsWith("-")).at(-1);
  const ending = new Shutdown(exit);
  const log = attachedLog();
  const attach = (address: string) => {
    if (address === "" || log.address === address) return;
    log.attach(address);
    watchEngine(address, () => ending.begin());
  };
  if (engine !== undefined) attach(engine);
  const session = new Session({
    log,
    ending,
    environment: withWishedLog(given, environment),
    engineShowsImports: true,
  });
  const service = resourceProvider({ session, attach, hears: (urn) => log.hears(urn) });
  const server = new grpc.Server({
    "grpc.max_receive_message_length": MAX_BYTES,
    "grpc.max_send_message_length": MAX_BYTES,
  });
  server.addService(ResourceProviderService, service);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

interface AttachedLog extends EngineLog {
  /** Sends all further messages to the engine at an address. */
  attach(address: string): void;
  /** Notes the URN that the engine uses for a resource. */
  hears(urn: string): void;
}

/** The log of the engine that drives the plugin. Notes know a resource by its lasting URN; the engine's rows know it by its own. */
function attachedLog(): AttachedLog {
  let log = silentLog;
  const urns = new Map<string, string>();
  const own = (urn: string | undefined) => (urn === undefined ? undefined : (urns.get(urn) ?? urn));
  return {
    attach: (address) => {
      log = engineLog(address);
    },
    hears: (urn) => {
      const lasting = lastingUrn(urn);
      if (lasting !== urn) urns.set(lasting, urn);
    },
    get address() {
      return log.address;
    },
    progress: (urn, message) => log.progress(own(urn), message),
    clear: (urn) => log.clear(own(urn)),
    warn: (urn, message) => log.warn(own(urn), message),
    note: (urn, message) => log.note(own(urn), message),
    debug: (message) => log.debug(message),
    delivered: () => log.delivered(),
    isHeard: () => log.isHeard(),
  };
}
