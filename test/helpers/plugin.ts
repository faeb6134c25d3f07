import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { hermeticEnvironment } from "../../scripts/environment.cjs";
import { type ProgramFolder, programFolder, ROOT } from "./programs";

export type Properties = Record<string, unknown>;

export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

export interface Diff {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

export interface ReadResult {
  readonly id: string;
  readonly props: Properties;
  /** Undefined if the provider returned none. The engine then keeps the old ones. */
  readonly inputs: Properties | undefined;
}

/** One call to the engine's log. */
export interface LogEntry {
  readonly urn: string;
  readonly message: string;
  readonly severity: "debug" | "info" | "warning" | "error";
  /** Whether it shows only in the resource's row, and leaves no diagnostic. */
  readonly ephemeral: boolean;
}

/** The error that the plugin answered instead of a result. */
export class PluginError extends Error {
  constructor(
    message: string,
    /** The state that the engine keeps of a resource whose creation or update failed midway. */
    readonly partial?: {
      readonly id: string;
      readonly properties: Properties;
      readonly reasons: readonly string[];
    },
  ) {
    super(message);
    this.name = "PluginError";
  }
}

/** The calls of the engine to the dynamic-provider plugin. */
export interface Plugin {
  /** Everything that it logged. */
  readonly logs: LogEntry[];
  /** Everything that it printed to stderr. */
  readonly printed: () => string;
  check(news: Properties, olds?: Properties): Promise<Checked>;
  diff(id: string, outputs: Properties, news: Properties): Promise<Diff>;
  create(inputs: Properties): Promise<{ id: string; outputs: Properties }>;
  read(id: string, outputs: Properties): Promise<ReadResult>;
  update(id: string, outputs: Properties, news: Properties): Promise<Properties>;
  delete(id: string, outputs: Properties): Promise<void>;
  stop(): Promise<void>;
}

/** A plugin in a process of its own. */
export interface PluginProcess extends Plugin {
  /** Kills it together with its engine, as `kill -9` of a command does. Its folder stays. */
  kill(): Promise<void>;
}

const LAUNCHED = join(ROOT, "node_modules/@pulumi/pulumi/cmd/dynamic-provider");

/** Starts the real plugin process in its own program folder, with this configuration and none of the user's. */
export async function startPlugin(
  configuration: Readonly<Record<string, string>>,
  {
    folder = programFolder(),
    environment = {},
  }: { folder?: ProgramFolder; environment?: NodeJS.ProcessEnv } = {},
): Promise<PluginProcess> {
  const engine = await startEngine();
  const home = join(folder.path, ".home");
  const child = spawn(process.execPath, [LAUNCHED, engine.address], {
    cwd: folder.path,
    env: {
      ...hermeticEnvironment(home),
      PULUMI_HOME: home,
      PULUMI_NODEJS_PROJECT: "test",
      PULUMI_NODEJS_STACK: "test",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const port = await firstLine(child, () => printed);
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());

  const end = async (signal: NodeJS.Signals) => {
    client.close();
    const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill(signal);
    await ended;
    engine.stop();
  };

  const configure = new provider.ConfigureRequest();
  configure.setArgs(toStruct(configuration));
  await ask((done) => client.configure(configure, done));

  return {
    logs: engine.logs,
    printed: () => printed,
    async check(news, olds = {}) {
      const request = new provider.CheckRequest();
      request.setNews(toStruct(news));
      request.setOlds(toStruct(olds));
      const reply = await ask<provider.CheckResponse>((done) => client.check(request, done));
      const failures = reply.getFailuresList();
      return {
        inputs: fromStruct(reply.getInputs()),
        failures: failures.map((failure) => ({
          property: failure.getProperty(),
          reason: failure.getReason(),
        })),
      };
    },
    async diff(id, outputs, news) {
      const request = new provider.DiffRequest();
      request.setId(id);
      request.setOlds(toStruct(outputs));
      request.setNews(toStruct(news));
      const reply = await ask<provider.DiffResponse>((done) => client.diff(request, done));
      return {
        changes: reply.getChanges() === provider.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: reply.getReplacesList(),
        deleteBeforeReplace: reply.getDeletebeforereplace(),
      };
    },
    async create(inputs) {
      const request = new provider.CreateRequest();
      request.setProperties(toStruct(inputs));
      const reply = await ask<provider.CreateResponse>((done) => client.create(request, done));
      return { id: reply.getId(), outputs: fromStruct(reply.getProperties()) };
    },
    async read(id, outputs) {
      const request = new provider.ReadRequest();
      request.setId(id);
      request.setProperties(toStruct(outputs));
      const reply = await ask<provider.ReadResponse>((done) => client.read(request, done));
      return {
        id: reply.getId(),
        props: fromStruct(reply.getProperties()),
        inputs: reply.hasInputs() ? fromStruct(reply.getInputs()) : undefined,
      };
    },
    async update(id, outputs, news) {
      const request = new provider.UpdateRequest();
      request.setId(id);
      request.setOlds(toStruct(outputs));
      request.setNews(toStruct(news));
      const reply = await ask<provider.UpdateResponse>((done) => client.update(request, done));
      return fromStruct(reply.getProperties());
    },
    async delete(id, outputs) {
      const request = new provider.DeleteRequest();
      request.setId(id);
      request.setProperties(toStruct(outputs));
      await ask((done) => client.delete(request, done));
    },
    async stop() {
      await end("SIGTERM");
      folder.remove();
    },
    kill: () => end("SIGKILL"),
  };
}

/** The first line that the plugin prints is its port. */
async function firstLine(child: ChildProcess, printed: () => string): Promise<string> {
  if (child.stdout === null) throw new Error("The plugin has no output.");
  const lines = createInterface(child.stdout);
  return new Promise((resolve, reject) => {
    lines.once("line", resolve);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`The plugin ended at once:\n${printed()}`)));
  });
}

/** Stands in for the parts of the engine that plugins call. */
async function startEngine() {
  const logs: LogEntry[] = [];
  const severities = ["debug", "info", "warning", "error"] as const;
  const server = new grpc.Server();
  server.addService(EngineService, {
    log(call: grpc.ServerUnaryCall<LogRequest, Empty>, done: grpc.sendUnaryData<Empty>) {
      const { request } = call;
      logs.push({
        urn: request.getUrn(),
        message: request.getMessage(),
        severity: severities[request.getSeverity()] ?? "error",
        ephemeral: request.getEphemeral(),
      });
      done(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { logs, address: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

function ask<Reply>(
  send: (done: (error: grpc.ServiceError | null, reply: Reply) => void) => unknown,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    send((error, reply) => (error === null ? resolve(reply) : reject(pluginError(error))));
  });
}

/** The metadata of the answer contains the state that the engine keeps of a resource. */
function pluginError(error: grpc.ServiceError): PluginError {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  const detail =
    packed instanceof Uint8Array ? Status.deserializeBinary(packed).getDetailsList()[0] : undefined;
  const kept = detail?.unpack(
    (bytes) => provider.ErrorResourceInitFailed.deserializeBinary(bytes),
    "pulumirpc.ErrorResourceInitFailed",
  );
  return new PluginError(
    error.details,
    kept == null
      ? undefined
      : { id: kept.getId(), properties: fromStruct(kept.getProperties()), reasons: kept.getReasonsList() },
  );
}

// The values are JSON. The library only has a narrower type for it.
const toStruct = (value: object) => Struct.fromJavaScript(value as Record<string, JavaScriptValue>);
const fromStruct = (struct: Struct | undefined): Properties => struct?.toJavaScript() ?? {};
