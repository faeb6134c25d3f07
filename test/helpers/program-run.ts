import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../src/provider/program/sdk";
import { type TestEmulator } from "./emulator";

/** Has mocks pass for the engine: under mocks resources would be what the program says, and data functions would ask the mock. */
export function takeMocksForTheEngine(): void {
  const { settings } = sdk.getStore() as { settings: { options: { monitorAddr: string } } };
  settings.options.monitorAddr = "127.0.0.1:1";
}

/** Stands in for the engine: resources are what it is handed, and data functions reach the API, as they do under the engine. */
export function standInForEngine(): void {
  void pulumi.runtime.setMocks(
    {
      newResource: ({ name, type, inputs, id }) => ({
        id: id === undefined || id === "" ? `${name}-id` : id,
        // A provider's settings are not to be had from the engine.
        state: type.startsWith("pulumi:providers:") ? {} : (inputs as object),
      }),
      call: () => {
        throw new Error("There is no engine to call a function of.");
      },
    },
    "project",
    "stack",
    false,
  );
  takeMocksForTheEngine();
}

/** Runs `work` as one run of a program, in this process. */
export async function inProgram<Result>(work: () => Promise<Result> | Result): Promise<Result> {
  const results: Result[] = [];
  await pulumi.runtime.runInPulumiStack(async () => {
    results.push(await work());
    return {};
  });
  return results[0] as Result;
}

/** What outputs have besides what their types show. */
interface Settling<Value> {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(): Promise<Value>;
  allResources(): Promise<unknown>;
}

/** What a program finds in an output; rejects where the output fails. */
export function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  const settling = output as unknown as Settling<Value>;
  // Each part of an output that fails is a rejection of its own; the engine takes the first for the program's end.
  void Promise.allSettled([settling.isKnown, settling.isSecret, settling.allResources()]);
  return settling.promise();
}

/** Makes an emulator the stack's account. */
export function configure({ url, token }: Pick<TestEmulator, "url" | "token">): void {
  pulumi.runtime.setAllConfig({ "nodecloud:token": token, "nodecloud:baseUrl": url }, ["nodecloud:token"]);
}
