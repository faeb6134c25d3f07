import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder in which the command line keeps its own things. It takes an empty setting for none. */
export const homeIn = ({ PULUMI_HOME: home }: Environment): string =>
  home === undefined || home === "" ? join(homedir(), ".pulumi") : home;

/** A folder of this package's in there. */
export const folderIn = (environment: Environment, name: string): string =>
  join(homeIn(environment), "nodecloud", name);
