import { Option } from "commander";
import { type CliCommand, helpEnd } from "../cli-command";
import type * as run from "./run";

const END = helpEnd({
  examples: [
    ["nodecloud recover --dry-run", "Show the lock and what is pending, and change nothing"],
    ["nodecloud recover --all --dry-run", "Show the locks and what is pending in all stacks"],
    ["nodecloud recover --stack prod --yes", "Recover after a killed job, before the next one"],
    [
      "nodecloud recover --stack prod --yes --lock-older-than 2h",
      "Recover in CI and in a container, where only the age counts",
    ],
  ],
  notes: [
    "It runs `pulumi up` of the program of the stack: docs/recover.md says what it does, and when it refuses.",
  ],
  codes: "0 nothing is left to do, 2 something is left for a person, 1 an error",
});

/** `nodecloud recover` */
export const recover: CliCommand = {
  name: "recover",
  whenInterrupted:
    "interrupted; a command of Pulumi that has begun may still run: run this again when it has ended",
  declare: (command, context, exit) =>
    command
      .description(
        "Continue after a killed run: remove its lock, run `pulumi up`, and clear pending creations",
      )
      .option("--stack <name>", "Recover this stack (default: the selected one)")
      .addOption(
        new Option(
          "--all",
          "Recover all stacks of the projects in this folder, one after the other",
        ).conflicts("stack"),
      )
      .option("--yes", "Recover without a question")
      .addOption(new Option("--dry-run", "Show what it would do, and change nothing").conflicts("yes"))
      .option(
        "--lock-older-than <duration>",
        "Remove a lock that is older than this, such as 2h; no run may take so long",
      )
      .addHelpText("after", END)
      .action((options: run.RecoverOptions) => exit(() => load().runRecover(context, options))),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
