import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { hermeticEnvironment } from "../../../scripts/environment.cjs";
import { type ProgramFolder, programFolder } from "../programs";
import { type LogEntry, type Plugin } from "./calls";
import { configure, resourceCalls } from "./engine-client";
import { servingOf, WAY, type Way } from "./way";

/** A plugin in a process of its own. */
export interface PluginProcess extends Plugin {
  readonly way: Way;
  /** The engine's connection to it, for the calls that are not about resources. */
  readonly client: ResourceProviderClient;
  /** Kills it together with its engine, as `kill -9` of a command does. Its folder stays. */
  kill(): Promise<void>;
}

interface Options {
  readonly folder?: ProgramFolder;
  readonly environment?: NodeJS.ProcessEnv;
  readonly way?: Way;
}

/** Starts the real plugin process in its own program folder, with this configuration and none of the user's. */
export async function startPlugin(
  configuration: Readonly<Record<string, string>>,
  { folder = programFolder(), environment = {}, way = WAY }: Options = {},
): Promise<PluginProcess> {
  const serving = servingOf(way);
  const engine = await startEngine();
  const home = join(folder.path, ".home");
  const child = spawn(process.execPath, [serving.launched, engine.address], {
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

  const acceptsSecrets = await configure(client, engine.address, serving.settings(configuration));
  return {
    way,
    client,
    logs: engine.logs,
    printed: () => printed,
    ...resourceCalls(client, acceptsSecrets),
    async stop() {
      await end("SIGTERM");
      folder.remove();
    },
    kill: () => end("SIGKILL"),
  };
}

/** The first line that the plugin prints is its port. */
export async function firstLine(child: ChildProcess, printed: () => string): Promise<string> {
  if (child.stdout === null) throw new Error("The plugin has no output.");
  const lines = createInterface(child.stdout);
  return new Promise((resolve, reject) => {
    lines.once("line", resolve);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`The plugin ended at once:\n${printed()}`)));
  });
}

/** Stands in for the parts of the engine that plugins call. */
export async function startEngine() {
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
