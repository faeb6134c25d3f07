import type * as api from "../../api/client";
import { type Clock, systemClock } from "../base/clock";
import { type Configuration } from "./config";

// Most previews send no request. The first request loads the client.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` is asynchronous, and a connection is not
const loadClient = () => require("../../api/client") as typeof api;

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

/** The client of an account. */
export const connect = (
  configuration: Configuration,
  hooks: Pick<api.ClientOptions, "stop" | "onRetry" | "onRequest" | "secrets" | Time>,
): api.Client => loadClient().createClient({ ...configuration, ...hooks });
