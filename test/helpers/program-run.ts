import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../src/provider/program/sdk";
import { type TestEmulator } from "./emulator";

/** Makes the package take mocks for the engine. Otherwise resources would be the program's values, and data functions would call the mock. */
export function takeMocksForTheEngine(): void {
  const { settings } = sdk.getStore() as { settings: { options: { monitorAddr: string } } };
  settings.options.monitorAddr = "127.0.0.1:1";
}

/** Stands in for the engine: resources have the values that the engine is handed, and data functions reach the API. */
export function standInForEngine(): void {
  void pulumi.runtime.setMocks(
    {
      newResource: ({ name, type, inputs, id }) => ({
        id: id === undefined || id === "" ? `${name}-id` : id,
        // The engine does not return a provider's settings.
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

/** The parts of outputs that their types do not show. */
interface Settling<Value> {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(): Promise<Value>;
  allResources(): Promise<unknown>;
}

/** The value of an output. Rejects if the output fails. */
export function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  const settling = output as unknown as Settling<Value>;
  // Each part of a failed output rejects. The first unhandled rejection would end the program.
  void Promise.allSettled([settling.isKnown, settling.isSecret, settling.allResources()]);
  return settling.promise();
}

/** Makes an emulator the stack's account. */
export function configure({ url, token }: Pick<TestEmulator, "url" | "token">): void {
  pulumi.runtime.setAllConfig({ "nodecloud:token": token, "nodecloud:baseUrl": url }, ["nodecloud:token"]);
}
