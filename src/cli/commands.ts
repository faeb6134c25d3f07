import { check } from "./check/command";
import { type CliCommand } from "./cli-command";
import { completion } from "./completion/command";
import { doctor } from "./doctor/command";
import { drift } from "./drift/command";
import { explain } from "./explain/command";
import { importAccount } from "./import/command";
import { recover } from "./recover/command";
import { report } from "./report/command";

/** The commands in the order of the help. */
export const commands: readonly CliCommand[] = [
  check,
  drift,
  importAccount,
  report,
  doctor,
  recover,
  explain,
  completion,
];
