import { type CliCommand } from "./cli-command";

/** The commands in the order of the help. */
export const commands: readonly CliCommand[] = [];
