import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastingUrn } from "../../../src/provider/describe/urn";
import { type EngineLog, silentLog } from "../../../src/provider/engine/log";
import { type OtherStack } from "../../../src/provider/engine/other-stacks";
import { type StackState } from "../../../src/provider/engine/stack-state";
import { type Clock } from "../../../src/provider/base/clock";
import { Session } from "../../../src/provider/run/session";
import { Shutdown } from "../../../src/provider/run/shutdown";
import { resourceProvider } from "../../../src/serve/plugin/service";
import { FakeClock, settle } from "../../provider/fake-clock";
import { type ProgramFolder, programFolder, ROOT } from "../programs";
import { type LogEntry } from "./calls";
import { connectionTo } from "./connection";
import { dynamicMethods } from "./dynamic-service";
import { configure, resourceCalls } from "./engine-client";
import { type PluginProcess } from "./start";
import { cutOff, idle } from "./traffic";
import { servingOf, type Way } from "./way";

export interface InProcessOptions {
  readonly way: Way;
  readonly clock: FakeClock;
  readonly folder?: ProgramFolder;
  readonly environment?: Readonly<Record<string, string>>;
  /** The stack's configuration now, which the command line would tell. By default it is empty. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The state of the stack, which the command line would tell. By default it cannot be read. */
  readonly state?: StackState;
  /** The other stacks of the backend. By default there are none. */
  readonly others?: readonly OtherStack[];
  /** The stacks that cannot be read. By default all can. */
  readonly unread?: {
    readonly unread?: number;
    readonly failed?: readonly string[];
    readonly isUnknown?: true;
  };
}

const DAY_MS = 24 * 3_600_000;

/** A clock for plugins of this process. It moves on when all of them wait, and starts at six in the morning. */
export const pluginClock = (): FakeClock =>
  new FakeClock({ startsAt: Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 4, settled: idle });

let engines = 0;

/**
 * Serves resources within this process, with a clock that is given. All calls pass through the protocol's messages, and all requests over a
 * connection. A program's paths are relative to its folder, so one of these plugins runs at a time.
 */
export async function servePlugin(
  configuration: Readonly<Record<string, string>>,
  {
    way,
    clock,
    folder = programFolder(),
    environment = {},
    settings = {},
    state,
    others = [],
    unread = {},
  }: InProcessOptions,
): Promise<PluginProcess> {
  process.chdir(folder.path);
  const home = environment["PULUMI_HOME"] ?? join(folder.path, ".home");
  mkdirSync(home, { recursive: true });
  const engine = `127.0.0.1:${++engines}`;
  const { log, logs, hears } = keptLog(engine);
  const life = new AbortController();
  const session = new Session({
    log,
    clock: untilTheEnd(clock, life.signal),
    ending: new Shutdown(() => undefined),
    environment: { ...environment, PULUMI_HOME: home },
    engineShowsImports: way === "plugin",
    gather: settle,
    readSettings: () => Promise.resolve(new Map(Object.entries(settings))),
    readState: () => Promise.resolve(state),
    readOthers: (own, _, isTold) =>
      Promise.resolve({
        stacks: others,
        unread: 0,
        ...unread,
        hasOwn: !isTold && others.some(({ name }) => name === (own ?? "test/dev")),
      }),
  });
  const methods =
    way === "plugin"
      ? resourceProvider({ ports: session, attach: () => undefined, hears })
      : dynamicMethods(session);
  const { client, close } = connectionTo(session, methods);

  const end = () => {
    close();
    cutOff(session);
    life.abort();
    process.chdir(ROOT);
    endNotes(home);
    return Promise.resolve();
  };

  const acceptsSecrets = await configure(client, engine, servingOf(way).settings(configuration));
  return {
    way,
    client,
    logs,
    printed: () => "",
    ...resourceCalls(client, acceptsSecrets),
    async stop() {
      await end();
      folder.remove();
    },
    kill: end,
  };
}

/** A clock on which an ended process sleeps for ever. */
const untilTheEnd = (clock: Clock, end: AbortSignal): Clock => ({
  now: () => clock.now(),
  random: () => clock.random(),
  sleep: async (ms, signal) => {
    await clock.sleep(ms, AbortSignal.any(signal === undefined ? [end] : [signal, end]));
    if (end.aborted) await new Promise(() => undefined);
  },
});

/** Keeps what a plugin logs, under the URNs of the engine. */
function keptLog(address: string) {
  const logs: LogEntry[] = [];
  const urns = new Map<string, string>();
  const say = (severity: LogEntry["severity"], ephemeral: boolean, message: string, urn = "") => {
    logs.push({ urn: urns.get(urn) ?? urn, message, severity, ephemeral });
    return Promise.resolve();
  };
  const log: EngineLog = {
    ...silentLog,
    address,
    progress: (urn, message) => say("info", true, message, urn),
    clear: (urn) => say("info", true, "", urn),
    warn: (urn, message) => void say("warning", false, message, urn),
    note: (urn, message) => void say("info", false, message, urn),
    debug: (message) => void say("debug", false, message),
  };
  return { log, logs, hears: (urn: string) => void urns.set(lastingUrn(urn), urn) };
}

/** A process number that no system assigns. */
const NOBODY = 2 ** 31 - 2;

/** Makes the notes of this process those of one that has ended. */
function endNotes(home: string): void {
  for (const file of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".json")) continue;
    const path = join(home, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(`"pid":${process.pid}`, `"pid":${NOBODY}`));
  }
}
