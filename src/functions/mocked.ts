import type * as pulumi from "@pulumi/pulumi";
import { providerFor } from "../provider/program/accounts";
import { mocks } from "../provider/program/run-mode";
import * as sdk from "../provider/program/sdk";
import { type Properties } from "../provider/base/values";
import { type FunctionDeclaration } from "./declarations";

/** Asks the call mock of a unit test for the result of a function. */
export type MockedCall = (args: unknown) => Promise<pulumi.Output<Properties>>;

/**
 * The call mock, if a unit test runs the program. Undefined in a run of the engine. The SDK's own `invoke` also calls the mock, but loses the
 * message of an error that it throws.
 */
export function mockedCall(
  declaration: FunctionDeclaration,
  opts: pulumi.InvokeOptions,
): MockedCall | undefined {
  const mock = mocks();
  if (mock === undefined) return undefined;
  return async (args) => {
    const provider = providerFor(opts) as pulumi.ProviderResource | undefined;
    const answer: unknown = await mock.call({
      token: `nodecloud:index:${declaration.name}`,
      // A copy without undefined values, as the mock of any other function gets it.
      inputs: JSON.parse(JSON.stringify(args ?? {})) as unknown,
      provider: (await sdk.ProviderResource.register(provider)) ?? "",
    });
    return sdk.output(answer ?? {}) as pulumi.Output<Properties>;
  };
}
