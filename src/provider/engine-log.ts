import { createRequire } from "node:module";

/** What the provider says to the user beside results, in the row of a resource. */
export interface EngineLog {
  /** Shows in the resource's row while it is being worked on, and leaves nothing behind. */
  progress(urn: string, message: string): void;
  /** Stays in the diagnostics of the run. */
  warn(urn: string | undefined, message: string): void;
}

export const silentLog: EngineLog = { progress: () => undefined, warn: () => undefined };

/** The slice of the engine's own protocol that is used here. */
interface EngineClient {
  log(request: unknown, done: (error: unknown) => void): void;
}

/** Talks to the engine whose address the plugin was started with. */
export function engineLog(address: string | undefined): EngineLog {
  if (address === undefined) return silentLog;
  let cached:
    ((urn: string | undefined, message: string, severity: 1 | 2, ephemeral: boolean) => void) | undefined;
  const send: NonNullable<typeof cached> = (...message) => (cached ??= connect(address))(...message);
  return {
    progress: (urn, message) => send(urn, message, 1, true),
    warn: (urn, message) => send(urn, message, 2, false),
  };
}

function connect(address: string) {
  // The gRPC library is the SDK's dependency, not ours: look it up from there, wherever it is installed.
  const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
  const grpc = fromSdk("@grpc/grpc-js") as { credentials: { createInsecure(): unknown } };
  const { EngineClient } = fromSdk("@pulumi/pulumi/proto/engine_grpc_pb") as {
    EngineClient: new (address: string, credentials: unknown) => EngineClient;
  };
  const { LogRequest } = fromSdk("@pulumi/pulumi/proto/engine_pb") as {
    LogRequest: new () => {
      setSeverity(severity: number): void;
      setUrn(urn: string): void;
      setMessage(message: string): void;
      setEphemeral(ephemeral: boolean): void;
    };
  };
  const client = new EngineClient(address, grpc.credentials.createInsecure());
  return (urn: string | undefined, message: string, severity: 1 | 2, ephemeral: boolean) => {
    const request = new LogRequest();
    request.setSeverity(severity);
    if (urn !== undefined) request.setUrn(urn);
    request.setMessage(message);
    request.setEphemeral(ephemeral);
    // Progress is a courtesy: an engine that is going away must not fail the operation.
    client.log(request, () => undefined);
  };
}
