import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { type RequestEvent } from "../../api/request-event";

/** The setting that asks for the log: a file, or the engine's own log. */
export const LOG_VARIABLE = "NODECLOUD_LOG";
const ENGINE = "engine";

/** Where a process is heard, and by what its lines are told from those of others. */
export interface LogPlace {
  /** `plugin` or `program`. */
  readonly role: string;
  /** The address of the engine, which all processes of one run share. */
  readonly engine: string | undefined;
  /** Says something that stays in the diagnostics. */
  readonly warn: (line: string) => void;
  /** Adds to the engine's own log. */
  readonly debug: (line: string) => void;
  /** A text as it may be shown. */
  readonly shown?: Shown;
}

type Shown = (text: string) => string;

/** Takes what the client tells of each request, where somebody asks for a log of them. */
export function requestLog(
  wish: string | undefined,
  { role, engine, warn, debug, shown = (text) => text }: LogPlace,
): ((event: RequestEvent) => void) | undefined {
  const target = wish?.trim() ?? "";
  if (target === "") return undefined;
  if (target === ENGINE) return (event) => debug(`nodecloud ${lineOf(event, shown)}`);
  const write = appending(resolve(target), warn);
  const run = engine?.split(":").at(-1) || "none";
  const who = `run=${run} ${role}=${process.pid}`;
  return (event) => write(`${new Date().toISOString()} ${who} ${lineOf(event, shown)}\n`);
}

/** `GET /domains/12 200 35ms attempt=1 waited=0ms`. */
function lineOf({ method, path, status, code, ms, attempt, waitedMs }: RequestEvent, shown: Shown): string {
  return `${method} ${shown(path)} ${status ?? code ?? "?"} ${Math.round(ms)}ms attempt=${attempt} waited=${Math.round(waitedMs)}ms`;
}

/** Appends lines, each in one piece, so that many processes can share a file. A file that cannot be written is one warning. */
function appending(file: string, warn: (line: string) => void): (line: string) => void {
  let descriptor: number | undefined;
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      descriptor ??= openSync(file, "a", 0o600);
      writeSync(descriptor, line);
    } catch (error) {
      isBroken = true;
      if (descriptor !== undefined) closeSync(descriptor);
      warn(`${LOG_VARIABLE}: the requests are not logged: ${(error as Error).message}`);
    }
  };
}
