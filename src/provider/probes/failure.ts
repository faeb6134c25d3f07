import { isObject } from "../base/values";
import { type ProbeAnswer, PROBE_MS } from "./probe";

const NAMES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection closed",
  EPIPE: "connection closed",
  ENOTFOUND: "its name is not found",
  EAI_AGAIN: "its name is not resolved",
  EHOSTUNREACH: "no route to it",
  ENETUNREACH: "no route to it",
  EADDRNOTAVAIL: "no route to it",
  ETIMEDOUT: `no answer within ${PROBE_MS / 1_000} s`,
  ABORT_ERR: `no answer within ${PROBE_MS / 1_000} s`,
  HPE_INVALID_CONSTANT: "the answer is not HTTP",
};

/** Failures of something that has answered. */
const HEARD = new Set(["ECONNRESET", "EPIPE", "HPE_INVALID_CONSTANT"]);

/** The answer of a probe that failed. It quotes no text of the other side. */
export function failed(error: unknown): ProbeAnswer {
  const code = isObject(error) && typeof error["code"] === "string" ? error["code"] : "";
  const isTls = code !== "" && NAMES[code] === undefined && /CERT|TLS|SSL|SIGNATURE/.test(code);
  return {
    isReady: false,
    isHeard: isTls || HEARD.has(code) || code.startsWith("HPE_"),
    said: NAMES[code] ?? (isTls ? `TLS: ${code}` : code === "" ? "no answer" : code),
  };
}
