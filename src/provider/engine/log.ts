import { type Code, withCode } from "../base/codes";
import { fromSdk } from "../base/from-sdk";
import type * as grpcLibrary from "@grpc/grpc-js";
import type * as services from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/engine_pb";

/** Messages in the rows of the engine's display: in the row of a resource, or without a URN in the row of the stack. */
export interface RowLog {
  /** Shows a message in the row while the resource is worked on. Resolves when the engine has it. */
  progress(urn: string | undefined, message: string): Promise<unknown>;
  /** Removes the last message. Resolves when the engine has done so. */
  clear(urn: string | undefined): Promise<unknown>;
}

/** The provider's messages to the user. */
export interface EngineLog extends RowLog {
  /** Adds a warning to the diagnostics of the run, with its code at the end. */
  warn(urn: string | undefined, message: string, code: Code): void;
  /** Adds a note to the diagnostics of the run. */
  note(urn: string | undefined, message: string): void;
  /** Adds to the engine's own log, for `--logtostderr -v=3` and `--debug`. */
  debug(message: string): void;
  /** The address of the engine. All processes of one run have the same. */
  readonly address: string | undefined;
  /** Resolves when all warnings and notes have arrived or failed: the engine may end as soon as a call is answered. */
  delivered(): Promise<unknown>;
  /** Whether the engine still runs. A plugin outlives a killed engine. */
  engineIsAlive(): Promise<boolean>;
}

export const silentLog: EngineLog = {
  progress: () => Promise.resolve(),
  clear: () => Promise.resolve(),
  warn: () => undefined,
  note: () => undefined,
  debug: () => undefined,
  address: undefined,
  delivered: () => Promise.resolve(),
  engineIsAlive: () => Promise.resolve(true),
};

const SEVERITY = { debug: 0, info: 1, warning: 2 } as const;

interface Message {
  readonly severity: keyof typeof SEVERITY;
  readonly urn?: string | undefined;
  readonly text: string;
  readonly ephemeral: boolean;
}

/** Sends messages to the engine at the address that the plugin was started with. */
export function engineLog(address: string | undefined): EngineLog {
  if (address === undefined) return silentLog;
  let connected: ((message: Message) => Promise<boolean>) | undefined;
  const send = (message: Message) => (connected ??= connect(address))(message);
  const underWay = new Set<Promise<unknown>>();
  const say = (message: Message) => {
    const sent = send(message).finally(() => underWay.delete(sent));
    underWay.add(sent);
  };
  return {
    progress: (urn, text) => send({ severity: "info", urn, text, ephemeral: true }),
    clear: (urn) => send({ severity: "info", urn, text: "", ephemeral: true }),
    warn: (urn, text, code) =>
      say({ severity: "warning", urn, text: withCode(text, code), ephemeral: false }),
    note: (urn, text) => say({ severity: "info", urn, text, ephemeral: false }),
    debug: (text) => void send({ severity: "debug", text, ephemeral: false }),
    address,
    delivered: () => Promise.all(underWay),
    engineIsAlive: () => send({ severity: "debug", text: "", ephemeral: true }),
  };
}

/** Returns a function that sends a message and resolves to whether it arrived. A lost message must not fail the operation. */
function connect(address: string): (message: Message) => Promise<boolean> {
  const grpc = fromSdk("@grpc/grpc-js") as typeof grpcLibrary;
  const { EngineClient } = fromSdk("@pulumi/pulumi/proto/engine_grpc_pb") as typeof services;
  const { LogRequest } = fromSdk("@pulumi/pulumi/proto/engine_pb") as typeof messages;
  const client = new EngineClient(address, grpc.credentials.createInsecure());
  return ({ severity, urn, text, ephemeral }) => {
    const request = new LogRequest();
    request.setSeverity(SEVERITY[severity]);
    if (urn !== undefined) request.setUrn(urn);
    request.setMessage(text);
    request.setEphemeral(ephemeral);
    return new Promise((resolve) => client.log(request, (error) => resolve(error == null)));
  };
}
