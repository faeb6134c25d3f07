import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { type RequestEvent } from "../../api/request-event";
import { type Environment } from "../base/pulumi-home";

/** The variable that turns the log on: the path of a file, or `engine` for the engine's own log. */
export const LOG_VARIABLE = "NODECLOUD_LOG";
const ENGINE = "engine";

/** The environment of a plugin, with the log on if the engine's own log is (`--logflow -v=3`): who wants that log wants the requests too. */
export const withWishedLog = (given: readonly string[], environment: Environment): Environment =>
  given.some((argument) => /^-v=([3-9]|\d{2,})$/.test(argument))
    ? { [LOG_VARIABLE]: ENGINE, ...environment }
    : environment;

/** Where a process logs, and how its lines differ from those of other processes. */
export interface LogPlace {
  /** `plugin` or `program`. */
  readonly role: string;
  /** The address of the engine, which all processes of one run share. */
  readonly engine: string | undefined;
  /** Adds a warning to the diagnostics. */
  readonly warn: (line: string) => void;
  /** Adds to the engine's own log. */
  readonly debug: (line: string) => void;
  /** Removes secrets from a text. */
  readonly shown?: Shown;
}

type Shown = (text: string) => string;

/** The log of requests, as a hook of the client. Undefined if the log is off. */
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

/** Appends each line in one piece, so that many processes can share a file. If the file cannot be written, it warns once. */
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
