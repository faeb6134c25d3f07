import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService, type ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { inPlugin } from "./traffic";

type Methods = grpc.UntypedServiceImplementation;
type Done = (error: Partial<grpc.ServiceError> | null, answer?: unknown) => void;

/** A plugin in this process, as an engine reaches it. */
export interface Connection {
  readonly client: ResourceProviderClient;
  /** Fails the calls that run, and all later ones. */
  close(): void;
}

/** Connects to the methods of a plugin. Requests and answers pass as the bytes of the protocol, without a socket. */
export function connectionTo(plugin: object, methods: Methods): Connection {
  const running = new Set<Done>();
  let isOpen = true;
  const method =
    (name: string, spec: grpc.MethodDefinition<unknown, unknown>) => (request: unknown, done: Done) => {
      if (!isOpen) return done(unavailable());
      const handler = methods[name] as grpc.handleUnaryCall<unknown, unknown> | undefined;
      if (handler === undefined) return done({ ...failure(grpc.status.UNIMPLEMENTED, `no ${name}`) });
      running.add(done);
      const arrived = spec.requestDeserialize(spec.requestSerialize(request));
      const call = { request: arrived } as grpc.ServerUnaryCall<unknown, unknown>;
      inPlugin(plugin, () =>
        handler(call, (error, answer) => {
          if (!running.delete(done)) return;
          if (error != null) done(asReceived(error));
          else done(null, spec.responseDeserialize(spec.responseSerialize(answer)));
        }),
      );
    };
  const client = Object.fromEntries(
    Object.entries(ResourceProviderService).map(([name, spec]) => [
      name,
      method(name, spec as grpc.MethodDefinition<unknown, unknown>),
    ]),
  );
  return {
    client: client as unknown as ResourceProviderClient,
    close() {
      isOpen = false;
      for (const done of running) done(unavailable());
      running.clear();
    },
  };
}

const failure = (code: grpc.status, details: string) => ({ code, details, metadata: new grpc.Metadata() });

const unavailable = () => failure(grpc.status.UNAVAILABLE, "the plugin has ended");

/** An error of a method as it arrives: with a code, its text as details, and its metadata. */
const asReceived = ({
  code = grpc.status.UNKNOWN,
  details,
  message,
  metadata = new grpc.Metadata(),
}: Partial<grpc.ServiceError>) => ({ code, details: details ?? message ?? "", metadata });
