import type * as api from "../../api/client";
import { checkBaseUrl, checkToken } from "../../api/endpoint";
import { isNodeCloudError } from "../../api/errors";
import { type Configuration } from "./config";
import { ProviderError } from "../engine/errors";

// Most previews send no request: what it takes to send one is loaded by the first.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` is asynchronous, and a connection is not
const loadClient = () => require("../../api/client") as typeof api;

/** Throws, naming the setting, where the configuration cannot be used, without what it takes to use it. */
export function checkConfiguration({ baseUrl, token }: Configuration): void {
  naming(() => {
    checkBaseUrl(baseUrl);
    checkToken(token);
  });
}

/** What to warn of before a client is used. */
export { uncheckedTls } from "../../api/endpoint";

/** The client of an account. Throws, naming the setting, where the configuration cannot be used. */
export const connect = (
  configuration: Configuration,
  hooks: Pick<api.ClientOptions, "stop" | "onRetry" | "onRequest" | "secrets">,
): api.Client => naming(() => loadClient().createClient({ ...configuration, ...hooks }));

function naming<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isNodeCloudError(error)) throw new ProviderError(`nodecloud:${error.message}`, { cause: error });
    throw error;
  }
}
