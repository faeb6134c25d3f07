import { type CliCommand } from "./cli-command";
import { doctor } from "./doctor/command";

/** The commands in the order of the help. */
export const commands: readonly CliCommand[] = [doctor];
