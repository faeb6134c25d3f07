import type * as grpcLibrary from "@grpc/grpc-js";
import { lastingUrn } from "../../provider/describe/urn";
import { type EngineLog, engineLog, silentLog } from "../../provider/engine/log";
import { withWishedLog } from "../../provider/engine/request-log";
import { watchEngine } from "../../provider/engine/watch-engine";
import { Session } from "../../provider/run/session";
import { Shutdown } from "../../provider/run/shutdown";
import { descriptions } from "../../resources";
import { grpc, ResourceProviderService } from "./protocol";
import { resourceProvider } from "./service";

/** The version of the plugin. */
export { packageVersion } from "../../provider/base/package-version";

/** The engine's own limit of a message. */
const MAX_BYTES = 400 * 1024 * 1024;

interface Options {
  /** The arguments with which the engine starts a plugin. Without the engine's address, the plugin waits for an engine that attaches to it. */
  readonly given: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends the process. */
  readonly exit: () => void;
}

/** The plugin's methods for one engine. */
interface Run {
  /** The engine's address, or empty before an engine attaches. */
  readonly address: string;
  readonly methods: grpcLibrary.UntypedServiceImplementation;
}

/** Serves the plugin on a free port of this machine. Returns the port. */
export async function startServer({ given, environment, exit }: Options): Promise<number> {
  const engine = given.filter((argument) => !argument.startsWith("-")).at(-1);
  // A plugin that a developer started serves one engine after the other.
  const isShared = engine === undefined;
  const begin = (address: string): Run => {
    const ending = new Shutdown(isShared ? () => undefined : exit);
    if (address !== "") watchEngine(address, () => ending.begin(), { holds: !isShared });
    const { log, hears } = logOfEngine(address);
    const session = new Session({
      log,
      ending,
      environment: withWishedLog(given, environment),
      engineShowsImports: true,
      types: Object.keys(descriptions),
    });
    return { address, methods: resourceProvider({ ports: session, attach, hears }) };
  };
  const attach = (address: string) => {
    if (address !== "" && address !== run.address) run = begin(address);
  };
  let run = begin(engine ?? "");
  const server = new grpc.Server({
    "grpc.max_receive_message_length": MAX_BYTES,
    "grpc.max_send_message_length": MAX_BYTES,
  });
  server.addService(
    ResourceProviderService,
    ofCurrent(() => run),
  );
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

/** The methods of the run at the time of each call. */
function ofCurrent(run: () => Run): grpcLibrary.UntypedServiceImplementation {
  const handler =
    (name: string): grpcLibrary.handleUnaryCall<unknown, unknown> =>
    (call, done) => {
      (run().methods[name] as grpcLibrary.handleUnaryCall<unknown, unknown>)(call, done);
    };
  return Object.fromEntries(Object.keys(run().methods).map((name) => [name, handler(name)]));
}

/** The log of an engine. Notes know a resource by its lasting URN; the engine's rows know it by its own. `hears` notes the URN that the engine uses. */
function logOfEngine(address: string): { log: EngineLog; hears: (urn: string) => void } {
  const log = address === "" ? silentLog : engineLog(address);
  const urns = new Map<string, string>();
  const own = (urn: string | undefined) => (urn === undefined ? undefined : (urns.get(urn) ?? urn));
  const hears = (urn: string) => {
    const lasting = lastingUrn(urn);
    if (lasting !== urn) urns.set(lasting, urn);
  };
  return {
    hears,
    log: {
      ...log,
      progress: (urn, message) => log.progress(own(urn), message),
      clear: (urn) => log.clear(own(urn)),
      warn: (urn, message, code) => log.warn(own(urn), message, code),
      note: (urn, message) => log.note(own(urn), message),
    },
  };
}
