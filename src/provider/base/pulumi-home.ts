import { homedir } from "node:os";
import { join } from "node:path";

/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the command line's own files. It treats an empty setting as no setting. */
export const homeIn = ({ PULUMI_HOME: home }: Environment): string =>
  home === undefined || home === "" ? join(homedir(), ".pulumi") : home;

/** A folder of this package in the folder of the command line. */
export const folderIn = (environment: Environment, name: string): string =>
  join(homeIn(environment), "nodecloud", name);
