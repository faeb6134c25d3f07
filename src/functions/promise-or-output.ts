import { runError, warn } from "../provider/program/messages";
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../provider/program/sdk";
import { words } from "../provider/program/display";
import { type Properties, UNKNOWN } from "../provider/base/values";
import { accountOf, accountsOfThisRun, settingsForRead, whereaboutsOf } from "../provider/program/accounts";
import { noteOfCheck } from "../provider/program/checked";
import { type ProviderSettings } from "../provider/program/provider";
import { type FunctionDeclaration } from "./declarations";
import { lookAt, codeOfFailure, messageOf, readsOf, readTooEarly, secretsOf } from "./look";
import { RequestFailure } from "./messages";
import { mockedCall } from "./mocked";
import { changedBefore, settledBefore } from "../provider/program/changes-in-preview";
import { valueOf } from "../provider/program/known-value";

/** Calls a function and returns a promise. */
export async function get(
  declaration: FunctionDeclaration,
  args?: unknown,
  opts: pulumi.InvokeOptions = {},
): Promise<Properties> {
  const mocked = orFailed(declaration, () => {
    if (hasOutput(args)) throw new Error(`does not accept outputs; use ${declaration.name}Output`);
    return mockedCall(declaration, opts);
  });
  const result =
    mocked === undefined
      ? await promiseOfApi(declaration, args, opts)
      : ((await valueOf(await mocked(args))) ?? {});
  for (const name of secretsOf(declaration)) result[name] = sdk.secret(result[name]);
  return result;
}

async function promiseOfApi(
  declaration: FunctionDeclaration,
  args: unknown,
  opts: pulumi.InvokeOptions,
): Promise<Properties> {
  try {
    const accounts = accountsOfThisRun();
    const settings = await valueOf(settingsForRead(opts));
    if (settings === undefined) {
      throw new Error(
        `the provider's token or address is not known yet in this preview; use ${declaration.name}Output, which waits for it`,
      );
    }
    if (isUnreadable(settings)) return unknownResult(declaration);
    const account = accountOf(accounts, settings);
    const changed = await changedBefore(readsOf(declaration, args));
    if (changed.length > 0) void warn(words.line(readTooEarly(declaration, changed)), "READ_TOO_EARLY");
    return await lookAt(declaration, args, { account, after: [], secret: false });
  } catch (error) {
    throw failed(declaration, error);
  }
}

/** Calls a function and returns an output. */
export function getOutput(
  declaration: FunctionDeclaration,
  args?: unknown,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<unknown> {
  const asked = sdk.output(args);
  const mocked = mockedCall(declaration, opts);
  const result =
    mocked === undefined
      ? outputOfApi(declaration, asked, opts)
      : sdk.all([asked, settledBefore(asked, opts.dependsOn)]).apply(([known]) => mocked(known));
  return secretsOf(declaration).length > 0 ? sdk.secret(result) : result;
}

function outputOfApi(
  declaration: FunctionDeclaration,
  asked: pulumi.Output<unknown>,
  opts: pulumi.InvokeOutputOptions,
): pulumi.Output<unknown> {
  const accounts = accountsOfThisRun();
  const settings = orFailed(declaration, () => settingsForRead(opts));
  return sdk
    .all([asked, settings, settledBefore(asked, opts.dependsOn), sdk.isSecret(asked)])
    .apply(async ([known, account, after, secret]) => {
      if (secret) words.hide(known);
      if (isUnreadable(account)) return sdk.unknown;
      if ((await changedBefore(readsOf(declaration, known))).length > 0) return sdk.unknown;
      try {
        return await lookAt(declaration, known, { account: accountOf(accounts, account), after, secret });
      } catch (error) {
        throw failed(declaration, error);
      }
    });
}

/** Whether the account cannot be read because `nodecloud check` runs the program without a token. */
const isUnreadable = (settings: ProviderSettings): boolean =>
  noteOfCheck() !== undefined && whereaboutsOf(settings) === undefined;

/** A result whose fields are all unknown. A program goes through the items of a list, which cannot be unknown. */
function unknownResult(declaration: FunctionDeclaration): Properties {
  if (declaration.kind === "list")
    throw new Error(
      `reads the account, and there is no token: set NODECLOUD_TOKEN and NODECLOUD_BASE_URL, or use ${declaration.name}Output`,
    );
  // A promise would ask whether its value is another one.
  return new Proxy<Properties>({}, { get: (_, name) => (name === "then" ? undefined : UNKNOWN) });
}

function orFailed<Value>(declaration: FunctionDeclaration, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw failed(declaration, error);
  }
}

/** Creates an error that the engine shows on one line. */
const failed = (declaration: FunctionDeclaration, error: unknown): Error =>
  runError(words.line(messageOf(declaration, error)), codeOfFailure(error), {
    cause: error instanceof RequestFailure ? error.cause : error,
  });

/** Whether a value is or contains an output or a promise. */
function hasOutput(value: unknown): boolean {
  if (value instanceof Promise || sdk.Output.isInstance(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasOutput);
}
