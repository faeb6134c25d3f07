import { type RetryEvent } from "../api/retry";
import { systemClock } from "./clock";
import { LOG_VARIABLE, requestLog } from "./request-log";
import { Rows } from "./rows";
import * as sdk from "./sdk";

const show = (text: string) => sdk.info(text, undefined, undefined, true);

/** What a program itself waits for shows in the stack's row: data functions have none of their own. */
export const rows = new Rows({ progress: (_, text) => show(text), clear: () => show("") }, systemClock);

/** What the clients of a program tell. */
export const programHooks = () => ({
  onRetry: (event: RetryEvent) => rows.waits(event),
  onRequest: requestLog(process.env[LOG_VARIABLE], {
    role: "program",
    engine: process.env["PULUMI_NODEJS_ENGINE"],
    warn: (line) => void sdk.warn(line),
    debug: (line) => void sdk.debug(line),
  }),
});
