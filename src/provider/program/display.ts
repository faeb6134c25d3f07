import { warn } from "./messages";
import { type RetryEvent } from "../../api/retry";
import { systemClock } from "../base/clock";
import { LOG_VARIABLE, requestLog } from "../engine/request-log";
import { Rows } from "../engine/display-rows";
import * as sdk from "./sdk";
import { Words } from "../engine/secret-words";

/** Cleans everything that the package prints in a program. */
export const words = new Words();

const show = (text: string) => sdk.info(words.line(text), undefined, undefined, true);

/** The waits of the program itself show in the stack's row, because data functions have no rows. */
export const rows = new Rows({ progress: (_, text) => show(text), clear: () => show("") }, systemClock);

/** The hooks of the clients in a program. */
export const programHooks = () => ({
  secrets: words.secrets,
  onRetry: (event: RetryEvent) => rows.waits(event),
  onRequest: requestLog(process.env[LOG_VARIABLE], {
    role: "program",
    shown: (text) => words.line(text),
    engine: process.env["PULUMI_NODEJS_ENGINE"],
    warn: (line) => void warn(words.line(line), "LOG_UNWRITABLE"),
    debug: (line) => void sdk.debug(words.line(line)),
  }),
});
