import type * as pulumi from "@pulumi/pulumi";
import { lazily } from "./api/lazily";
import { descriptions } from "./resources";
import { Shutdown } from "./provider/run/shutdown";
import { engineLog } from "./provider/engine/log";
import { watchEngine } from "./provider/engine/watch-engine";
import { printOnlyUnreported } from "./provider/base/errors";
import { withWishedLog } from "./provider/engine/request-log";
import { Session } from "./provider/run/session";
import { dynamicOf } from "./serve/lifecycles";

const given = process.argv.slice(2);
const engine = given.at(-1);
const ending = new Shutdown(() => process.exit());
if (engine !== undefined) watchEngine(engine, () => ending.begin());

const types = Object.keys(descriptions) as (keyof typeof descriptions)[];

/** One for the process: the resources of a plugin share an account, its client and their waits. The engine's address is the last argument. */
const session = new Session({
  log: engineLog(engine),
  ending,
  environment: withWishedLog(given, process.env),
  types,
});

printOnlyUnreported(console);

/** The provider that the constant text in a resource's state loads, by the name of its class. Only the description of this class is loaded. */
export = lazily(types, (type): Omit<pulumi.dynamic.ResourceProvider, "configure"> =>
  dynamicOf(session, type),
);
