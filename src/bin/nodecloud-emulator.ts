#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { ZodError } from "zod";
import { type Accounts, MAX_SPEED, accountsFile, type Rate, startEmulator } from "../emulator";
import { MAX_RATE } from "../emulator/control/rate";
import { originOf } from "../emulator/http/local";
import { MAX_DELAY_SECONDS } from "../emulator/zones/rendered";
import { HELP, OPTIONS } from "./emulator-help";

/** An invalid command line. It ends the program with exit code 2, any other failure with 1. */
class UsageError extends Error {}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(messageIn(error));
  }
}

/** The forms of the numbers of options. */
const FORMS = { "an integer": /^\d+(\.0+)?$/, "a number": /^\d+(\.\d+)?$/ };

function numberFrom(flag: string, text: string, max: number, what: keyof typeof FORMS): number {
  if (FORMS[what].test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(`${flag} must be ${what} from 0 to ${max}, not "${text}"`);
}

function rateFrom(text: string): Rate {
  const [, requests, seconds = "1"] = /^(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
  const rate = { requests: Number(requests), seconds: Number(seconds) };
  const isValid = rate.requests >= 1 && rate.requests <= MAX_RATE.requests && rate.seconds >= 1;
  if (isValid && rate.seconds <= MAX_RATE.seconds) return rate;
  throw new UsageError(
    `--rate must be N or N/SECONDS, such as 5 or 600/60, with N from 1 to ${MAX_RATE.requests} and SECONDS from 1 to ${MAX_RATE.seconds}, not "${text}"`,
  );
}

function originFrom(flag: string, text: string): string {
  try {
    return originOf(text);
  } catch (error) {
    throw new UsageError(`${flag} ${messageIn(error)}`, { cause: error });
  }
}

/** The reason for invalid accounts. The message of a SyntaxError quotes the file with its tokens, so it is not used. */
function accountsProblem(error: unknown): string {
  if (error instanceof SyntaxError) return "it is not valid JSON";
  if (!(error instanceof ZodError)) return messageIn(error);
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}

function readAccounts(file: string): Accounts {
  try {
    return accountsFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new Error(`cannot use the accounts in ${file}: ${accountsProblem(error)}`, { cause: error });
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}

const messageIn = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An error that names the option of a port in use, or the error itself. */
function namingPort(error: unknown, port: string, dns: string | undefined): unknown {
  const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  if (!isTaken) return error;
  const isDns = "port" in error && error.port === Number(dns) && dns !== port;
  const [taken, flag] = isDns ? [dns, "--dns"] : [port, "--port"];
  return new Error(`port ${taken} is in use: choose another with ${flag}, or a free one with ${flag} 0`, {
    cause: error,
  });
}

function warn(message: string): void {
  process.stderr.write(`nodecloud-emulator: ${message}\n`);
}

/** Limits the growth of the space for short-lived objects. By default it becomes larger than a full account. */
function keepMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

async function main(): Promise<void> {
  const {
    port,
    host,
    speed,
    accounts,
    data,
    latency,
    help,
    version: wantsVersion,
    rate,
    origin,
    machines,
    dns,
    "zone-delay": zoneDelay,
  } = readArguments();
  if (help) return void process.stdout.write(HELP);
  if (wantsVersion) return void process.stdout.write(`${version()}\n`);
  const options = {
    port: numberFrom("--port", port, 65_535, "an integer"),
    host,
    latencyMs: numberFrom("--latency", latency, 600_000, "a number"),
    zoneDelaySeconds: numberFrom("--zone-delay", zoneDelay, MAX_DELAY_SECONDS, "a number"),
    ...(machines === true && { machines, warn }),
    ...(dns !== undefined && { dns: numberFrom("--dns", dns, 65_535, "an integer") }),
    ...(speed !== undefined && { speed: numberFrom("--speed", speed, MAX_SPEED, "a number") }),
    ...(data !== undefined && { data }),
    ...(rate !== undefined && { rate: rateFrom(rate) }),
    ...(origin !== undefined && { publicOrigin: originFrom("--origin", origin) }),
    ...(accounts !== undefined && { accounts: readAccounts(accounts) }),
  };
  keepMemorySmall();
  const emulator = await startEmulator(options).catch((error: unknown) => {
    throw namingPort(error, port, dns);
  });
  const dnsLine = emulator.dns === undefined ? "" : `DNS on ${emulator.dns}\n`;
  process.stdout.write(`nodecloud-emulator listening on ${emulator.url}\n${dnsLine}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void emulator.stop());
  }
}

main().catch((error: unknown) => {
  warn(messageIn(error).split("\n")[0] ?? "");
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
