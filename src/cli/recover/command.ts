import { Option } from "commander";
import { type CliCommand } from "../cli-command";
import type * as run from "./run";

const EXAMPLES = `
Examples:
  nodecloud recover --dry-run                          show the lock and what is pending, and change nothing
  nodecloud recover --stack prod --yes                 after a killed job, before the next one
  nodecloud recover --stack prod --yes --lock-older-than 2h
                                                       for a job on a machine that no longer exists

Exit codes: 0 the stack needs nothing more, 2 something is left for a person, 1 an error.
It runs \`pulumi up\` of the program in this folder: docs/recover.md says what it does, and when it refuses.`;

/** `nodecloud recover` */
export const recover: CliCommand = {
  name: "recover",
  whenInterrupted:
    "interrupted; a command of Pulumi that has begun may still run: run this again when it has ended",
  declare: (command, context, exit) =>
    command
      .description(
        "continues after a killed run: removes its lock, runs `pulumi up`, and clears pending creations",
      )
      .option("--stack <name>", "the stack to recover (default: the selected one)")
      .option("--yes", "do it without a question")
      .addOption(new Option("--dry-run", "show what it would do, and change nothing").conflicts("yes"))
      .option(
        "--lock-older-than <duration>",
        "take a lock of this age for one of a run that is over, such as 2h; longer than any run takes",
      )
      .addHelpText("after", EXAMPLES)
      .action((options: run.Options) => exit(() => load().runRecover(context, options))),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
