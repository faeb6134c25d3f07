import type * as http from "./http-probe";
import { type ProbeAnswer, PROBE_MS, type Question } from "./probe";
import type * as tcp from "./tcp-probe";

/** Asks once. Never throws. */
export function ask(question: Question, stop: AbortSignal): Promise<ProbeAnswer> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PROBE_MS)]);
  /* eslint-disable @typescript-eslint/no-require-imports -- loaded by the first probe */
  return question.protocol === "http"
    ? (require("./http-probe") as typeof http).askHttp(question, signal)
    : (require("./tcp-probe") as typeof tcp).askTcp(question, signal);
  /* eslint-enable @typescript-eslint/no-require-imports */
}
