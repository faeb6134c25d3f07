import type * as pulumi from "@pulumi/pulumi";
import { lazily } from "./api/lazily";
import { descriptions } from "./resources";
import { Shutdown } from "./provider/process/shutdown";
import { engineLog } from "./provider/engine/log";
import { watchEngine } from "./provider/engine/watch-engine";
import { printOnlyUnreported } from "./provider/engine/errors";
import { LOG_VARIABLE } from "./provider/engine/request-log";
import { Session } from "./provider/process/session";
import { serve } from "./serve";

const given = process.argv.slice(2);
/** What `--logflow` hands on: who wants the engine's log of this process wants its requests. */
const isVerbose = given.some((argument) => /^-v=([3-9]|\d{2,})$/.test(argument));
const engine = given.at(-1);
const ending = new Shutdown(() => process.exit());
if (engine !== undefined) watchEngine(engine, () => ending.begin());

/** One for the process: the resources of a plugin share an account, its client and their waits. The engine's address is the last argument. */
const session = new Session({
  log: engineLog(engine),
  ending,
  environment: isVerbose ? { [LOG_VARIABLE]: "engine", ...process.env } : process.env,
});

printOnlyUnreported(console);

/** What the constant text in the state of each resource leads to, by the name of its class. It loads the description of that one. */
export = lazily(
  Object.keys(descriptions) as (keyof typeof descriptions)[],
  (type): Omit<pulumi.dynamic.ResourceProvider, "configure"> => ending.counting(serve(session, type)),
);
