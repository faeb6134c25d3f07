import type * as api from "../../api/client";
import { checkBaseUrl, checkToken } from "../../api/endpoint";
import { isNodeCloudError } from "../../api/errors";
import { type Clock, systemClock } from "./clock";
import { type Configuration } from "./config";
import { ProviderError } from "../engine/errors";

// Most previews send no request. The first request loads the client.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` is asynchronous, and a connection is not
const loadClient = () => require("../../api/client") as typeof api;

/** Throws an error that names the setting if the configuration cannot be used. It loads no client. */
export function checkConfiguration({ baseUrl, token }: Configuration): void {
  naming(() => {
    checkBaseUrl(baseUrl);
    checkToken(token);
  });
}

/** The warning about unchecked TLS certificates. */
export { uncheckedTls } from "../../api/endpoint";

type Time = "now" | "random" | "sleep";

/** The time of a client, if it is given. By the system's own, all clients of an origin share their limits. */
export const timeOf = (clock: Clock): Pick<api.ClientOptions, Time> =>
  clock === systemClock
    ? {}
    : {
        now: () => clock.now(),
        random: () => clock.random(),
        sleep: async (ms, signal = new AbortController().signal) => {
          await clock.sleep(ms, signal);
          signal.throwIfAborted();
        },
      };

/** The client of an account. Throws an error that names the setting if the configuration cannot be used. */
export const connect = (
  configuration: Configuration,
  hooks: Pick<api.ClientOptions, "stop" | "onRetry" | "onRequest" | "secrets" | Time>,
): api.Client => naming(() => loadClient().createClient({ ...configuration, ...hooks }));

function naming<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isNodeCloudError(error)) throw new ProviderError(`nodecloud:${error.message}`, { cause: error });
    throw error;
  }
}
