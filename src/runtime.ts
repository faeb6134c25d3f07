import { type Description } from "./provider/define";
import { printOnlyUnreported } from "./provider/errors";
import { engineLog } from "./provider/engine-log";
import { lifecycle } from "./provider/lifecycle";
import { Session } from "./provider/session";
import * as resources from "./resources";

/** One for the process: the resources of a plugin share an account, its client and their waits. */
const session = new Session({ log: engineLog(process.argv[2]) });

printOnlyUnreported(console);

/** What the constant text in the state of each resource leads to, by the name of its class. */
export = Object.fromEntries(
  Object.entries(resources).map(([name, { description }]: [string, { description: Description }]) => [
    name,
    lifecycle(session, description),
  ]),
);
